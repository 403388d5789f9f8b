CREATE INDEX CONCURRENTLY "jobs_by_closing" ON "jobs"("closed_at") WHERE "closed_at" IS NOT NULL;
