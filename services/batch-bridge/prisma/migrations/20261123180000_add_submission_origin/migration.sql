-- The request that asked for a submission, so that what is done for it later belongs to the same trace and log lines.
ALTER TABLE "submissions" ADD COLUMN "request_id" TEXT, ADD COLUMN "traceparent" TEXT;
