-- AlterTable
ALTER TABLE "tasks" ADD COLUMN "progress_event_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "job_events" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "job_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT,
    "task_count" INTEGER,
    "task_id" INTEGER,
    "requested_primaries" BIGINT,
    "simulated_primaries" BIGINT,
    "estimated_seconds" INTEGER,
    "last_update_time" TIMESTAMPTZ(3),
    "start_time" TIMESTAMPTZ(3),
    "end_time" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_floor" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "forgotten_id" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_floor_pkey" PRIMARY KEY ("is_only")
);

-- CreateIndex
CREATE INDEX "job_events_owner_id_id_idx" ON "job_events"("owner_id", "id");

-- CreateIndex
CREATE INDEX "job_events_job_id_idx" ON "job_events"("job_id");

ALTER TABLE "job_events" ADD CONSTRAINT "job_events_words" CHECK (
    "kind" IN ('job', 'task', 'progress', 'deleted')
    AND ("state" IS NULL) = ("kind" = 'deleted')
    AND ("task_id" IS NOT NULL) = ("kind" IN ('task', 'progress'))
);
-- Progress is forgotten sooner than the rest.
CREATE INDEX "job_events_progress" ON "job_events"("id") WHERE "kind" = 'progress';

ALTER TABLE "event_floor" ADD CONSTRAINT "event_floor_is_one_row" CHECK ("is_only");
INSERT INTO "event_floor" DEFAULT VALUES;

-- Every change of a state leaves its event in the same transaction, whoever makes it. The triggers are deferred: they
-- run when the transaction commits, after every lock of its own has been taken. The lock per owner that they take is
-- then held for the moment of the commit only, and the id is drawn under it: of one owner, ids are in the order of the
-- commits, so a reader that has seen an id has seen all before it. (Sequence numbers alone are not in commit order: a
-- reader could see 8, remember it, and never see 7, which commits later.)
CREATE FUNCTION "lock_events"("owner" BIGINT) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- 7101: a number that no other advisory lock of this database uses; owners that share a hash only wait more
    PERFORM pg_advisory_xact_lock(7101, hashint8("owner"));
    PERFORM pg_notify('job_events', "owner"::text);
END $$;

CREATE FUNCTION "note_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "lock_events"(NEW."owner_id");
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at", "state", "task_count", "start_time", "end_time", "failure")
    VALUES (NEW."owner_id", NEW."job_id", 'job', clock_timestamp(), NEW."state", NEW."task_count", NEW."start_time", NEW."end_time",
        CASE WHEN NEW."state" = 'FAILED' THEN NEW."failure" END);
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "simulations_note_new" AFTER INSERT ON "simulations"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "note_job"();
CREATE CONSTRAINT TRIGGER "simulations_note_state" AFTER UPDATE OF "state" ON "simulations"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD."state" <> NEW."state") EXECUTE FUNCTION "note_job"();

-- Nothing of a deleted job stays, but that it was deleted: who follows it has to learn it.
CREATE FUNCTION "note_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "lock_events"(OLD."owner_id");
    DELETE FROM "job_events" WHERE "job_id" = OLD."job_id";
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at")
    VALUES (OLD."owner_id", OLD."job_id", 'deleted', clock_timestamp());
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER "simulations_note_deletion" AFTER DELETE ON "simulations"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "note_deletion"();

-- Progress of a task is worth an event once in a second at most; this column is the time of the last one.
CREATE FUNCTION "pace_progress"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."progress_event_at" := now();
    RETURN NEW;
END $$;
CREATE TRIGGER "tasks_pace_progress" BEFORE UPDATE ON "tasks" FOR EACH ROW WHEN (
    OLD."state" = NEW."state"
    AND (OLD."simulated_primaries", OLD."requested_primaries", OLD."estimated_seconds")
        IS DISTINCT FROM (NEW."simulated_primaries", NEW."requested_primaries", NEW."estimated_seconds")
    AND coalesce(OLD."progress_event_at" <= now() - interval '1 second', true)
) EXECUTE FUNCTION "pace_progress"();

CREATE FUNCTION "note_task"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    "job" RECORD;
BEGIN
    SELECT "owner_id", "job_id" INTO "job" FROM "simulations" WHERE "id" = NEW."simulation_id";
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
CREATE CONSTRAINT TRIGGER "tasks_note" AFTER UPDATE ON "tasks"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (
        OLD."state" <> NEW."state" OR OLD."progress_event_at" IS DISTINCT FROM NEW."progress_event_at"
    ) EXECUTE FUNCTION "note_task"();
