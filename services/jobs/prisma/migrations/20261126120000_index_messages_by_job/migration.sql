-- Messages of an owner are published job by job, so that a task that is retried does not wait for later jobs.
CREATE INDEX CONCURRENTLY "outbox_kind_owner_id_job_key_id_idx" ON "outbox"("kind", "owner_id", "job_key", "id");
