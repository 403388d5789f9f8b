-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE input_blocks (
  document_id bigint NOT NULL,
  "position" integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT input_blocks_pkey PRIMARY KEY (document_id, "position"),
  CONSTRAINT input_blocks_document_id_fkey FOREIGN KEY (document_id) REFERENCES input_documents(document_id) ON DELETE CASCADE
);
CREATE TABLE input_documents (
  document_id bigint NOT NULL DEFAULT nextval('input_documents_document_id_seq'::regclass),
  job_id text NOT NULL,
  "position" integer NOT NULL,
  role text NOT NULL,
  name text NOT NULL,
  size_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT input_documents_pkey PRIMARY KEY (document_id),
  CONSTRAINT input_documents_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT input_documents_role_check CHECK ((role = ANY (ARRAY['submitted'::text, 'deck'::text])))
);
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
  CONSTRAINT jobs_pkey PRIMARY KEY (job_id),
  CONSTRAINT jobs_input_kind_check CHECK ((input_kind = ANY (ARRAY['editor'::text, 'files'::text])))
);
CREATE TABLE log_attempts (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  attempt_id text NOT NULL,
  received_bytes bigint NOT NULL,
  CONSTRAINT log_attempts_pkey PRIMARY KEY (job_id, task_id, attempt_id),
  CONSTRAINT log_attempts_job_id_task_id_fkey FOREIGN KEY (job_id, task_id) REFERENCES task_logs(job_id, task_id) ON DELETE CASCADE
);
CREATE TABLE log_chunks (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  start_byte bigint NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT log_chunks_pkey PRIMARY KEY (job_id, task_id, start_byte),
  CONSTRAINT log_chunks_job_id_task_id_fkey FOREIGN KEY (job_id, task_id) REFERENCES task_logs(job_id, task_id) ON DELETE CASCADE
);
CREATE TABLE page_blocks (
  page_id bigint NOT NULL,
  "position" integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT page_blocks_pkey PRIMARY KEY (page_id, "position"),
  CONSTRAINT page_blocks_page_id_fkey FOREIGN KEY (page_id) REFERENCES pages(page_id) ON DELETE CASCADE
);
CREATE TABLE pages (
  page_id bigint NOT NULL DEFAULT nextval('pages_page_id_seq'::regclass),
  result_id bigint NOT NULL,
  estimator_index integer NOT NULL,
  estimator_name text NOT NULL,
  file_name text NOT NULL,
  page_number integer NOT NULL,
  page_name text NOT NULL,
  sizes integer[],
  non_finite_count integer NOT NULL DEFAULT 0,
  size_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT pages_pkey PRIMARY KEY (page_id),
  CONSTRAINT pages_result_id_fkey FOREIGN KEY (result_id) REFERENCES results(result_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE TABLE results (
  result_id bigint NOT NULL DEFAULT nextval('results_result_id_seq'::regclass),
  job_id text NOT NULL,
  primaries bigint NOT NULL,
  task_count integer NOT NULL,
  is_partial boolean NOT NULL,
  engine text NOT NULL,
  version text NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  warnings jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT results_pkey PRIMARY KEY (result_id),
  CONSTRAINT results_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE
);
CREATE TABLE task_logs (
  job_id text NOT NULL,
  task_id integer NOT NULL,
  attempt_id text NOT NULL,
  total_bytes bigint NOT NULL DEFAULT 0,
  is_at_line_start boolean NOT NULL DEFAULT true,
  name text,
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
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  warnings jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT task_outputs_pkey PRIMARY KEY (output_id),
  CONSTRAINT task_outputs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT task_outputs_counts_check CHECK (((primaries >= 0) AND (batches >= 0)))
);
CREATE TABLE task_page_blocks (
  page_id bigint NOT NULL,
  "position" integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT task_page_blocks_pkey PRIMARY KEY (page_id, "position"),
  CONSTRAINT task_page_blocks_page_id_fkey FOREIGN KEY (page_id) REFERENCES task_pages(page_id) ON DELETE CASCADE
);
CREATE TABLE task_pages (
  page_id bigint NOT NULL DEFAULT nextval('task_pages_page_id_seq'::regclass),
  output_id bigint NOT NULL,
  estimator_index integer NOT NULL,
  page_number integer NOT NULL,
  size_bytes bigint NOT NULL DEFAULT 0,
  CONSTRAINT task_pages_pkey PRIMARY KEY (page_id),
  CONSTRAINT task_pages_output_id_fkey FOREIGN KEY (output_id) REFERENCES task_outputs(output_id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);
CREATE UNIQUE INDEX input_documents_job_id_role_name_key ON public.input_documents USING btree (job_id, role, name);
CREATE UNIQUE INDEX pages_result_id_estimator_index_page_number_key ON public.pages USING btree (result_id, estimator_index, page_number);
CREATE UNIQUE INDEX results_job_id_key ON public.results USING btree (job_id);
CREATE UNIQUE INDEX task_logs_job_id_name_key ON public.task_logs USING btree (job_id, name);
CREATE UNIQUE INDEX task_outputs_job_id_task_id_key ON public.task_outputs USING btree (job_id, task_id);
CREATE UNIQUE INDEX task_pages_output_id_estimator_index_page_number_key ON public.task_pages USING btree (output_id, estimator_index, page_number);
