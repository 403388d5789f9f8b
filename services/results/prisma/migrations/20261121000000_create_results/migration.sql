-- Everything a job was given and everything it gave; all of it hangs on the row in "jobs" and goes with it.
--
-- What is small lies in the row that it belongs to, what is large in the blocks of a blob. Blocks are written while their upload
-- comes in, and the row that they belong to at its end, under the lock of the job's row: that lock is held for milliseconds, not
-- for as long as an upload takes. Hence the deferred foreign keys of blocks.

CREATE TABLE "jobs" (
    "job_id" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "input_kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "documents" JSON NOT NULL,
    "notes" JSON,
    "content" BYTEA,
    "blob_id" BIGINT,
    "content_bytes" BIGINT NOT NULL,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("job_id"),
    CONSTRAINT "jobs_input_kind_check" CHECK ("input_kind" IN ('editor', 'files')),
    CONSTRAINT "jobs_content_check" CHECK (("content" IS NULL) <> ("blob_id" IS NULL))
);

CREATE TABLE "blobs" (
    "blob_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL,
    "object_group" TEXT,

    CONSTRAINT "blobs_pkey" PRIMARY KEY ("blob_id")
);

CREATE TABLE "blocks" (
    "blob_id" BIGINT NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "blocks_pkey" PRIMARY KEY ("blob_id","start_byte")
);

-- Blocks in which PostgreSQL would find little to compress, as they are: looking through them takes longer than storing them. A
-- child of the table of all blocks: whoever reads or deletes "blocks" finds these as well. Keys are not inherited.
CREATE TABLE "incompressible_blocks" (
    CONSTRAINT "incompressible_blocks_pkey" PRIMARY KEY ("blob_id","start_byte")
) INHERITS ("blocks");

ALTER TABLE "incompressible_blocks" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE TABLE "blob_objects" (
    "blob_id" BIGINT NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "size_bytes" INTEGER NOT NULL,

    CONSTRAINT "blob_objects_pkey" PRIMARY KEY ("blob_id","start_byte")
);

CREATE TABLE "object_groups" (
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "object_groups_pkey" PRIMARY KEY ("name")
);

CREATE TABLE "page_sets" (
    "job_id" TEXT NOT NULL,
    "set_hash" BYTEA NOT NULL,
    "estimator_indexes" INTEGER[],
    "page_numbers" INTEGER[],
    "page_bytes" BIGINT[],

    CONSTRAINT "page_sets_pkey" PRIMARY KEY ("job_id","set_hash")
);

CREATE TABLE "job_page_headers" (
    "job_id" TEXT NOT NULL,
    "estimator_index" INTEGER NOT NULL,
    "page_number" INTEGER NOT NULL,
    "estimator_name" TEXT NOT NULL,
    "page_name" TEXT NOT NULL,
    "sizes" INTEGER[],
    "header_hash" BYTEA NOT NULL,
    "header" JSON NOT NULL,

    CONSTRAINT "job_page_headers_pkey" PRIMARY KEY ("job_id","estimator_index","page_number")
);

CREATE TABLE "task_outputs" (
    "output_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "primaries" BIGINT NOT NULL,
    "batches" INTEGER NOT NULL,
    "engine" TEXT NOT NULL,
    "counters" JSONB NOT NULL,
    "warnings" JSONB NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "set_hash" BYTEA NOT NULL,
    "page_bytes" BIGINT[],
    "has_remainders" BOOLEAN NOT NULL,
    "content" BYTEA,
    "blob_id" BIGINT,

    CONSTRAINT "task_outputs_pkey" PRIMARY KEY ("output_id"),
    CONSTRAINT "task_outputs_counts_check" CHECK ("primaries" >= 0 AND "batches" >= 0),
    CONSTRAINT "task_outputs_content_check" CHECK (("content" IS NULL) <> ("blob_id" IS NULL))
);

CREATE TABLE "final_results" (
    "result_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "primaries" BIGINT NOT NULL,
    "task_count" INTEGER NOT NULL,
    "is_partial" BOOLEAN NOT NULL,
    "engine" TEXT NOT NULL,
    "warnings" JSONB NOT NULL,
    "version" TEXT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "pages" JSON NOT NULL,
    "content" BYTEA,
    "blob_id" BIGINT,
    "merge_number" INTEGER NOT NULL,

    CONSTRAINT "final_results_pkey" PRIMARY KEY ("result_id"),
    CONSTRAINT "final_results_content_check" CHECK (("content" IS NULL) <> ("blob_id" IS NULL))
);

CREATE TABLE "task_logs" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "name" TEXT,
    "attempt_id" TEXT NOT NULL,
    "received_bytes" BIGINT NOT NULL DEFAULT 0,
    "earlier_attempts" TEXT[] NOT NULL DEFAULT '{}',
    "total_bytes" BIGINT NOT NULL DEFAULT 0,
    "is_at_line_start" BOOLEAN NOT NULL DEFAULT true,
    "tail" BYTEA NOT NULL DEFAULT '',

    CONSTRAINT "task_logs_pkey" PRIMARY KEY ("job_id","task_id"),
    CONSTRAINT "task_logs_name_check" CHECK (("name" IS NOT NULL) = ("task_id" < 0))
);

CREATE TABLE "log_chunks" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "text_bytes" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "log_chunks_pkey" PRIMARY KEY ("job_id","task_id","start_byte")
);

CREATE INDEX "jobs_owner_id_idx" ON "jobs"("owner_id");
CREATE INDEX "blobs_job_id_idx" ON "blobs"("job_id");
CREATE UNIQUE INDEX "blobs_object_group_key" ON "blobs"("object_group");
CREATE UNIQUE INDEX "task_outputs_job_id_task_id_key" ON "task_outputs"("job_id", "task_id");
CREATE UNIQUE INDEX "final_results_job_id_key" ON "final_results"("job_id");
CREATE UNIQUE INDEX "task_logs_job_id_name_key" ON "task_logs"("job_id", "name");

ALTER TABLE "blobs" ADD CONSTRAINT "blobs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "blocks" ADD CONSTRAINT "blocks_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("blob_id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "incompressible_blocks" ADD CONSTRAINT "incompressible_blocks_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("blob_id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "blob_objects" ADD CONSTRAINT "blob_objects_blob_id_fkey" FOREIGN KEY ("blob_id") REFERENCES "blobs"("blob_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "page_sets" ADD CONSTRAINT "page_sets_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "job_page_headers" ADD CONSTRAINT "job_page_headers_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_job_id_set_hash_fkey" FOREIGN KEY ("job_id", "set_hash") REFERENCES "page_sets"("job_id", "set_hash") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "final_results" ADD CONSTRAINT "final_results_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "task_logs" ADD CONSTRAINT "task_logs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "log_chunks" ADD CONSTRAINT "log_chunks_job_id_task_id_fkey" FOREIGN KEY ("job_id", "task_id") REFERENCES "task_logs"("job_id", "task_id") ON DELETE CASCADE ON UPDATE NO ACTION;
