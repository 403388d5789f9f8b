-- What is small lies in the row that it belongs to, what is large in blocks of one table, whatever it is. The release that
-- brings these tables knows nothing of the earlier ones. Until all copies of the release before are gone, triggers keep both
-- in step: what a copy of either release stores, copies of the other can read. The next migration drops the earlier tables.
-- The exception are final results: new ones are numbers and earlier ones texts. A copy of the release before merges what the
-- task outputs give instead of new ones; earlier ones stay where they are.

-- CreateTable
CREATE TABLE "blobs" (
    "blob_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("blob_id")
);

-- CreateTable
CREATE TABLE "blocks" (
    "blob_id" BIGINT NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("blob_id","start_byte")
);

-- CreateTable
CREATE TABLE "page_sets" (
    "job_id" TEXT NOT NULL,
    "set_hash" BYTEA NOT NULL,
    "estimator_indexes" INTEGER[],
    "page_numbers" INTEGER[],
    "page_bytes" BIGINT[],

    CONSTRAINT "page_sets_pkey" PRIMARY KEY ("job_id","set_hash")
);

-- CreateTable
CREATE TABLE "final_results" (
    "result_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "primaries" BIGINT NOT NULL,
    "task_count" INTEGER NOT NULL,
    "is_partial" BOOLEAN NOT NULL,
    "engine" TEXT NOT NULL,
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "version" TEXT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "pages" JSON NOT NULL,
    "content" BYTEA,
    "blob_id" BIGINT,

    CONSTRAINT "final_results_pkey" PRIMARY KEY ("result_id"),
    CONSTRAINT "final_results_content_check" CHECK (("content" IS NULL) <> ("blob_id" IS NULL))
);

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN "documents" JSON, ADD COLUMN "content" BYTEA, ADD COLUMN "blob_id" BIGINT,
    ADD COLUMN "content_bytes" BIGINT;

-- AlterTable
ALTER TABLE "task_outputs" ADD COLUMN "set_hash" BYTEA, ADD COLUMN "page_bytes" BIGINT[], ADD COLUMN "content" BYTEA,
    ADD COLUMN "blob_id" BIGINT;

-- AlterTable
ALTER TABLE "task_logs" ADD COLUMN "received_bytes" BIGINT NOT NULL DEFAULT 0,
    ADD COLUMN "earlier_attempts" TEXT[] NOT NULL DEFAULT '{}', ADD COLUMN "tail" BYTEA NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "log_chunks" ADD COLUMN "text_bytes" INTEGER;

-- CreateIndex
CREATE INDEX "blobs_job_id_idx" ON "blobs"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "final_results_job_id_key" ON "final_results"("job_id");

-- AddForeignKey
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey: blocks are written while their upload comes in, and the blob with the row that they belong to
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("blob_id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "page_sets" ADD CONSTRAINT "page_sets_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "final_results" ADD CONSTRAINT "final_results_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_job_id_set_hash_fkey" FOREIGN KEY ("job_id", "set_hash") REFERENCES "page_sets"("job_id", "set_hash") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Inputs. Earlier: a row for each document, and its gzip member in blocks of 256 KiB.

CREATE FUNCTION convert_input(converted TEXT) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

-- Bytes of a content from `first` on, `size` of them.
CREATE FUNCTION part_of_content(content BYTEA, blob BIGINT, first BIGINT, size BIGINT) RETURNS BYTEA LANGUAGE sql AS $$
    SELECT CASE WHEN blob IS NULL THEN substring(content FROM first::int + 1 FOR size::int) ELSE (
        SELECT string_agg(substring(block.content FROM greatest(first - start_byte, 0)::int + 1
            FOR (least(first + size - start_byte, length(block.content)) - greatest(first - start_byte, 0))::int), ''
            ORDER BY start_byte)
        FROM blocks AS block
        WHERE blob_id = blob AND start_byte > first - 262144 AND start_byte < first + size
            AND start_byte + length(block.content) > first) END
$$;

CREATE FUNCTION mirror_input(job jobs) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION keep_inputs_in_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.documents IS NULL THEN PERFORM convert_input(NEW.job_id); ELSE PERFORM mirror_input(NEW); END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER jobs_keep_in_step AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION keep_inputs_in_step();

-- Outputs of tasks. Earlier: a row for each page, and its arrays in blocks of 256 KiB.

CREATE FUNCTION convert_output(converted BIGINT) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION mirror_output(output task_outputs) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;

CREATE FUNCTION keep_outputs_in_step() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE FUNCTION drop_replaced_pages() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM task_pages WHERE output_id = OLD.output_id;
    RETURN NEW;
END $$;
CREATE TRIGGER task_outputs_drop_replaced_pages BEFORE UPDATE ON task_outputs
    FOR EACH ROW WHEN (NEW.output_id <> OLD.output_id) EXECUTE FUNCTION drop_replaced_pages();
CREATE CONSTRAINT TRIGGER task_outputs_keep_in_step AFTER INSERT OR UPDATE OR DELETE ON task_outputs
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_outputs_in_step();

-- Results that a copy of the release before stores replace new ones.

CREATE FUNCTION replace_final_results() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM blobs USING final_results AS replaced
        WHERE replaced.job_id = NEW.job_id AND blobs.blob_id = replaced.blob_id;
    DELETE FROM final_results WHERE job_id = NEW.job_id;
    RETURN NULL;
END $$;
CREATE TRIGGER results_replace_final AFTER INSERT ON results FOR EACH ROW EXECUTE FUNCTION replace_final_results();

-- Logs. Earlier: a row for each attempt with what has come in of it, no tail, chunks of plain text. A copy of the release
-- before shows of a new log neither its tail nor text in gzip members; nothing of either is lost.

-- Only this release names received_bytes in its updates.
CREATE FUNCTION note_log_writer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('results.log_writer', 'this release', true);
    RETURN NEW;
END $$;
CREATE TRIGGER a_note_log_writer BEFORE UPDATE OF received_bytes ON task_logs
    FOR EACH ROW EXECUTE FUNCTION note_log_writer();

CREATE FUNCTION keep_logs_in_step() RETURNS trigger LANGUAGE plpgsql AS $$
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
END $$;
CREATE TRIGGER b_keep_logs_in_step BEFORE UPDATE ON task_logs FOR EACH ROW EXECUTE FUNCTION keep_logs_in_step();

CREATE FUNCTION mirror_attempts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM log_attempts WHERE job_id = NEW.job_id AND task_id = NEW.task_id
        AND attempt_id <> ALL (NEW.earlier_attempts || NEW.attempt_id);
    INSERT INTO log_attempts (job_id, task_id, attempt_id, received_bytes)
    SELECT NEW.job_id, NEW.task_id, attempt_id, CASE WHEN attempt_id = NEW.attempt_id THEN NEW.received_bytes ELSE 0 END
    FROM unnest(NEW.earlier_attempts || NEW.attempt_id) AS attempt_id WHERE attempt_id <> ''
    ON CONFLICT (job_id, task_id, attempt_id) DO UPDATE SET received_bytes = excluded.received_bytes
    WHERE excluded.attempt_id = NEW.attempt_id;
    RETURN NULL;
END $$;
CREATE TRIGGER task_logs_mirror_attempts AFTER INSERT OR UPDATE ON task_logs FOR EACH ROW
    WHEN (NEW.received_bytes > 0 OR NEW.earlier_attempts <> '{}') EXECUTE FUNCTION mirror_attempts();

CREATE FUNCTION keep_chunks_in_step() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- where a text cannot be added to a chunk, the release before makes a new one
    IF TG_OP = 'UPDATE' AND (length(OLD.content) <> OLD.text_bytes OR EXISTS (
        SELECT 1 FROM task_logs WHERE job_id = OLD.job_id AND task_id = OLD.task_id AND tail <> ''
    )) THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' OR NEW.text_bytes IS NULL THEN NEW.text_bytes = length(NEW.content); END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER log_chunks_keep_in_step BEFORE INSERT OR UPDATE ON log_chunks FOR EACH ROW EXECUTE FUNCTION keep_chunks_in_step();

-- What there is
SELECT convert_input(job_id) FROM jobs;
SELECT convert_output(output_id) FROM task_outputs;
ALTER TABLE log_chunks DISABLE TRIGGER log_chunks_keep_in_step;
UPDATE log_chunks SET text_bytes = length(content);
ALTER TABLE log_chunks ENABLE TRIGGER log_chunks_keep_in_step;
ALTER TABLE task_logs DISABLE TRIGGER USER;
UPDATE task_logs AS log SET
    received_bytes = coalesce((SELECT attempt.received_bytes FROM log_attempts AS attempt
        WHERE attempt.job_id = log.job_id AND attempt.task_id = log.task_id AND attempt.attempt_id = log.attempt_id), 0),
    earlier_attempts = ARRAY(SELECT attempt.attempt_id FROM log_attempts AS attempt
        WHERE attempt.job_id = log.job_id AND attempt.task_id = log.task_id AND attempt.attempt_id <> log.attempt_id);
ALTER TABLE task_logs ENABLE TRIGGER USER;
