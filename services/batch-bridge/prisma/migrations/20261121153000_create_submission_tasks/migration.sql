-- What was seen of tasks on their cluster, and what others were told of them (domain/task-record.ts). Task 0: the collect job.
CREATE TABLE "submission_tasks" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "told" TEXT NOT NULL,
    "end_outcome" TEXT,
    "end_description" TEXT,
    "end_seen_at" TIMESTAMPTZ(3),
    "absent_since" TIMESTAMPTZ(3),
    "stuck_since" TIMESTAMPTZ(3),
    "has_own_end" BOOLEAN NOT NULL,
    "log_bytes" BIGINT NOT NULL,
    "is_output_stored" BOOLEAN NOT NULL,
    "is_tail_stored" BOOLEAN NOT NULL,
    "progress_at" TIMESTAMPTZ(3),

    CONSTRAINT "submission_tasks_pkey" PRIMARY KEY ("job_id", "task_id"),
    CONSTRAINT "submission_tasks_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "submissions"("job_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "submission_tasks_told_known" CHECK ("told" IN ('nothing', 'running', 'ended')),
    CONSTRAINT "submission_tasks_outcome_known" CHECK ("end_outcome" IN ('completed', 'failed', 'canceled', 'lost')),
    CONSTRAINT "submission_tasks_end_whole" CHECK (("end_outcome" IS NULL) = ("end_description" IS NULL) AND ("end_outcome" IS NULL) = ("end_seen_at" IS NULL)),
    CONSTRAINT "submission_tasks_log_from_the_beginning" CHECK ("log_bytes" >= 0 AND "task_id" >= 0)
);
