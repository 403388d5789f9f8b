-- The field's names: jobs, bridge_commands, job_key, current_attempt_id. The release before goes on with the former names, also
-- after a rollback: the tables have views of these names (they take rows and locks like the tables), the columns have copies
-- that triggers keep in step, in both directions. The next release drops all that (prisma/next/drop_former_names.sql).

ALTER TABLE "simulations" RENAME TO "jobs";
ALTER SEQUENCE "simulations_id_seq" RENAME TO "jobs_id_seq";
ALTER INDEX "simulations_pkey" RENAME TO "jobs_pkey";
ALTER INDEX "simulations_job_id_key" RENAME TO "jobs_job_id_key";
ALTER INDEX "simulations_by_start_time" RENAME TO "jobs_by_start_time";
ALTER INDEX "simulations_by_end_time" RENAME TO "jobs_by_end_time";
ALTER INDEX "simulations_by_state_and_start_time" RENAME TO "jobs_by_state_and_start_time";
ALTER INDEX "simulations_by_state_and_end_time" RENAME TO "jobs_by_state_and_end_time";
ALTER TABLE "jobs" RENAME CONSTRAINT "simulations_words" TO "jobs_words";
ALTER TRIGGER "simulations_appear_and_go" ON "jobs" RENAME TO "jobs_appear_and_go";
ALTER TRIGGER "simulations_change" ON "jobs" RENAME TO "jobs_change";
ALTER TRIGGER "simulations_note_new" ON "jobs" RENAME TO "jobs_note_new";
ALTER TRIGGER "simulations_note_state" ON "jobs" RENAME TO "jobs_note_state";
ALTER TRIGGER "simulations_note_deletion" ON "jobs" RENAME TO "jobs_note_deletion";
ALTER FUNCTION "count_simulation"() RENAME TO "count_job";

ALTER TABLE "errands" RENAME TO "bridge_commands";
ALTER INDEX "errands_pkey" RENAME TO "bridge_commands_pkey";
ALTER INDEX "errands_next_try_at_idx" RENAME TO "bridge_commands_next_try_at_idx";
ALTER TABLE "bridge_commands" RENAME CONSTRAINT "errands_words" TO "bridge_commands_words";

ALTER TABLE "tasks" RENAME COLUMN "simulation_id" TO "job_key";
ALTER TABLE "tasks" RENAME COLUMN "celery_id" TO "current_attempt_id";
ALTER INDEX "tasks_simulation_id_task_id_key" RENAME TO "tasks_job_key_task_id_key";
ALTER TABLE "tasks" RENAME CONSTRAINT "tasks_simulation_id_fkey" TO "tasks_job_key_fkey";
ALTER TABLE "merges" RENAME COLUMN "simulation_id" TO "job_key";
ALTER INDEX "merges_simulation_id_number_key" RENAME TO "merges_job_key_number_key";
ALTER TABLE "merges" RENAME CONSTRAINT "merges_simulation_id_fkey" TO "merges_job_key_fkey";
ALTER TABLE "outbox" RENAME COLUMN "simulation_id" TO "job_key";
ALTER INDEX "outbox_simulation_id_idx" RENAME TO "outbox_job_key_idx";
ALTER TABLE "outbox" RENAME CONSTRAINT "outbox_simulation_id_fkey" TO "outbox_job_key_fkey";

CREATE OR REPLACE FUNCTION "note_task"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "job" RECORD;
BEGIN
    SELECT "owner_id", "job_id" INTO "job" FROM "jobs" WHERE "id" = NEW."job_key";
    IF NOT FOUND THEN RETURN NULL; END IF;
    PERFORM "lock_events"("job"."owner_id");
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at", "state", "task_id", "requested_primaries",
        "simulated_primaries", "estimated_seconds", "last_update_time", "start_time", "end_time", "failure")
    VALUES ("job"."owner_id", "job"."job_id", CASE WHEN OLD."state" = NEW."state" THEN 'progress' ELSE 'task' END,
        clock_timestamp(), NEW."state", NEW."task_id", NEW."requested_primaries", NEW."simulated_primaries",
        NEW."estimated_seconds", NEW."last_update_time", NEW."start_time", NEW."end_time",
        CASE WHEN NEW."state" = 'FAILED' THEN NEW."failure" END);
    RETURN NULL;
END $$;

-- For the release before.
CREATE VIEW "simulations" AS SELECT * FROM "jobs";
CREATE VIEW "errands" AS SELECT * FROM "bridge_commands";

ALTER TABLE "tasks" RENAME COLUMN "former_job_key" TO "simulation_id";
ALTER TABLE "tasks" RENAME COLUMN "former_attempt_id" TO "celery_id";
ALTER TABLE "merges" RENAME COLUMN "former_job_key" TO "simulation_id";
ALTER TABLE "outbox" RENAME COLUMN "former_job_key" TO "simulation_id";
-- Each release names one of the two columns when it inserts; the other one is null. The current attempt may change later.
CREATE OR REPLACE FUNCTION "keep_former_job_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."job_key" := coalesce(NEW."job_key", NEW."simulation_id");
    NEW."simulation_id" := NEW."job_key";
    RETURN NEW;
END $$;
CREATE OR REPLACE FUNCTION "keep_former_attempt_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' OR NEW."celery_id" <> OLD."celery_id" THEN
        NEW."current_attempt_id" := coalesce(NEW."celery_id", NEW."current_attempt_id");
    END IF;
    NEW."celery_id" := NEW."current_attempt_id";
    RETURN NEW;
END $$;
