CREATE INDEX CONCURRENTLY "jobs_by_group" ON "jobs"("group_id", "start_time", "id") WHERE "group_id" IS NOT NULL;
