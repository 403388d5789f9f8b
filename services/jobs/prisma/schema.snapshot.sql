-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE attempts (
  id text NOT NULL,
  task_key bigint NOT NULL,
  number integer NOT NULL,
  runner_id text,
  lease_expires_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  outcome text,
  CONSTRAINT attempts_pkey PRIMARY KEY (id),
  CONSTRAINT attempts_task_key_fkey FOREIGN KEY (task_key) REFERENCES tasks(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT attempts_words CHECK ((((ended_at IS NULL) = (outcome IS NULL)) AND ((outcome IS NULL) OR (outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'released'::text, 'lost'::text, 'canceled'::text])))))
);
CREATE TABLE deletions (
  job_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  try_count integer NOT NULL DEFAULT 0,
  CONSTRAINT deletions_pkey PRIMARY KEY (job_id)
);
CREATE TABLE dispatch_turns (
  owner_id bigint NOT NULL,
  served_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT dispatch_turns_pkey PRIMARY KEY (owner_id)
);
CREATE TABLE errands (
  job_id text NOT NULL,
  kind text NOT NULL,
  owner_id bigint NOT NULL,
  cluster_name text,
  scheduler_options bytea,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  try_count integer NOT NULL DEFAULT 0,
  CONSTRAINT errands_pkey PRIMARY KEY (job_id, kind),
  CONSTRAINT errands_words CHECK (((kind = ANY (ARRAY['submit'::text, 'cancel'::text, 'delete'::text])) AND ((kind = 'submit'::text) = (cluster_name IS NOT NULL)) AND ((kind = 'submit'::text) = (scheduler_options IS NOT NULL))))
);
CREATE TABLE event_floor (
  is_only boolean NOT NULL DEFAULT true,
  forgotten_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_floor_pkey PRIMARY KEY (is_only),
  CONSTRAINT event_floor_is_one_row CHECK (is_only)
);
CREATE TABLE idempotency_keys (
  owner_id bigint NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  job_id text NOT NULL,
  seed numeric(20,0) NOT NULL,
  warnings json NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  failure text,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner_id, key)
);
CREATE TABLE job_counts (
  id bigint NOT NULL DEFAULT nextval('job_counts_id_seq'::regclass),
  owner_id bigint NOT NULL,
  state text NOT NULL,
  job_count bigint NOT NULL,
  CONSTRAINT job_counts_pkey PRIMARY KEY (id)
);
CREATE TABLE job_events (
  id bigint NOT NULL DEFAULT nextval('job_events_id_seq'::regclass),
  owner_id bigint NOT NULL,
  job_id text NOT NULL,
  kind text NOT NULL,
  happened_at timestamp(3) with time zone NOT NULL,
  state text,
  task_count integer,
  task_id integer,
  requested_primaries bigint,
  simulated_primaries bigint,
  estimated_seconds integer,
  last_update_time timestamp(3) with time zone,
  start_time timestamp(3) with time zone,
  end_time timestamp(3) with time zone,
  failure text,
  waiting_reason text,
  CONSTRAINT job_events_pkey PRIMARY KEY (id),
  CONSTRAINT job_events_words CHECK (((kind = ANY (ARRAY['job'::text, 'task'::text, 'progress'::text, 'deleted'::text])) AND ((state IS NULL) = (kind = 'deleted'::text)) AND ((task_id IS NOT NULL) = (kind = ANY (ARRAY['task'::text, 'progress'::text])))))
);
CREATE TABLE merges (
  id text NOT NULL,
  simulation_id bigint NOT NULL,
  number integer NOT NULL,
  runner_id text,
  lease_expires_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  outcome text,
  CONSTRAINT merges_pkey PRIMARY KEY (id),
  CONSTRAINT merges_simulation_id_fkey FOREIGN KEY (simulation_id) REFERENCES simulations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT merges_words CHECK ((((ended_at IS NULL) = (outcome IS NULL)) AND ((outcome IS NULL) OR (outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'released'::text, 'lost'::text, 'canceled'::text])))))
);
CREATE TABLE outbox (
  id bigint NOT NULL DEFAULT nextval('outbox_id_seq'::regclass),
  kind text NOT NULL,
  owner_id bigint NOT NULL,
  simulation_id bigint NOT NULL,
  attempt_id text,
  merge_id text,
  published_at timestamp(3) with time zone,
  publish_count integer NOT NULL DEFAULT 0,
  in_flight_until timestamp(3) with time zone,
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT outbox_merge_id_fkey FOREIGN KEY (merge_id) REFERENCES merges(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT outbox_simulation_id_fkey FOREIGN KEY (simulation_id) REFERENCES simulations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT outbox_names_one_thing CHECK ((((kind = 'task'::text) AND (attempt_id IS NOT NULL) AND (merge_id IS NULL)) OR ((kind = 'merge'::text) AND (merge_id IS NOT NULL) AND (attempt_id IS NULL))))
);
CREATE TABLE runners (
  runner_id text NOT NULL,
  executables text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT runners_pkey PRIMARY KEY (runner_id)
);
CREATE TABLE simulations (
  id bigint NOT NULL DEFAULT nextval('simulations_id_seq'::regclass),
  job_id text NOT NULL,
  owner_id bigint NOT NULL,
  title text NOT NULL,
  platform text NOT NULL,
  input_type text NOT NULL,
  simulator text NOT NULL,
  state text NOT NULL DEFAULT 'UNKNOWN'::text,
  seed numeric(20,0) NOT NULL,
  task_count integer NOT NULL,
  start_time timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_time timestamp(3) with time zone,
  failure text,
  merge_id text,
  cluster_id bigint,
  job_dir text,
  array_id bigint,
  collect_id bigint,
  end_update_hash text,
  closed_at timestamp(3) with time zone,
  cluster_name text,
  waiting_reason text,
  CONSTRAINT simulations_pkey PRIMARY KEY (id),
  CONSTRAINT simulations_words CHECK (((platform = ANY (ARRAY['direct'::text, 'batch'::text])) AND (input_type = ANY (ARRAY['editor'::text, 'files'::text])) AND (simulator = ANY (ARRAY['simA'::text, 'simB'::text, 'simC'::text, 'simD'::text])) AND (state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text, 'MERGING_QUEUED'::text, 'MERGING_RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])) AND ((seed >= (0)::numeric) AND (seed <= '18446744073709551615'::numeric))))
);
CREATE TABLE submissions (
  job_id text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT submissions_pkey PRIMARY KEY (job_id)
);
CREATE TABLE tasks (
  id bigint NOT NULL DEFAULT nextval('tasks_id_seq'::regclass),
  simulation_id bigint NOT NULL,
  task_id integer NOT NULL,
  state text NOT NULL DEFAULT 'PENDING'::text,
  requested_primaries bigint NOT NULL DEFAULT 0,
  simulated_primaries bigint NOT NULL DEFAULT 0,
  first_history bigint NOT NULL DEFAULT 0,
  estimated_seconds integer,
  start_time timestamp(3) with time zone,
  end_time timestamp(3) with time zone,
  last_update_time timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  celery_id text NOT NULL DEFAULT ''::text,
  failure text,
  progress_event_at timestamp(3) with time zone,
  end_update_hash text,
  has_output boolean NOT NULL DEFAULT false,
  is_unexplained boolean NOT NULL DEFAULT false,
  CONSTRAINT tasks_pkey PRIMARY KEY (id),
  CONSTRAINT tasks_simulation_id_fkey FOREIGN KEY (simulation_id) REFERENCES simulations(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT tasks_words CHECK (((state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text, 'MERGING_QUEUED'::text, 'MERGING_RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])) AND (task_id >= 1) AND (requested_primaries >= 0) AND (simulated_primaries >= 0)))
);
CREATE INDEX attempts_leases ON public.attempts USING btree (lease_expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX attempts_open ON public.attempts USING btree (task_key) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX attempts_task_key_number_key ON public.attempts USING btree (task_key, number);
CREATE INDEX deletions_next_try_at_idx ON public.deletions USING btree (next_try_at);
CREATE INDEX errands_next_try_at_idx ON public.errands USING btree (next_try_at);
CREATE INDEX idempotency_keys_expires_at_idx ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX job_counts_owner_id_state_idx ON public.job_counts USING btree (owner_id, state);
CREATE INDEX job_events_job_id_idx ON public.job_events USING btree (job_id);
CREATE INDEX job_events_owner_id_id_idx ON public.job_events USING btree (owner_id, id);
CREATE INDEX job_events_progress ON public.job_events USING btree (id) WHERE (kind = 'progress'::text);
CREATE INDEX merges_leases ON public.merges USING btree (lease_expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX merges_open ON public.merges USING btree (simulation_id) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX merges_simulation_id_number_key ON public.merges USING btree (simulation_id, number);
CREATE UNIQUE INDEX outbox_attempt_id_key ON public.outbox USING btree (attempt_id);
CREATE INDEX outbox_kind_owner_id_id_idx ON public.outbox USING btree (kind, owner_id, id);
CREATE UNIQUE INDEX outbox_merge_id_key ON public.outbox USING btree (merge_id);
CREATE INDEX outbox_simulation_id_idx ON public.outbox USING btree (simulation_id);
CREATE INDEX simulations_by_end_time ON public.simulations USING btree (owner_id, end_time DESC NULLS LAST, id DESC);
CREATE INDEX simulations_by_start_time ON public.simulations USING btree (owner_id, start_time, id);
CREATE INDEX simulations_by_state_and_end_time ON public.simulations USING btree (owner_id, state, end_time DESC NULLS LAST, id DESC);
CREATE INDEX simulations_by_state_and_start_time ON public.simulations USING btree (owner_id, state, start_time, id);
CREATE UNIQUE INDEX simulations_job_id_key ON public.simulations USING btree (job_id);
CREATE INDEX submissions_created_at_idx ON public.submissions USING btree (created_at);
CREATE UNIQUE INDEX tasks_simulation_id_task_id_key ON public.tasks USING btree (simulation_id, task_id);
CREATE OR REPLACE FUNCTION public.count_simulation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (OLD."owner_id", OLD."state", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (NEW."owner_id", NEW."state", 1);
    END IF;
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.lock_events(owner bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    -- 7101: a number that no other advisory lock of this database uses; owners that share a hash only wait more
    PERFORM pg_advisory_xact_lock(7101, hashint8("owner"));
    PERFORM pg_notify('job_events', "owner"::text);
END $function$;
CREATE OR REPLACE FUNCTION public.note_deletion()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM "lock_events"(OLD."owner_id");
    DELETE FROM "job_events" WHERE "job_id" = OLD."job_id";
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at")
    VALUES (OLD."owner_id", OLD."job_id", 'deleted', clock_timestamp());
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.note_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM "lock_events"(NEW."owner_id");
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at", "state", "task_count", "start_time", "end_time", "failure",
        "waiting_reason")
    VALUES (NEW."owner_id", NEW."job_id", 'job', clock_timestamp(), NEW."state", NEW."task_count", NEW."start_time", NEW."end_time",
        CASE WHEN NEW."state" = 'FAILED' THEN NEW."failure" END, NEW."waiting_reason");
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.note_task()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
    "job" RECORD;
BEGIN
    SELECT "owner_id", "job_id" INTO "job" FROM "simulations" WHERE "id" = NEW."simulation_id";
    IF NOT FOUND THEN RETURN NULL; END IF;
    PERFORM "lock_events"("job"."owner_id");
    INSERT INTO "job_events" ("owner_id", "job_id", "kind", "happened_at", "state", "task_id", "requested_primaries",
        "simulated_primaries", "estimated_seconds", "last_update_time", "start_time", "end_time", "failure")
    VALUES ("job"."owner_id", "job"."job_id", CASE WHEN OLD."state" = NEW."state" THEN 'progress' ELSE 'task' END,
        clock_timestamp(), NEW."state", NEW."task_id", NEW."requested_primaries", NEW."simulated_primaries",
        NEW."estimated_seconds", NEW."last_update_time", NEW."start_time", NEW."end_time",
        CASE WHEN NEW."state" = 'FAILED' THEN NEW."failure" END);
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.pace_progress()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    NEW."progress_event_at" := now();
    RETURN NEW;
END $function$;
CREATE TRIGGER simulations_appear_and_go AFTER INSERT OR DELETE ON public.simulations FOR EACH ROW EXECUTE FUNCTION count_simulation();
CREATE TRIGGER simulations_change AFTER UPDATE OF state, owner_id ON public.simulations FOR EACH ROW WHEN (((old.state <> new.state) OR (old.owner_id <> new.owner_id))) EXECUTE FUNCTION count_simulation();
CREATE CONSTRAINT TRIGGER simulations_note_deletion AFTER DELETE ON public.simulations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_deletion();
CREATE CONSTRAINT TRIGGER simulations_note_new AFTER INSERT ON public.simulations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_job();
CREATE CONSTRAINT TRIGGER simulations_note_state AFTER UPDATE OF state, waiting_reason ON public.simulations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state <> new.state) OR (old.waiting_reason IS DISTINCT FROM new.waiting_reason))) EXECUTE FUNCTION note_job();
CREATE CONSTRAINT TRIGGER tasks_note AFTER UPDATE ON public.tasks DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.state <> new.state) OR (old.progress_event_at IS DISTINCT FROM new.progress_event_at))) EXECUTE FUNCTION note_task();
CREATE TRIGGER tasks_pace_progress BEFORE UPDATE ON public.tasks FOR EACH ROW WHEN (((old.state = new.state) AND (((old.simulated_primaries IS DISTINCT FROM new.simulated_primaries) OR (old.requested_primaries IS DISTINCT FROM new.requested_primaries)) OR (old.estimated_seconds IS DISTINCT FROM new.estimated_seconds)) AND COALESCE((old.progress_event_at <= (now() - '00:00:01'::interval)), true))) EXECUTE FUNCTION pace_progress();
