-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE blob_objects (
  blob_id bigint NOT NULL,
  start_byte bigint NOT NULL,
  size_bytes integer NOT NULL,
  CONSTRAINT blob_objects_pkey PRIMARY KEY (blob_id, start_byte),
  CONSTRAINT blob_objects_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(blob_id) ON DELETE CASCADE
);
CREATE TABLE blobs (
  blob_id bigint NOT NULL DEFAULT nextval('blobs_blob_id_seq'::regclass),
  job_id text NOT NULL,
  size_bytes bigint NOT NULL,
  object_group text,
  CONSTRAINT blobs_pkey PRIMARY KEY (blob_id),
  CONSTRAINT blobs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE
);
CREATE TABLE blocks (
  blob_id bigint NOT NULL,
  start_byte bigint NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT blocks_pkey PRIMARY KEY (blob_id, start_byte),
  CONSTRAINT blocks_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(blob_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE final_results (
  result_id bigint NOT NULL DEFAULT nextval('final_results_result_id_seq'::regclass),
  job_id text NOT NULL,
  primaries bigint NOT NULL,
  task_count integer NOT NULL,
  is_partial boolean NOT NULL,
  engine text NOT NULL,
  warnings jsonb NOT NULL,
  version text NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  pages json NOT NULL,
  content bytea,
  blob_id bigint,
  merge_number integer NOT NULL,
  CONSTRAINT final_results_pkey PRIMARY KEY (result_id),
  CONSTRAINT final_results_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT final_results_content_check CHECK (((content IS NULL) <> (blob_id IS NULL)))
);
CREATE TABLE incompressible_blocks (
  blob_id bigint NOT NULL,
  start_byte bigint NOT NULL,
  content bytea STORAGE EXTERNAL NOT NULL,
  CONSTRAINT incompressible_blocks_pkey PRIMARY KEY (blob_id, start_byte),
  CONSTRAINT incompressible_blocks_blob_id_fkey FOREIGN KEY (blob_id) REFERENCES blobs(blob_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
) INHERITS (blocks);
CREATE TABLE job_page_headers (
  job_id text NOT NULL,
  estimator_index integer NOT NULL,
  page_number integer NOT NULL,
  estimator_name text NOT NULL,
  page_name text NOT NULL,
  sizes integer[],
  header_hash bytea NOT NULL,
  header json NOT NULL,
  CONSTRAINT job_page_headers_pkey PRIMARY KEY (job_id, estimator_index, page_number),
  CONSTRAINT job_page_headers_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE
);
CREATE TABLE jobs (
  job_id text NOT NULL,
  owner_id bigint NOT NULL,
  input_kind text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  documents json NOT NULL,
  notes json,
  content bytea,
  blob_id bigint,
  content_bytes bigint NOT NULL,
  CONSTRAINT jobs_pkey PRIMARY KEY (job_id),
  CONSTRAINT jobs_content_check CHECK (((content IS NULL) <> (blob_id IS NULL))),
  CONSTRAINT jobs_input_kind_check CHECK ((input_kind = ANY (ARRAY['editor'::text, 'files'::text])))
);
CREATE TABLE log_chunks (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  start_byte bigint NOT NULL,
  text_bytes integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT log_chunks_pkey PRIMARY KEY (job_id, task_id, start_byte),
  CONSTRAINT log_chunks_job_id_task_id_fkey FOREIGN KEY (job_id, task_id) REFERENCES task_logs(job_id, task_id) ON DELETE CASCADE
);
CREATE TABLE object_groups (
  name text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT object_groups_pkey PRIMARY KEY (name)
);
CREATE TABLE page_sets (
  job_id text NOT NULL,
  set_hash bytea NOT NULL,
  estimator_indexes integer[],
  page_numbers integer[],
  page_bytes bigint[],
  CONSTRAINT page_sets_pkey PRIMARY KEY (job_id, set_hash),
  CONSTRAINT page_sets_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE
);
CREATE TABLE task_logs (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  name text,
  attempt_id text NOT NULL,
  received_bytes bigint NOT NULL DEFAULT 0,
  earlier_attempts text[] NOT NULL DEFAULT '{}'::text[],
  total_bytes bigint NOT NULL DEFAULT 0,
  is_at_line_start boolean NOT NULL DEFAULT true,
  tail bytea NOT NULL DEFAULT '\x'::bytea,
  CONSTRAINT task_logs_pkey PRIMARY KEY (job_id, task_id),
  CONSTRAINT task_logs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT task_logs_name_check CHECK (((name IS NOT NULL) = (task_id < 0)))
);
CREATE TABLE task_outputs (
  output_id bigint NOT NULL DEFAULT nextval('task_outputs_output_id_seq'::regclass),
  job_id text NOT NULL,
  task_id integer NOT NULL,
  attempt_id text NOT NULL,
  primaries bigint NOT NULL,
  batches integer NOT NULL,
  engine text NOT NULL,
  counters jsonb NOT NULL,
  warnings jsonb NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  set_hash bytea NOT NULL,
  page_bytes bigint[],
  has_remainders boolean NOT NULL,
  content bytea,
  blob_id bigint,
  CONSTRAINT task_outputs_pkey PRIMARY KEY (output_id),
  CONSTRAINT task_outputs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT task_outputs_job_id_set_hash_fkey FOREIGN KEY (job_id, set_hash) REFERENCES page_sets(job_id, set_hash) ON DELETE CASCADE,
  CONSTRAINT task_outputs_content_check CHECK (((content IS NULL) <> (blob_id IS NULL))),
  CONSTRAINT task_outputs_counts_check CHECK (((primaries >= 0) AND (batches >= 0)))
);
CREATE INDEX blobs_job_id_idx ON public.blobs USING btree (job_id);
CREATE UNIQUE INDEX blobs_object_group_key ON public.blobs USING btree (object_group);
CREATE UNIQUE INDEX final_results_job_id_key ON public.final_results USING btree (job_id);
CREATE INDEX jobs_owner_id_idx ON public.jobs USING btree (owner_id);
CREATE UNIQUE INDEX task_logs_job_id_name_key ON public.task_logs USING btree (job_id, name);
CREATE UNIQUE INDEX task_outputs_job_id_task_id_key ON public.task_outputs USING btree (job_id, task_id);
