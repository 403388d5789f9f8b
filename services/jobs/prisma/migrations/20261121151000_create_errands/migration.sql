-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN "failure" TEXT;

-- AlterTable
ALTER TABLE "job_events" ADD COLUMN "waiting_reason" TEXT;

-- AlterTable
ALTER TABLE "simulations" ADD COLUMN "cluster_name" TEXT,
ADD COLUMN "waiting_reason" TEXT;

-- CreateTable
CREATE TABLE "errands" (
    "job_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "cluster_name" TEXT,
    "scheduler_options" BYTEA,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "try_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "errands_pkey" PRIMARY KEY ("job_id","kind")
);

-- CreateIndex
CREATE INDEX "errands_next_try_at_idx" ON "errands"("next_try_at");

ALTER TABLE "errands" ADD CONSTRAINT "errands_words" CHECK (
    "kind" IN ('submit', 'cancel', 'delete')
    AND ("kind" = 'submit') = ("cluster_name" IS NOT NULL)
    AND ("kind" = 'submit') = ("scheduler_options" IS NOT NULL)
);

-- What a job waits for is worth an event like its state.
CREATE OR REPLACE FUNCTION "note_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM "lock_events"(NEW."owner_id");
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at", "state", "task_count", "start_time", "end_time", "failure",
        "waiting_reason")
    VALUES (NEW."owner_id", NEW."job_id", 'job', clock_timestamp(), NEW."state", NEW."task_count", NEW."start_time", NEW."end_time",
        CASE WHEN NEW."state" = 'FAILED' THEN NEW."failure" END, NEW."waiting_reason");
    RETURN NULL;
END $$;
DROP TRIGGER "simulations_note_state" ON "simulations";
CREATE CONSTRAINT TRIGGER "simulations_note_state" AFTER UPDATE OF "state", "waiting_reason" ON "simulations"
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (OLD."state" <> NEW."state" OR OLD."waiting_reason" IS DISTINCT FROM NEW."waiting_reason")
    EXECUTE FUNCTION "note_job"();
