-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE clusters (
  id bigint NOT NULL DEFAULT nextval('clusters_id_seq'::regclass),
  name text NOT NULL,
  settings jsonb NOT NULL,
  "position" integer,
  check_started_at timestamp(3) with time zone,
  checked_at timestamp(3) with time zone,
  unavailability text,
  lease_holder text,
  lease_expires_at timestamp(3) with time zone,
  CONSTRAINT clusters_pkey PRIMARY KEY (id),
  CONSTRAINT clusters_unavailability_known CHECK ((unavailability = ANY (ARRAY['HOST_KEY_CHANGED'::text, 'CLUSTER_UNREACHABLE'::text]))),
  CONSTRAINT clusters_unavailability_was_found CHECK (((unavailability IS NULL) OR (checked_at IS NOT NULL)))
);
CREATE TABLE scheduler_jobs (
  job_id text NOT NULL,
  ordinal integer NOT NULL,
  first_task integer NOT NULL,
  task_count integer NOT NULL,
  attempted_at timestamp(3) with time zone,
  scheduler_job_id text,
  known_at timestamp(3) with time zone,
  is_lost boolean NOT NULL DEFAULT false,
  end_description text,
  CONSTRAINT scheduler_jobs_pkey PRIMARY KEY (job_id, ordinal),
  CONSTRAINT scheduler_jobs_job_id_fkey FOREIGN KEY (job_id) REFERENCES submissions(job_id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT scheduler_jobs_attempted CHECK (((scheduler_job_id IS NULL) OR (attempted_at IS NOT NULL))),
  CONSTRAINT scheduler_jobs_collect_has_no_tasks CHECK (((ordinal = 0) = (task_count = 0))),
  CONSTRAINT scheduler_jobs_end_has_id CHECK (((scheduler_job_id IS NOT NULL) OR ((NOT is_lost) AND (end_description IS NULL)))),
  CONSTRAINT scheduler_jobs_id_is_number CHECK ((scheduler_job_id ~ '^[0-9]+$'::text)),
  CONSTRAINT scheduler_jobs_known_since CHECK (((scheduler_job_id IS NULL) = (known_at IS NULL))),
  CONSTRAINT scheduler_jobs_lost_or_ended CHECK (((NOT is_lost) OR (end_description IS NULL)))
);
CREATE TABLE submission_tasks (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  told text NOT NULL,
  end_outcome text,
  end_description text,
  end_seen_at timestamp(3) with time zone,
  absent_since timestamp(3) with time zone,
  stuck_since timestamp(3) with time zone,
  has_own_end boolean NOT NULL,
  log_bytes bigint NOT NULL,
  is_output_stored boolean NOT NULL,
  is_tail_stored boolean NOT NULL,
  progress_at timestamp(3) with time zone,
  CONSTRAINT submission_tasks_pkey PRIMARY KEY (job_id, task_id),
  CONSTRAINT submission_tasks_job_id_fkey FOREIGN KEY (job_id) REFERENCES submissions(job_id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT submission_tasks_end_whole CHECK ((((end_outcome IS NULL) = (end_description IS NULL)) AND ((end_outcome IS NULL) = (end_seen_at IS NULL)))),
  CONSTRAINT submission_tasks_log_from_the_beginning CHECK (((log_bytes >= 0) AND (task_id >= 0))),
  CONSTRAINT submission_tasks_outcome_known CHECK ((end_outcome = ANY (ARRAY['completed'::text, 'failed'::text, 'canceled'::text, 'lost'::text]))),
  CONSTRAINT submission_tasks_told_known CHECK ((told = ANY (ARRAY['nothing'::text, 'running'::text, 'ended'::text])))
);
CREATE TABLE submissions (
  job_id text NOT NULL,
  user_id bigint,
  cluster_name text,
  options jsonb,
  phase text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  due_at timestamp(3) with time zone,
  try_count integer NOT NULL DEFAULT 0,
  waiting_reason text NOT NULL DEFAULT ''::text,
  log text NOT NULL DEFAULT ''::text,
  cancel_requested_at timestamp(3) with time zone,
  delete_requested_at timestamp(3) with time zone,
  username text,
  task_count integer,
  observed_at timestamp(3) with time zone,
  cancel_sent_at timestamp(3) with time zone,
  ended_at timestamp(3) with time zone,
  end_reason text,
  end_message text,
  end_reported_at timestamp(3) with time zone,
  cleared_at timestamp(3) with time zone,
  job_spec jsonb,
  CONSTRAINT submissions_pkey PRIMARY KEY (job_id),
  CONSTRAINT submissions_cleared_at_known CHECK (((phase = 'cleared'::text) = (cleared_at IS NOT NULL))),
  CONSTRAINT submissions_end_known CHECK (((phase <> 'ended'::text) OR ((ended_at IS NOT NULL) AND (end_message IS NOT NULL)))),
  CONSTRAINT submissions_observed_at_known CHECK (((phase <> 'submitted'::text) OR (observed_at IS NOT NULL))),
  CONSTRAINT submissions_phase_known CHECK ((phase = ANY (ARRAY['accepted'::text, 'uploaded'::text, 'submitted'::text, 'ended'::text, 'cleared'::text]))),
  CONSTRAINT submissions_remote_job_known CHECK (((phase <> ALL (ARRAY['uploaded'::text, 'submitted'::text])) OR ((username IS NOT NULL) AND (task_count IS NOT NULL)))),
  CONSTRAINT submissions_request_known CHECK (((phase = 'cleared'::text) OR ((user_id IS NOT NULL) AND (cluster_name IS NOT NULL) AND (options IS NOT NULL))))
);
CREATE UNIQUE INDEX clusters_name_key ON public.clusters USING btree (name);
CREATE INDEX submissions_cleared ON public.submissions USING btree (cleared_at) WHERE (phase = 'cleared'::text);
CREATE INDEX submissions_due ON public.submissions USING btree (cluster_name, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX submissions_observed ON public.submissions USING btree (cluster_name, user_id, observed_at) WHERE (phase = 'submitted'::text);
