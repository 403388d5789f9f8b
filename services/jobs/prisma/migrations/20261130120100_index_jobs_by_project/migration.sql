CREATE INDEX CONCURRENTLY "jobs_by_project" ON "jobs"("project_id", "project_revision", "id") WHERE "project_id" IS NOT NULL;
