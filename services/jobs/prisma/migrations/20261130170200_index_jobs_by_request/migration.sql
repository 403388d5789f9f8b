CREATE INDEX CONCURRENTLY "jobs_by_request" ON "jobs"("request_id") WHERE "request_id" IS NOT NULL;
