-- Pages are written while their upload comes in, and the row that they belong to at its end, under the lock of the job's
-- row: that lock is held for milliseconds, not for as long as an upload takes. Hence the two deferred foreign keys.

-- CreateTable
CREATE TABLE "jobs" (
    "job_id" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "input_kind" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "input_documents" (
    "document_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "input_documents_pkey" PRIMARY KEY ("document_id")
);

-- CreateTable
CREATE TABLE "input_blocks" (
    "document_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "input_blocks_pkey" PRIMARY KEY ("document_id","position")
);

-- CreateTable
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

-- CreateTable
CREATE TABLE "task_outputs" (
    "output_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "primaries" BIGINT NOT NULL,
    "batches" INTEGER NOT NULL,
    "engine" TEXT NOT NULL,
    "counters" JSONB NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "task_outputs_pkey" PRIMARY KEY ("output_id")
);

-- CreateTable
CREATE TABLE "task_pages" (
    "page_id" BIGSERIAL NOT NULL,
    "output_id" BIGINT NOT NULL,
    "estimator_index" INTEGER NOT NULL,
    "page_number" INTEGER NOT NULL,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "task_pages_pkey" PRIMARY KEY ("page_id")
);

-- CreateTable
CREATE TABLE "task_page_blocks" (
    "page_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "task_page_blocks_pkey" PRIMARY KEY ("page_id","position")
);

-- CreateTable
CREATE TABLE "results" (
    "result_id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "primaries" BIGINT NOT NULL,
    "task_count" INTEGER NOT NULL,
    "is_partial" BOOLEAN NOT NULL,
    "engine" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "stored_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "results_pkey" PRIMARY KEY ("result_id")
);

-- CreateTable
CREATE TABLE "pages" (
    "page_id" BIGSERIAL NOT NULL,
    "result_id" BIGINT NOT NULL,
    "estimator_index" INTEGER NOT NULL,
    "estimator_name" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "page_number" INTEGER NOT NULL,
    "page_name" TEXT NOT NULL,
    "sizes" INTEGER[],
    "non_finite_count" INTEGER NOT NULL DEFAULT 0,
    "size_bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "pages_pkey" PRIMARY KEY ("page_id")
);

-- CreateTable
CREATE TABLE "page_blocks" (
    "page_id" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "page_blocks_pkey" PRIMARY KEY ("page_id","position")
);

-- CreateTable
CREATE TABLE "task_logs" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "total_bytes" BIGINT NOT NULL DEFAULT 0,
    "is_at_line_start" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "task_logs_pkey" PRIMARY KEY ("job_id","task_id")
);

-- CreateTable
CREATE TABLE "log_attempts" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "received_bytes" BIGINT NOT NULL,

    CONSTRAINT "log_attempts_pkey" PRIMARY KEY ("job_id","task_id","attempt_id")
);

-- CreateTable
CREATE TABLE "log_chunks" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "start_byte" BIGINT NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "log_chunks_pkey" PRIMARY KEY ("job_id","task_id","start_byte")
);

-- CreateIndex
CREATE UNIQUE INDEX "input_documents_job_id_role_name_key" ON "input_documents"("job_id", "role", "name");

-- CreateIndex
CREATE UNIQUE INDEX "task_outputs_job_id_task_id_key" ON "task_outputs"("job_id", "task_id");

-- CreateIndex
CREATE UNIQUE INDEX "task_pages_output_id_estimator_index_page_number_key" ON "task_pages"("output_id", "estimator_index", "page_number");

-- CreateIndex
CREATE UNIQUE INDEX "results_job_id_key" ON "results"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "pages_result_id_estimator_index_page_number_key" ON "pages"("result_id", "estimator_index", "page_number");

-- AddForeignKey
ALTER TABLE "input_documents" ADD CONSTRAINT "input_documents_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "input_blocks" ADD CONSTRAINT "input_blocks_document_id_fkey" FOREIGN KEY ("document_id") REFERENCES "input_documents"("document_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "job_page_headers" ADD CONSTRAINT "job_page_headers_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task_pages" ADD CONSTRAINT "task_pages_output_id_fkey" FOREIGN KEY ("output_id") REFERENCES "task_outputs"("output_id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "task_page_blocks" ADD CONSTRAINT "task_page_blocks_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "task_pages"("page_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "results" ADD CONSTRAINT "results_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pages" ADD CONSTRAINT "pages_result_id_fkey" FOREIGN KEY ("result_id") REFERENCES "results"("result_id") ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "page_blocks" ADD CONSTRAINT "page_blocks_page_id_fkey" FOREIGN KEY ("page_id") REFERENCES "pages"("page_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "task_logs" ADD CONSTRAINT "task_logs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("job_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "log_attempts" ADD CONSTRAINT "log_attempts_job_id_task_id_fkey" FOREIGN KEY ("job_id", "task_id") REFERENCES "task_logs"("job_id", "task_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "log_chunks" ADD CONSTRAINT "log_chunks_job_id_task_id_fkey" FOREIGN KEY ("job_id", "task_id") REFERENCES "task_logs"("job_id", "task_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What only these values may be
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_input_kind_check" CHECK ("input_kind" IN ('editor', 'files'));
ALTER TABLE "input_documents" ADD CONSTRAINT "input_documents_role_check" CHECK ("role" IN ('submitted', 'deck'));
ALTER TABLE "task_outputs" ADD CONSTRAINT "task_outputs_counts_check" CHECK ("primaries" >= 0 AND "batches" >= 0);

-- gzip members do not shrink further: spare PostgreSQL the attempt
ALTER TABLE "input_blocks" ALTER COLUMN "content" SET STORAGE EXTERNAL;
ALTER TABLE "page_blocks" ALTER COLUMN "content" SET STORAGE EXTERNAL;
