CREATE INDEX CONCURRENTLY "jobs_by_labels" ON "jobs"("owner_id", "start_time", "id") WHERE "label_revision" > 0;
