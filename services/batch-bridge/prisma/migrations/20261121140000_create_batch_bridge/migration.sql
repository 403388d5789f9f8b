CREATE TABLE "clusters" (
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "position" INTEGER,
    "check_started_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "unavailability" TEXT,
    "lease_holder" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "clusters_pkey" PRIMARY KEY ("name"),
    CONSTRAINT "clusters_unavailability_known" CHECK ("unavailability" IN ('HOST_KEY_CHANGED', 'CLUSTER_UNREACHABLE')),
    CONSTRAINT "clusters_unavailability_was_found" CHECK ("unavailability" IS NULL OR "checked_at" IS NOT NULL),
    CONSTRAINT "clusters_lease_whole" CHECK (("lease_holder" IS NULL) = ("lease_expires_at" IS NULL))
);

CREATE TABLE "submissions" (
    "job_id" TEXT NOT NULL,
    "user_id" BIGINT,
    "cluster_name" TEXT,
    "options" JSONB,
    "job_spec" JSONB,
    "request_id" TEXT,
    "traceparent" TEXT,
    "phase" TEXT NOT NULL,
    "desired" TEXT NOT NULL,
    "first_task" INTEGER NOT NULL DEFAULT 1,
    "last_task" INTEGER NOT NULL DEFAULT 0,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "waiting_reason" TEXT NOT NULL DEFAULT '',
    "log" TEXT NOT NULL DEFAULT '',
    "username" TEXT,
    "task_count" INTEGER,
    "observed_at" TIMESTAMPTZ(3),
    "cancel_sent_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "end_message" TEXT,
    "is_end_reported" BOOLEAN NOT NULL DEFAULT false,
    "cleared_at" TIMESTAMPTZ(3),

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("job_id"),
    CONSTRAINT "submissions_phase_known" CHECK ("phase" IN ('accepted', 'uploaded', 'submitted', 'ended', 'cleared')),
    CONSTRAINT "submissions_desired_known" CHECK ("desired" IN ('run', 'canceled', 'deleted')),
    -- a revocation has no request, and is cleared
    CONSTRAINT "submissions_request_known" CHECK ("phase" = 'cleared' OR ("user_id" IS NOT NULL AND "cluster_name" IS NOT NULL AND "options" IS NOT NULL)),
    CONSTRAINT "submissions_remote_job_known" CHECK ("phase" NOT IN ('uploaded', 'submitted') OR ("username" IS NOT NULL AND "task_count" IS NOT NULL)),
    CONSTRAINT "submissions_observed_at_known" CHECK ("phase" <> 'submitted' OR "observed_at" IS NOT NULL),
    CONSTRAINT "submissions_end_known" CHECK ("phase" <> 'ended' OR ("ended_at" IS NOT NULL AND "end_message" IS NOT NULL)),
    CONSTRAINT "submissions_cleared_at_known" CHECK (("phase" = 'cleared') = ("cleared_at" IS NOT NULL))
);

-- the worker of a cluster asks every second
CREATE INDEX "submissions_due" ON "submissions"("cluster_name", "due_at") WHERE "due_at" IS NOT NULL;
CREATE INDEX "submissions_observed" ON "submissions"("cluster_name", "user_id", "observed_at") WHERE "phase" = 'submitted';
CREATE INDEX "submissions_cleared" ON "submissions"("cleared_at") WHERE "phase" = 'cleared';

CREATE TABLE "scheduler_jobs" (
    "job_id" TEXT NOT NULL,
    "ordinal" INTEGER NOT NULL,
    "first_task" INTEGER NOT NULL,
    "task_count" INTEGER NOT NULL,
    "attempted_at" TIMESTAMPTZ(3),
    "scheduler_job_id" TEXT,
    "known_at" TIMESTAMPTZ(3),
    "is_lost" BOOLEAN NOT NULL DEFAULT false,
    "end_description" TEXT,

    CONSTRAINT "scheduler_jobs_pkey" PRIMARY KEY ("job_id", "ordinal"),
    CONSTRAINT "scheduler_jobs_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "submissions"("job_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scheduler_jobs_id_is_number" CHECK ("scheduler_job_id" ~ '^[0-9]+$'),
    CONSTRAINT "scheduler_jobs_known_since" CHECK (("scheduler_job_id" IS NULL) = ("known_at" IS NULL)),
    -- no id without a call that could have given it
    CONSTRAINT "scheduler_jobs_attempted" CHECK ("scheduler_job_id" IS NULL OR "attempted_at" IS NOT NULL),
    CONSTRAINT "scheduler_jobs_lost_or_ended" CHECK (NOT "is_lost" OR "end_description" IS NULL),
    CONSTRAINT "scheduler_jobs_end_has_id" CHECK ("scheduler_job_id" IS NOT NULL OR (NOT "is_lost" AND "end_description" IS NULL)),
    CONSTRAINT "scheduler_jobs_collect_has_no_tasks" CHECK (("ordinal" <= 0) = ("task_count" = 0))
);

CREATE TABLE "submission_tasks" (
    "job_id" TEXT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "reported" TEXT NOT NULL,
    "end_outcome" TEXT,
    "end_description" TEXT,
    "end_observed_at" TIMESTAMPTZ(3),
    "absent_since" TIMESTAMPTZ(3),
    "stuck_since" TIMESTAMPTZ(3),
    "has_end_file" BOOLEAN NOT NULL,
    "log_bytes" BIGINT NOT NULL,
    "is_output_stored" BOOLEAN NOT NULL,
    "is_tail_stored" BOOLEAN NOT NULL,
    "progress_at" TIMESTAMPTZ(3),

    CONSTRAINT "submission_tasks_pkey" PRIMARY KEY ("job_id", "task_id"),
    CONSTRAINT "submission_tasks_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "submissions"("job_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "submission_tasks_reported_known" CHECK ("reported" IN ('nothing', 'running', 'ended')),
    CONSTRAINT "submission_tasks_outcome_known" CHECK ("end_outcome" IN ('completed', 'failed', 'canceled', 'lost')),
    CONSTRAINT "submission_tasks_end_whole" CHECK (("end_outcome" IS NULL) = ("end_description" IS NULL) AND ("end_outcome" IS NULL) = ("end_observed_at" IS NULL)),
    CONSTRAINT "submission_tasks_log_from_the_beginning" CHECK ("log_bytes" >= 0)
);
