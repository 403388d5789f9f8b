-- Tasks that have not ended, of which there are few beside those that have: quotas count a user's, turns look for one that runs.
CREATE INDEX CONCURRENTLY "tasks_open" ON "tasks"("job_key", "state") INCLUDE ("requested_primaries")
    WHERE "state" IN ('PENDING', 'RUNNING');
