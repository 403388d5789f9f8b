-- Columns get the field's names (20261122200200_rename_to_jobs). The release before goes on with the former names: these copies
-- take them then. Until they do, whoever inserts fills them here.
ALTER TABLE "tasks" ADD COLUMN "former_job_key" BIGINT, ADD COLUMN "former_attempt_id" TEXT;
ALTER TABLE "merges" ADD COLUMN "former_job_key" BIGINT;
ALTER TABLE "outbox" ADD COLUMN "former_job_key" BIGINT;

CREATE FUNCTION "keep_former_job_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."former_job_key" := NEW."simulation_id";
    RETURN NEW;
END $$;
CREATE FUNCTION "keep_former_attempt_id"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."former_attempt_id" := NEW."celery_id";
    RETURN NEW;
END $$;
CREATE TRIGGER "tasks_former_job_key" BEFORE INSERT ON "tasks" FOR EACH ROW EXECUTE FUNCTION "keep_former_job_key"();
CREATE TRIGGER "merges_former_job_key" BEFORE INSERT ON "merges" FOR EACH ROW EXECUTE FUNCTION "keep_former_job_key"();
CREATE TRIGGER "outbox_former_job_key" BEFORE INSERT ON "outbox" FOR EACH ROW EXECUTE FUNCTION "keep_former_job_key"();
CREATE TRIGGER "tasks_former_attempt_id" BEFORE INSERT ON "tasks"
    FOR EACH ROW EXECUTE FUNCTION "keep_former_attempt_id"();
CREATE TRIGGER "tasks_former_attempt_id_change" BEFORE UPDATE ON "tasks" FOR EACH ROW
    WHEN (OLD."celery_id" <> NEW."celery_id" OR OLD."former_attempt_id" <> NEW."former_attempt_id")
    EXECUTE FUNCTION "keep_former_attempt_id"();

-- Every row will be in them; made now, while they are empty. Prisma knows no partial index, so these need no word in
-- schema.prisma.
CREATE INDEX "tasks_former_job_key" ON "tasks"("former_job_key", "task_id") WHERE "former_job_key" IS NOT NULL;
CREATE INDEX "merges_former_job_key" ON "merges"("former_job_key", "number") WHERE "former_job_key" IS NOT NULL;
