-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE attempts (
  id text NOT NULL,
  task_key bigint NOT NULL,
  number integer NOT NULL,
  runner_id text,
  lease_expires_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  outcome text,
  cpu_ms double precision NOT NULL DEFAULT 0,
  CONSTRAINT attempts_pkey PRIMARY KEY (id),
  CONSTRAINT attempts_task_key_fkey FOREIGN KEY (task_key) REFERENCES tasks(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT attempts_words CHECK ((((ended_at IS NULL) = (outcome IS NULL)) AND ((outcome IS NULL) OR (outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'released'::text, 'lost'::text, 'canceled'::text])))))
);
CREATE TABLE dispatch_turns (
  owner_id bigint NOT NULL,
  served_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT dispatch_turns_pkey PRIMARY KEY (owner_id)
);
CREATE TABLE duties (
  id text NOT NULL,
  kind text NOT NULL,
  job_id text NOT NULL,
  payload jsonb NOT NULL DEFAULT '{}'::jsonb,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  try_count integer NOT NULL DEFAULT 0,
  held_until timestamp(3) with time zone,
  CONSTRAINT duties_pkey PRIMARY KEY (id),
  CONSTRAINT duties_kinds CHECK ((kind = ANY (ARRAY['merge'::text, 'remove'::text, 'submit'::text, 'cancel'::text, 'delete'::text, 'notify'::text, 'remove_results'::text, 'remove_logs'::text])))
);
CREATE TABLE event_floor (
  is_only boolean NOT NULL DEFAULT true,
  forgotten_id bigint NOT NULL DEFAULT 0,
  CONSTRAINT event_floor_pkey PRIMARY KEY (is_only),
  CONSTRAINT event_floor_is_one_row CHECK (is_only)
);
CREATE TABLE group_turns (
  group_id text NOT NULL,
  served_at timestamp(6) with time zone NOT NULL,
  CONSTRAINT group_turns_pkey PRIMARY KEY (group_id)
);
CREATE TABLE handed_owners (
  owner_id bigint NOT NULL,
  new_owner_id bigint NOT NULL,
  due_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT handed_owners_pkey PRIMARY KEY (owner_id)
);
CREATE TABLE idempotency_keys (
  owner_id bigint NOT NULL,
  key text NOT NULL,
  request_hash text NOT NULL,
  job_id text NOT NULL,
  seed numeric(20,0) NOT NULL,
  warnings json NOT NULL,
  failure text,
  answer json,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner_id, key)
);
CREATE TABLE job_costs (
  job_key bigint NOT NULL,
  engine text NOT NULL,
  kind text NOT NULL,
  fingerprint text NOT NULL,
  start_seconds double precision NOT NULL,
  primary_seconds double precision NOT NULL,
  CONSTRAINT job_costs_pkey PRIMARY KEY (job_key),
  CONSTRAINT job_costs_job_key_fkey FOREIGN KEY (job_key) REFERENCES jobs(id) ON DELETE CASCADE
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
  is_stopped boolean NOT NULL DEFAULT false,
  convergence json,
  CONSTRAINT job_events_pkey PRIMARY KEY (id),
  CONSTRAINT job_events_words CHECK (((kind = ANY (ARRAY['job'::text, 'task'::text, 'progress'::text, 'deleted'::text])) AND ((state IS NULL) = (kind = 'deleted'::text)) AND ((task_id IS NOT NULL) = (kind = ANY (ARRAY['task'::text, 'progress'::text])))))
);
CREATE TABLE jobs (
  id bigint NOT NULL DEFAULT nextval('jobs_id_seq'::regclass),
  job_id text NOT NULL,
  owner_id bigint NOT NULL,
  title text NOT NULL,
  platform text NOT NULL,
  input_type text NOT NULL,
  simulator text NOT NULL,
  executable text,
  state text NOT NULL DEFAULT 'UNKNOWN'::text,
  seed numeric(20,0) NOT NULL,
  task_count integer NOT NULL,
  primaries_max bigint NOT NULL,
  task_primaries_max bigint,
  start_time timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  end_time timestamp(3) with time zone,
  failure text,
  merge_id text,
  merge_number integer NOT NULL DEFAULT 0,
  cluster_name text,
  scheduler_options bytea,
  job_dir text,
  array_id bigint,
  collect_id bigint,
  waiting_reason text,
  stopped_at timestamp(3) with time zone,
  merged_primaries bigint,
  extended_at timestamp(3) with time zone,
  submitted_task_count integer,
  extensions jsonb,
  convergence json,
  end_update_hash text,
  description json,
  closed_at timestamp(3) with time zone,
  request_id text,
  traceparent text,
  project_id text,
  project_revision integer,
  on_unsupported text,
  label_revision integer NOT NULL DEFAULT 0,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  note text,
  is_favourite boolean NOT NULL DEFAULT false,
  is_archived boolean NOT NULL DEFAULT false,
  particle text,
  energy_min_mev double precision,
  energy_max_mev double precision,
  sweep_id text,
  sweep_size integer,
  group_id text,
  results_removed_at timestamp(3) with time zone,
  logs_removed_at timestamp(3) with time zone,
  released_at timestamp(3) with time zone,
  CONSTRAINT jobs_pkey PRIMARY KEY (id),
  CONSTRAINT jobs_words CHECK (((platform = ANY (ARRAY['direct'::text, 'batch'::text])) AND (input_type = ANY (ARRAY['editor'::text, 'files'::text])) AND (simulator = ANY (ARRAY['simA'::text, 'simB'::text, 'simC'::text, 'simD'::text])) AND (state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text, 'MERGING_QUEUED'::text, 'MERGING_RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])) AND ((seed >= (0)::numeric) AND (seed <= '18446744073709551615'::numeric))))
);
CREATE TABLE leaving_owners (
  owner_id bigint NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT leaving_owners_pkey PRIMARY KEY (owner_id)
);
CREATE TABLE outbox (
  id bigint NOT NULL DEFAULT nextval('outbox_id_seq'::regclass),
  owner_id bigint NOT NULL,
  job_key bigint NOT NULL,
  attempt_id text NOT NULL,
  published_at timestamp(3) with time zone,
  publish_count integer NOT NULL DEFAULT 0,
  in_flight_until timestamp(3) with time zone,
  CONSTRAINT outbox_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_attempt_id_fkey FOREIGN KEY (attempt_id) REFERENCES attempts(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT outbox_job_key_fkey FOREIGN KEY (job_key) REFERENCES jobs(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE TABLE parked_messages (
  id bigint NOT NULL DEFAULT nextval('parked_messages_id_seq'::regclass),
  owner_id bigint NOT NULL,
  job_key bigint NOT NULL,
  attempt_id text NOT NULL,
  CONSTRAINT parked_messages_pkey PRIMARY KEY (id)
);
CREATE TABLE project_revisions (
  project_key bigint NOT NULL,
  revision integer NOT NULL,
  saved_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  title text NOT NULL,
  note text NOT NULL DEFAULT ''::text,
  content_hash text NOT NULL,
  request_hash text NOT NULL,
  size_bytes integer NOT NULL,
  body bytea STORAGE EXTERNAL NOT NULL,
  CONSTRAINT project_revisions_pkey PRIMARY KEY (project_key, revision),
  CONSTRAINT project_revisions_project_key_fkey FOREIGN KEY (project_key) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE TABLE projects (
  id bigint NOT NULL DEFAULT nextval('projects_id_seq'::regclass),
  project_id text NOT NULL,
  owner_id bigint NOT NULL,
  title text NOT NULL,
  revision integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  thumbnail text,
  size_bytes integer NOT NULL,
  stored_bytes bigint NOT NULL,
  group_id text,
  CONSTRAINT projects_pkey PRIMARY KEY (id),
  CONSTRAINT projects_numbers CHECK (((revision >= 1) AND (size_bytes >= 0) AND (stored_bytes >= 0)))
);
CREATE TABLE quotas (
  kind text NOT NULL,
  subject_id text NOT NULL,
  cpu_seconds_month double precision,
  stored_bytes double precision,
  running_tasks integer,
  CONSTRAINT quotas_pkey PRIMARY KEY (kind, subject_id),
  CONSTRAINT quotas_words CHECK (((kind = ANY (ARRAY['user'::text, 'group'::text])) AND (cpu_seconds_month >= (0)::double precision) AND (stored_bytes >= (0)::double precision) AND (running_tasks >= 0)))
);
CREATE TABLE retention_rules (
  data text NOT NULL,
  state text NOT NULL,
  after_days integer NOT NULL,
  warning_days integer NOT NULL,
  set_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT retention_rules_pkey PRIMARY KEY (data, state),
  CONSTRAINT retention_rules_days CHECK (((after_days >= 1) AND (warning_days >= 1))),
  CONSTRAINT retention_rules_words CHECK (((data = ANY (ARRAY['jobs'::text, 'results'::text, 'logs'::text])) AND (state = ANY (ARRAY['any'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text]))))
);
CREATE TABLE retention_warnings (
  owner_id bigint NOT NULL,
  warned_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT retention_warnings_pkey PRIMARY KEY (owner_id)
);
CREATE TABLE runners (
  runner_id text NOT NULL,
  executables text NOT NULL,
  confinement text NOT NULL DEFAULT ''::text,
  is_refusing_files boolean NOT NULL DEFAULT false,
  slot_count integer NOT NULL DEFAULT 0,
  expires_at timestamp(3) with time zone NOT NULL,
  draining_since timestamp(3) with time zone,
  CONSTRAINT runners_pkey PRIMARY KEY (runner_id)
);
CREATE TABLE saved_searches (
  owner_id bigint NOT NULL,
  name text NOT NULL,
  search text NOT NULL,
  CONSTRAINT saved_searches_pkey PRIMARY KEY (owner_id, name)
);
CREATE TABLE secret_checks (
  name text NOT NULL,
  fingerprint text NOT NULL,
  CONSTRAINT secret_checks_pkey PRIMARY KEY (name)
);
CREATE TABLE shares (
  share_id text NOT NULL,
  job_key bigint,
  project_key bigint,
  subject text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  expires_at timestamp(3) with time zone,
  CONSTRAINT shares_pkey PRIMARY KEY (share_id),
  CONSTRAINT shares_job_key_fkey FOREIGN KEY (job_key) REFERENCES jobs(id) ON DELETE CASCADE,
  CONSTRAINT shares_project_key_fkey FOREIGN KEY (project_key) REFERENCES projects(id) ON DELETE CASCADE,
  CONSTRAINT shares_link_ends CHECK (((subject !~~ 'link:%'::text) OR (expires_at IS NOT NULL))),
  CONSTRAINT shares_one_resource CHECK (((job_key IS NULL) <> (project_key IS NULL))),
  CONSTRAINT shares_subject CHECK ((subject ~ '^(user|group|link):.+$'::text))
);
CREATE TABLE simulators (
  executable text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT simulators_pkey PRIMARY KEY (executable)
);
CREATE TABLE submission_pauses (
  platform text NOT NULL,
  message text NOT NULL,
  started_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT submission_pauses_pkey PRIMARY KEY (platform)
);
CREATE TABLE subscriptions (
  user_id bigint NOT NULL,
  key text NOT NULL,
  scope text NOT NULL,
  target text NOT NULL,
  has_mail boolean NOT NULL,
  has_webhooks boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT subscriptions_pkey PRIMARY KEY (key, user_id)
);
CREATE TABLE tasks (
  id bigint NOT NULL DEFAULT nextval('tasks_id_seq'::regclass),
  job_key bigint NOT NULL,
  task_id integer NOT NULL,
  state text NOT NULL DEFAULT 'PENDING'::text,
  requested_primaries bigint NOT NULL DEFAULT 0,
  simulated_primaries bigint NOT NULL DEFAULT 0,
  first_history bigint NOT NULL DEFAULT 0,
  estimated_seconds integer,
  start_time timestamp(3) with time zone,
  end_time timestamp(3) with time zone,
  last_update_time timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  current_attempt_id text NOT NULL DEFAULT ''::text,
  failure text,
  is_unexplained boolean NOT NULL DEFAULT false,
  progress_event_at timestamp(3) with time zone,
  end_update_hash text,
  has_output boolean NOT NULL DEFAULT false,
  must_finish boolean NOT NULL DEFAULT false,
  CONSTRAINT tasks_pkey PRIMARY KEY (id),
  CONSTRAINT tasks_job_key_fkey FOREIGN KEY (job_key) REFERENCES jobs(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT tasks_words CHECK (((state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text, 'MERGING_QUEUED'::text, 'MERGING_RUNNING'::text, 'COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])) AND (task_id >= 1) AND (requested_primaries >= 0) AND (simulated_primaries >= 0)))
);
CREATE TABLE usage_entries (
  id bigint NOT NULL DEFAULT nextval('usage_entries_id_seq'::regclass),
  owner_id bigint NOT NULL,
  group_id text,
  day date NOT NULL,
  cluster text NOT NULL,
  cpu_ms double precision NOT NULL,
  CONSTRAINT usage_entries_pkey PRIMARY KEY (id)
);
CREATE TABLE webhook_deliveries (
  id bigint NOT NULL DEFAULT nextval('webhook_deliveries_id_seq'::regclass),
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  body text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  next_try_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  try_count integer NOT NULL DEFAULT 0,
  held_until timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  is_delivered boolean NOT NULL DEFAULT false,
  answer text NOT NULL DEFAULT ''::text,
  group_id text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE TABLE webhooks (
  id text NOT NULL,
  user_id bigint NOT NULL,
  url text NOT NULL,
  sealed_secret bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  disabled_at timestamp(3) with time zone,
  disabled_reason text,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id)
);
CREATE INDEX attempts_leases ON public.attempts USING btree (lease_expires_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX attempts_open ON public.attempts USING btree (task_key) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX attempts_task_key_number_key ON public.attempts USING btree (task_key, number);
CREATE UNIQUE INDEX duties_job_id_kind_key ON public.duties USING btree (job_id, kind);
CREATE INDEX duties_next_try_at_idx ON public.duties USING btree (next_try_at);
CREATE INDEX idempotency_keys_expires_at_idx ON public.idempotency_keys USING btree (expires_at);
CREATE INDEX job_costs_engine_job_key_idx ON public.job_costs USING btree (engine, job_key);
CREATE INDEX job_costs_fingerprint_idx ON public.job_costs USING btree (fingerprint);
CREATE INDEX job_counts_owner_id_state_idx ON public.job_counts USING btree (owner_id, state);
CREATE INDEX job_events_job_id_idx ON public.job_events USING btree (job_id);
CREATE INDEX job_events_owner_id_id_idx ON public.job_events USING btree (owner_id, id);
CREATE INDEX job_events_progress ON public.job_events USING btree (id) WHERE (kind = 'progress'::text);
CREATE INDEX jobs_by_closing ON public.jobs USING btree (closed_at) WHERE (closed_at IS NOT NULL);
CREATE INDEX jobs_by_end_time ON public.jobs USING btree (owner_id, end_time DESC NULLS LAST, id DESC);
CREATE INDEX jobs_by_executable ON public.jobs USING btree (executable) WHERE ((executable IS NOT NULL) AND (state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text])));
CREATE INDEX jobs_by_group ON public.jobs USING btree (group_id, start_time, id) WHERE (group_id IS NOT NULL);
CREATE INDEX jobs_by_labels ON public.jobs USING btree (owner_id, start_time, id) WHERE (label_revision > 0);
CREATE INDEX jobs_by_project ON public.jobs USING btree (project_id, project_revision, id) WHERE (project_id IS NOT NULL);
CREATE INDEX jobs_by_request ON public.jobs USING btree (request_id) WHERE (request_id IS NOT NULL);
CREATE INDEX jobs_by_start_time ON public.jobs USING btree (owner_id, start_time, id);
CREATE INDEX jobs_by_state_and_end_time ON public.jobs USING btree (owner_id, state, end_time DESC NULLS LAST, id DESC);
CREATE INDEX jobs_by_state_and_start_time ON public.jobs USING btree (owner_id, state, start_time, id);
CREATE INDEX jobs_by_sweep ON public.jobs USING btree (owner_id, sweep_id) WHERE (sweep_id IS NOT NULL);
CREATE UNIQUE INDEX jobs_job_id_key ON public.jobs USING btree (job_id);
CREATE INDEX jobs_open ON public.jobs USING btree (id) WHERE (state = ANY (ARRAY['UNKNOWN'::text, 'PENDING'::text, 'RUNNING'::text, 'MERGING_QUEUED'::text, 'MERGING_RUNNING'::text]));
CREATE INDEX leaving_owners_due_at_idx ON public.leaving_owners USING btree (due_at);
CREATE UNIQUE INDEX outbox_attempt_id_key ON public.outbox USING btree (attempt_id);
CREATE INDEX outbox_in_flight ON public.outbox USING btree (owner_id, in_flight_until) WHERE (in_flight_until IS NOT NULL);
CREATE INDEX outbox_job_key_idx ON public.outbox USING btree (job_key);
CREATE INDEX outbox_owner_id_job_key_id_idx ON public.outbox USING btree (owner_id, job_key, id);
CREATE UNIQUE INDEX parked_messages_attempt_id_key ON public.parked_messages USING btree (attempt_id);
CREATE INDEX parked_messages_job_key_idx ON public.parked_messages USING btree (job_key);
CREATE INDEX projects_by_group ON public.projects USING btree (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX projects_owner_id_updated_at_id_idx ON public.projects USING btree (owner_id, updated_at, id);
CREATE UNIQUE INDEX projects_project_id_key ON public.projects USING btree (project_id);
CREATE UNIQUE INDEX shares_job_key_subject_key ON public.shares USING btree (job_key, subject);
CREATE UNIQUE INDEX shares_project_key_subject_key ON public.shares USING btree (project_key, subject);
CREATE INDEX shares_subject_idx ON public.shares USING btree (subject);
CREATE INDEX subscriptions_user_id_idx ON public.subscriptions USING btree (user_id);
CREATE UNIQUE INDEX tasks_job_key_task_id_key ON public.tasks USING btree (job_key, task_id);
CREATE INDEX tasks_open ON public.tasks USING btree (job_key, state) INCLUDE (requested_primaries) WHERE (state = ANY (ARRAY['PENDING'::text, 'RUNNING'::text]));
CREATE INDEX usage_entries_by_group ON public.usage_entries USING btree (group_id, day) WHERE (group_id IS NOT NULL);
CREATE INDEX usage_entries_owner_id_day_idx ON public.usage_entries USING btree (owner_id, day);
CREATE INDEX webhook_deliveries_open ON public.webhook_deliveries USING btree (next_try_at) WHERE (ended_at IS NULL);
CREATE UNIQUE INDEX webhook_deliveries_webhook_id_event_id_key ON public.webhook_deliveries USING btree (webhook_id, event_id);
CREATE INDEX webhooks_user_id_idx ON public.webhooks USING btree (user_id);
CREATE OR REPLACE FUNCTION public.count_cluster_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO "usage_entries" ("owner_id", "group_id", "day", "cluster", "cpu_ms")
    SELECT "owner_id", "group_id", (now() AT TIME ZONE 'UTC')::date, coalesce("cluster_name", ''),
        greatest(0, round(extract(epoch FROM coalesce(NEW."end_time", now()) - NEW."start_time") * 1000))
    FROM "jobs" WHERE "jobs"."id" = NEW."job_key" AND "platform" = 'batch';
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.count_job()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count")
        VALUES (OLD."owner_id", CASE WHEN OLD."is_archived" THEN 'ARCHIVED ' ELSE '' END || OLD."state", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count")
        VALUES (NEW."owner_id", CASE WHEN NEW."is_archived" THEN 'ARCHIVED ' ELSE '' END || NEW."state", 1);
    END IF;
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.count_usage()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO "usage_entries" ("owner_id", "group_id", "day", "cluster", "cpu_ms")
    SELECT "jobs"."owner_id", "jobs"."group_id", (now() AT TIME ZONE 'UTC')::date, coalesce("jobs"."cluster_name", ''),
        NEW."cpu_ms" - CASE WHEN OLD."ended_at" IS NULL THEN 0 ELSE OLD."cpu_ms" END
    FROM "tasks" JOIN "jobs" ON "jobs"."id" = "tasks"."job_key" WHERE "tasks"."id" = NEW."task_key";
    RETURN NULL;
END $function$;
CREATE TRIGGER attempts_are_counted AFTER UPDATE OF ended_at, cpu_ms ON public.attempts FOR EACH ROW WHEN (((new.ended_at IS NOT NULL) AND (new.cpu_ms > (0)::double precision) AND ((old.ended_at IS NULL) OR (old.cpu_ms <> new.cpu_ms)))) EXECUTE FUNCTION count_usage();
CREATE TRIGGER jobs_appear_and_go AFTER INSERT OR DELETE ON public.jobs FOR EACH ROW EXECUTE FUNCTION count_job();
CREATE TRIGGER jobs_are_archived AFTER UPDATE OF is_archived ON public.jobs FOR EACH ROW WHEN (((old.is_archived <> new.is_archived) AND (old.state = new.state) AND (old.owner_id = new.owner_id))) EXECUTE FUNCTION count_job();
CREATE TRIGGER jobs_change AFTER UPDATE OF state, owner_id ON public.jobs FOR EACH ROW WHEN (((old.state <> new.state) OR (old.owner_id <> new.owner_id))) EXECUTE FUNCTION count_job();
CREATE TRIGGER cluster_tasks_are_counted AFTER UPDATE OF state ON public.tasks FOR EACH ROW WHEN (((new.current_attempt_id = ''::text) AND (new.start_time IS NOT NULL) AND (new.state = ANY (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])) AND (old.state <> ALL (ARRAY['COMPLETED'::text, 'FAILED'::text, 'CANCELED'::text])))) EXECUTE FUNCTION count_cluster_time();
