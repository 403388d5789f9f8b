-- What this service owes: no foreign key, because the data of a job is removed after the job.
CREATE TABLE duties (
  id text NOT NULL,
  kind text NOT NULL,
  job_id text NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}',
  next_try_at timestamptz(3) NOT NULL DEFAULT now(),
  try_count integer NOT NULL DEFAULT 0,
  held_until timestamptz(3),
  CONSTRAINT duties_pkey PRIMARY KEY (id),
  CONSTRAINT duties_kinds CHECK (kind = 'merge')
);
CREATE UNIQUE INDEX duties_job_id_kind_key ON duties (job_id, kind);
CREATE INDEX duties_next_try_at_idx ON duties (next_try_at);

ALTER TABLE jobs ADD COLUMN merge_number integer NOT NULL DEFAULT 0;
DELETE FROM outbox WHERE kind = 'merge';
DROP INDEX outbox_in_flight;
DROP INDEX outbox_kind_owner_id_job_key_id_idx;
ALTER TABLE outbox DROP CONSTRAINT outbox_names_one_thing, DROP COLUMN merge_id, DROP COLUMN kind, ALTER COLUMN attempt_id SET NOT NULL;
CREATE INDEX outbox_in_flight ON outbox (owner_id, in_flight_until) WHERE in_flight_until IS NOT NULL;
CREATE INDEX outbox_owner_id_job_key_id_idx ON outbox (owner_id, job_key, id);
DROP TABLE merges;
