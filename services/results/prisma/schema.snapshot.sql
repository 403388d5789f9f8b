-- What the migrations beside this file amount to. Made by tools/schema-snapshot.mjs; not for execution, do not edit.

CREATE TABLE blobs (
  blob_id bigint NOT NULL DEFAULT nextval('blobs_blob_id_seq'::regclass),
  job_id text NOT NULL,
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
  warnings jsonb NOT NULL DEFAULT '[]'::jsonb,
  version text NOT NULL,
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  pages json NOT NULL,
  content bytea,
  blob_id bigint,
  CONSTRAINT final_results_pkey PRIMARY KEY (result_id),
  CONSTRAINT final_results_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT final_results_content_check CHECK (((content IS NULL) <> (blob_id IS NULL)))
);
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
  CONSTRAINT input_documents_role_check CHECK ((role = ANY (ARRAY['submitted'::text, 'deck'::text, 'simulatorDeck'::text])))
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
  documents json,
  content bytea,
  blob_id bigint,
  content_bytes bigint,
  notes json,
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
  text_bytes integer,
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
CREATE TABLE page_sets (
  job_id text NOT NULL,
  set_hash bytea NOT NULL,
  estimator_indexes integer[],
  page_numbers integer[],
  page_bytes bigint[],
  CONSTRAINT page_sets_pkey PRIMARY KEY (job_id, set_hash),
  CONSTRAINT page_sets_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE
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
  received_bytes bigint NOT NULL DEFAULT 0,
  earlier_attempts text[] NOT NULL DEFAULT '{}'::text[],
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
  stored_at timestamp(3) with time zone NOT NULL DEFAULT CURRENT_TIMESTAMP,
  warnings jsonb NOT NULL DEFAULT '[]'::jsonb,
  set_hash bytea,
  page_bytes bigint[],
  content bytea,
  blob_id bigint,
  CONSTRAINT task_outputs_pkey PRIMARY KEY (output_id),
  CONSTRAINT task_outputs_job_id_fkey FOREIGN KEY (job_id) REFERENCES jobs(job_id) ON DELETE CASCADE,
  CONSTRAINT task_outputs_job_id_set_hash_fkey FOREIGN KEY (job_id, set_hash) REFERENCES page_sets(job_id, set_hash) ON DELETE CASCADE,
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
CREATE INDEX blobs_job_id_idx ON public.blobs USING btree (job_id);
CREATE UNIQUE INDEX final_results_job_id_key ON public.final_results USING btree (job_id);
CREATE UNIQUE INDEX input_documents_job_id_role_name_key ON public.input_documents USING btree (job_id, role, name);
CREATE UNIQUE INDEX pages_result_id_estimator_index_page_number_key ON public.pages USING btree (result_id, estimator_index, page_number);
CREATE UNIQUE INDEX results_job_id_key ON public.results USING btree (job_id);
CREATE UNIQUE INDEX task_logs_job_id_name_key ON public.task_logs USING btree (job_id, name);
CREATE UNIQUE INDEX task_outputs_job_id_task_id_key ON public.task_outputs USING btree (job_id, task_id);
CREATE UNIQUE INDEX task_pages_output_id_estimator_index_page_number_key ON public.task_pages USING btree (output_id, estimator_index, page_number);
CREATE OR REPLACE FUNCTION public.convert_input(converted text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    total BIGINT := (SELECT coalesce(sum(size_bytes), 0) FROM input_documents WHERE job_id = converted);
    blob BIGINT;
BEGIN
    IF total > 262144 THEN
        INSERT INTO blobs (job_id) VALUES (converted) RETURNING blob_id INTO blob;
        INSERT INTO blocks (blob_id, start_byte, content)
        SELECT blob, start + block.position * 262144::bigint, content
        FROM (SELECT document_id, sum(size_bytes) OVER (ORDER BY position) - size_bytes AS start
              FROM input_documents WHERE job_id = converted) AS document JOIN input_blocks AS block USING (document_id);
    END IF;
    UPDATE jobs SET
        -- the last four bytes of a gzip member are the length of what it holds, little-endian (RFC 1952, 2.3.1)
        documents = (
            SELECT coalesce(json_agg(json_build_object('role', role, 'name', name, 'gzipBytes', size_bytes, 'sizeBytes', (
                SELECT get_byte(ending, 0) + get_byte(ending, 1) * 256 + get_byte(ending, 2) * 65536
                    + get_byte(ending, 3) * 16777216::bigint
                FROM (SELECT substring(content FROM length(content) - 3) AS ending
                      FROM (SELECT string_agg(content, '' ORDER BY position) AS content
                            FROM (SELECT content, position FROM input_blocks AS block
                                  WHERE block.document_id = document.document_id
                                  ORDER BY position DESC LIMIT 2) AS last_blocks) AS last_bytes) AS length_bytes
            )) ORDER BY position), '[]')
            FROM input_documents AS document WHERE job_id = converted),
        content = CASE WHEN blob IS NULL THEN (
            SELECT coalesce(string_agg(content, '' ORDER BY document.position, block.position), '')
            FROM input_documents AS document JOIN input_blocks AS block USING (document_id) WHERE job_id = converted) END,
        blob_id = blob,
        content_bytes = total
    WHERE job_id = converted;
END $function$;
CREATE OR REPLACE FUNCTION public.convert_output(converted bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    job TEXT := (SELECT job_id FROM task_outputs WHERE output_id = converted);
    -- a name for these pages; outputs of the next release have another one for the same
    hash BYTEA := (
        SELECT sha256(coalesce(string_agg(header_hash, '' ORDER BY page_id), ''))
        FROM task_pages JOIN job_page_headers AS header USING (estimator_index, page_number)
        WHERE output_id = converted AND header.job_id = job);
    blob BIGINT;
BEGIN
    IF job IS NULL THEN RETURN; END IF; -- replaced before the end of its transaction
    INSERT INTO page_sets (job_id, set_hash, estimator_indexes, page_numbers, page_bytes)
    SELECT job, hash, array_agg(estimator_index ORDER BY page_id), array_agg(page_number ORDER BY page_id),
        array_agg(CASE WHEN header.header->>'kind' = 'list' THEN 0 ELSE size_bytes END ORDER BY page_id)
    FROM task_pages JOIN job_page_headers AS header USING (estimator_index, page_number)
    WHERE output_id = converted AND header.job_id = job
    ON CONFLICT DO NOTHING;
    INSERT INTO blobs (job_id) VALUES (job) RETURNING blob_id INTO blob;
    INSERT INTO blocks (blob_id, start_byte, content)
    SELECT blob, start + block.position * 262144::bigint, content
    FROM (SELECT page_id, sum(size_bytes) OVER (ORDER BY page_id) - size_bytes AS start
          FROM task_pages WHERE output_id = converted) AS page JOIN task_page_blocks AS block USING (page_id);
    UPDATE task_outputs SET set_hash = hash, blob_id = blob, page_bytes = (
        SELECT CASE WHEN bool_or(header.header->>'kind' = 'list') THEN array_agg(size_bytes ORDER BY page_id) END
        FROM task_pages JOIN job_page_headers AS header USING (estimator_index, page_number)
        WHERE output_id = converted AND header.job_id = job)
    WHERE output_id = converted;
END $function$;
CREATE OR REPLACE FUNCTION public.drop_replaced_pages()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM task_pages WHERE output_id = OLD.output_id;
    RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION public.keep_chunks_in_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    -- where a text cannot be added to a chunk, the release before makes a new one
    IF TG_OP = 'UPDATE' AND (length(OLD.content) <> OLD.text_bytes OR EXISTS (
        SELECT 1 FROM task_logs WHERE job_id = OLD.job_id AND task_id = OLD.task_id AND tail <> ''
    )) THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' OR NEW.text_bytes IS NULL THEN NEW.text_bytes = length(NEW.content); END IF;
    RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION public.keep_inputs_in_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF NEW.documents IS NULL THEN PERFORM convert_input(NEW.job_id); ELSE PERFORM mirror_input(NEW); END IF;
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.keep_logs_in_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF current_setting('results.log_writer', true) = 'this release' THEN
        PERFORM set_config('results.log_writer', '', true);
    ELSE
        IF NEW.total_bytes > OLD.total_bytes AND OLD.tail <> '' THEN
            INSERT INTO log_chunks (job_id, task_id, start_byte, text_bytes, content)
            VALUES (OLD.job_id, OLD.task_id, OLD.total_bytes - length(OLD.tail), length(OLD.tail), OLD.tail);
        END IF;
        NEW.tail = '';
        NEW.received_bytes = coalesce((SELECT received_bytes FROM log_attempts AS attempt
            WHERE attempt.job_id = NEW.job_id AND attempt.task_id = NEW.task_id AND attempt.attempt_id = NEW.attempt_id), 0);
        NEW.earlier_attempts = ARRAY(SELECT attempt_id FROM log_attempts AS attempt
            WHERE attempt.job_id = NEW.job_id AND attempt.task_id = NEW.task_id AND attempt.attempt_id <> NEW.attempt_id);
    END IF;
    RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION public.keep_outputs_in_step()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM blobs WHERE blob_id = OLD.blob_id;
        RETURN NULL;
    END IF;
    IF TG_OP = 'UPDATE' AND NEW.output_id = OLD.output_id THEN RETURN NULL; END IF; -- that was convert_output
    IF NEW.set_hash IS NULL THEN PERFORM convert_output(NEW.output_id);
    ELSIF EXISTS (SELECT 1 FROM task_outputs WHERE output_id = NEW.output_id) THEN PERFORM mirror_output(NEW);
    END IF;
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.mirror_attempts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM log_attempts WHERE job_id = NEW.job_id AND task_id = NEW.task_id
        AND attempt_id <> ALL (NEW.earlier_attempts || NEW.attempt_id);
    INSERT INTO log_attempts (job_id, task_id, attempt_id, received_bytes)
    SELECT NEW.job_id, NEW.task_id, attempt_id, CASE WHEN attempt_id = NEW.attempt_id THEN NEW.received_bytes ELSE 0 END
    FROM unnest(NEW.earlier_attempts || NEW.attempt_id) AS attempt_id WHERE attempt_id <> ''
    ON CONFLICT (job_id, task_id, attempt_id) DO UPDATE SET received_bytes = excluded.received_bytes
    WHERE excluded.attempt_id = NEW.attempt_id;
    RETURN NULL;
END $function$;
CREATE OR REPLACE FUNCTION public.mirror_input(job jobs)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    document RECORD;
    added BIGINT;
BEGIN
    FOR document IN
        SELECT item->>'role' AS role, item->>'name' AS name, (item->>'gzipBytes')::bigint AS size, position,
            sum((item->>'gzipBytes')::bigint) OVER (ORDER BY position) - (item->>'gzipBytes')::bigint AS start
        FROM json_array_elements(job.documents) WITH ORDINALITY AS list (item, position)
    LOOP
        INSERT INTO input_documents (job_id, position, role, name, size_bytes)
        VALUES (job.job_id, document.position - 1, document.role, document.name, document.size)
        RETURNING document_id INTO added;
        INSERT INTO input_blocks (document_id, position, content)
        SELECT added, at / 262144, part_of_content(job.content, job.blob_id, (document.start + at)::bigint,
            least(262144, document.size - at))
        FROM generate_series(0, document.size - 1, 262144) AS at;
    END LOOP;
END $function$;
CREATE OR REPLACE FUNCTION public.mirror_output(output task_outputs)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    page RECORD;
    added BIGINT;
BEGIN
    FOR page IN
        SELECT estimator_index, page_number, size, sum(size) OVER (ORDER BY position) - size AS start
        FROM page_sets AS pages, unnest(pages.estimator_indexes, pages.page_numbers,
            coalesce(output.page_bytes, pages.page_bytes)) WITH ORDINALITY AS list (estimator_index, page_number, size, position)
        WHERE pages.job_id = output.job_id AND pages.set_hash = output.set_hash
    LOOP
        INSERT INTO task_pages (output_id, estimator_index, page_number, size_bytes)
        VALUES (output.output_id, page.estimator_index, page.page_number, page.size) RETURNING page_id INTO added;
        INSERT INTO task_page_blocks (page_id, position, content)
        SELECT added, at / 262144, part_of_content(output.content, output.blob_id, (page.start + at)::bigint,
            least(262144, page.size - at))
        FROM generate_series(0, page.size - 1, 262144) AS at;
    END LOOP;
END $function$;
CREATE OR REPLACE FUNCTION public.note_log_writer()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM set_config('results.log_writer', 'this release', true);
    RETURN NEW;
END $function$;
CREATE OR REPLACE FUNCTION public.part_of_content(content bytea, blob bigint, first bigint, size bigint)
 RETURNS bytea
 LANGUAGE sql
AS $function$
    SELECT CASE WHEN blob IS NULL THEN substring(content FROM first::int + 1 FOR size::int) ELSE (
        SELECT string_agg(substring(block.content FROM greatest(first - start_byte, 0)::int + 1
            FOR (least(first + size - start_byte, length(block.content)) - greatest(first - start_byte, 0))::int), ''
            ORDER BY start_byte)
        FROM blocks AS block
        WHERE blob_id = blob AND start_byte > first - 262144 AND start_byte < first + size
            AND start_byte + length(block.content) > first) END
$function$;
CREATE OR REPLACE FUNCTION public.replace_final_results()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM blobs USING final_results AS replaced
        WHERE replaced.job_id = NEW.job_id AND blobs.blob_id = replaced.blob_id;
    DELETE FROM final_results WHERE job_id = NEW.job_id;
    RETURN NULL;
END $function$;
CREATE CONSTRAINT TRIGGER jobs_keep_in_step AFTER INSERT ON public.jobs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_inputs_in_step();
CREATE TRIGGER log_chunks_keep_in_step BEFORE INSERT OR UPDATE ON public.log_chunks FOR EACH ROW EXECUTE FUNCTION keep_chunks_in_step();
CREATE TRIGGER results_replace_final AFTER INSERT ON public.results FOR EACH ROW EXECUTE FUNCTION replace_final_results();
CREATE TRIGGER a_note_log_writer BEFORE UPDATE OF received_bytes ON public.task_logs FOR EACH ROW EXECUTE FUNCTION note_log_writer();
CREATE TRIGGER b_keep_logs_in_step BEFORE UPDATE ON public.task_logs FOR EACH ROW EXECUTE FUNCTION keep_logs_in_step();
CREATE TRIGGER task_logs_mirror_attempts AFTER INSERT OR UPDATE ON public.task_logs FOR EACH ROW WHEN (((new.received_bytes > 0) OR (new.earlier_attempts <> '{}'::text[]))) EXECUTE FUNCTION mirror_attempts();
CREATE TRIGGER task_outputs_drop_replaced_pages BEFORE UPDATE ON public.task_outputs FOR EACH ROW WHEN ((new.output_id <> old.output_id)) EXECUTE FUNCTION drop_replaced_pages();
CREATE CONSTRAINT TRIGGER task_outputs_keep_in_step AFTER INSERT OR DELETE OR UPDATE ON public.task_outputs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_outputs_in_step();
