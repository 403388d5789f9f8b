-- Who of the copies of the service works for a cluster.
ALTER TABLE "clusters"
    ADD COLUMN "lease_holder" TEXT,
    ADD COLUMN "lease_expires_at" TIMESTAMPTZ(3);

CREATE TABLE "submissions" (
    "job_id" TEXT NOT NULL,
    "user_id" BIGINT,
    "cluster_name" TEXT,
    "options" JSONB,
    "phase" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3),
    "try_count" INTEGER NOT NULL DEFAULT 0,
    "waiting_reason" TEXT NOT NULL DEFAULT '',
    "log" TEXT NOT NULL DEFAULT '',
    "cancel_requested_at" TIMESTAMPTZ(3),
    "delete_requested_at" TIMESTAMPTZ(3),
    "username" TEXT,
    "task_count" INTEGER,
    "observed_at" TIMESTAMPTZ(3),
    "cancel_sent_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "end_message" TEXT,
    "end_reported_at" TIMESTAMPTZ(3),
    "cleared_at" TIMESTAMPTZ(3),

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("job_id"),
    CONSTRAINT "submissions_phase_known" CHECK ("phase" IN ('accepted', 'uploaded', 'submitted', 'ended', 'cleared')),
    -- what was never asked for is known by an intent only, and does nothing
    CONSTRAINT "submissions_say_what_to_do" CHECK ("phase" = 'cleared' OR ("user_id" IS NOT NULL AND "cluster_name" IS NOT NULL AND "options" IS NOT NULL)),
    CONSTRAINT "submissions_have_a_place" CHECK ("phase" NOT IN ('uploaded', 'submitted') OR ("username" IS NOT NULL AND "task_count" IS NOT NULL)),
    CONSTRAINT "submissions_are_observed" CHECK ("phase" <> 'submitted' OR "observed_at" IS NOT NULL),
    CONSTRAINT "submissions_end_with_a_message" CHECK ("phase" <> 'ended' OR ("ended_at" IS NOT NULL AND "end_message" IS NOT NULL)),
    CONSTRAINT "submissions_are_cleared_once" CHECK (("phase" = 'cleared') = ("cleared_at" IS NOT NULL))
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
    CONSTRAINT "scheduler_jobs_gone_one_way" CHECK (NOT "is_lost" OR "end_description" IS NULL),
    CONSTRAINT "scheduler_jobs_gone_were_known" CHECK ("scheduler_job_id" IS NOT NULL OR (NOT "is_lost" AND "end_description" IS NULL)),
    CONSTRAINT "scheduler_jobs_collect_has_no_tasks" CHECK (("ordinal" = 0) = ("task_count" = 0))
);
