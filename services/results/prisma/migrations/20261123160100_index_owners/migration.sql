-- The jobs of a user, to add up what is stored of them.
CREATE INDEX CONCURRENTLY "jobs_owner_id_idx" ON "jobs"("owner_id");
