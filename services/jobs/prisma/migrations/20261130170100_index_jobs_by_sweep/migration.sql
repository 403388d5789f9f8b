CREATE INDEX CONCURRENTLY "jobs_by_sweep" ON "jobs"("owner_id", "sweep_id") WHERE "sweep_id" IS NOT NULL;
