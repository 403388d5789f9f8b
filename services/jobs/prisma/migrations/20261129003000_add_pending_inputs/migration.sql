-- Inputs of jobs that results does not have yet. Small, read once and soon gone: not worth compressing.
CREATE TABLE "pending_inputs" (
    "job_key" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "try_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "pending_inputs_pkey" PRIMARY KEY ("job_key")
);
ALTER TABLE "pending_inputs" ALTER COLUMN "content" SET STORAGE EXTERNAL;
CREATE INDEX "pending_inputs_next_try_at_idx" ON "pending_inputs"("next_try_at");
ALTER TABLE "pending_inputs" ADD CONSTRAINT "pending_inputs_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
