-- The request that submitted a job, and its trace: what is done for the job later is found by them. Null: of the release
-- before, or nobody traces.
ALTER TABLE "jobs" ADD COLUMN "request_id" TEXT, ADD COLUMN "traceparent" TEXT;
