-- Jobs, their tasks, and what is still to be done for them. The columns are explained in schema.prisma; here stand the reasons for what
-- Prisma's language has no word for: check constraints, partial indexes, storage and the trigger that counts.

CREATE TABLE "jobs" (
    "id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "input_type" TEXT NOT NULL,
    "simulator" TEXT NOT NULL,
    "executable" TEXT,
    "state" TEXT NOT NULL DEFAULT 'UNKNOWN',
    "seed" DECIMAL(20,0) NOT NULL,
    "task_count" INTEGER NOT NULL,
    "primaries_max" BIGINT NOT NULL,
    "task_primaries_max" BIGINT,
    "start_time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "end_time" TIMESTAMPTZ(3),
    "failure" TEXT,
    "merge_id" TEXT,
    "merge_number" INTEGER NOT NULL DEFAULT 0,
    "cluster_name" TEXT,
    "scheduler_options" BYTEA,
    "job_dir" TEXT,
    "array_id" BIGINT,
    "collect_id" BIGINT,
    "waiting_reason" TEXT,
    "stopped_at" TIMESTAMPTZ(3),
    "merged_primaries" BIGINT,
    "extended_at" TIMESTAMPTZ(3),
    "submitted_task_count" INTEGER,
    "extensions" JSONB,
    "convergence" JSON,
    "end_update_hash" TEXT,
    "description" JSON,
    "closed_at" TIMESTAMPTZ(3),
    "request_id" TEXT,
    "traceparent" TEXT,

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id"),
    -- States and kinds are words of the interface; anything else is a fault of the program.
    CONSTRAINT "jobs_words" CHECK (
        "platform" IN ('direct', 'batch')
        AND "input_type" IN ('editor', 'files')
        AND "simulator" IN ('simA', 'simB', 'simC', 'simD')
        AND "state" IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')
        AND "seed" BETWEEN 0 AND 18446744073709551615
    )
);
CREATE UNIQUE INDEX "jobs_job_id_key" ON "jobs"("job_id");
-- Jobs that wait for runners with their executable, or have them.
CREATE INDEX "jobs_by_executable" ON "jobs"("executable")
    WHERE "executable" IS NOT NULL AND "state" IN ('UNKNOWN', 'PENDING', 'RUNNING');
-- The orders in which users list their jobs, all of them and by state.
CREATE INDEX "jobs_by_start_time" ON "jobs"("owner_id", "start_time", "id");
CREATE INDEX "jobs_by_end_time" ON "jobs"("owner_id", "end_time" DESC NULLS LAST, "id" DESC);
CREATE INDEX "jobs_by_state_and_start_time" ON "jobs"("owner_id", "state", "start_time", "id");
CREATE INDEX "jobs_by_state_and_end_time" ON "jobs"("owner_id", "state", "end_time" DESC NULLS LAST, "id" DESC);

CREATE TABLE "job_costs" (
    "job_key" BIGINT NOT NULL,
    "engine" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "start_seconds" DOUBLE PRECISION NOT NULL,
    "primary_seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "job_costs_pkey" PRIMARY KEY ("job_key"),
    CONSTRAINT "job_costs_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "job_costs_engine_job_key_idx" ON "job_costs"("engine", "job_key");
CREATE INDEX "job_costs_fingerprint_idx" ON "job_costs"("fingerprint");

CREATE TABLE "tasks" (
    "id" BIGSERIAL NOT NULL,
    "job_key" BIGINT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'PENDING',
    "requested_primaries" BIGINT NOT NULL DEFAULT 0,
    "simulated_primaries" BIGINT NOT NULL DEFAULT 0,
    "first_history" BIGINT NOT NULL DEFAULT 0,
    "estimated_seconds" INTEGER,
    "start_time" TIMESTAMPTZ(3),
    "end_time" TIMESTAMPTZ(3),
    "last_update_time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "current_attempt_id" TEXT NOT NULL DEFAULT '',
    "failure" TEXT,
    "is_unexplained" BOOLEAN NOT NULL DEFAULT false,
    "progress_event_at" TIMESTAMPTZ(3),
    "end_update_hash" TEXT,
    "has_output" BOOLEAN NOT NULL DEFAULT false,
    "must_finish" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "tasks_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "tasks_words" CHECK (
        "state" IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')
        AND "task_id" >= 1
        AND "requested_primaries" >= 0
        AND "simulated_primaries" >= 0
    )
);
CREATE UNIQUE INDEX "tasks_job_key_task_id_key" ON "tasks"("job_key", "task_id");
-- What a user has open, which submissions and the dispatcher count.
CREATE INDEX "tasks_open" ON "tasks"("job_key", "state") INCLUDE ("requested_primaries") WHERE "state" IN ('PENDING', 'RUNNING');

CREATE TABLE "attempts" (
    "id" TEXT NOT NULL,
    "task_key" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "runner_id" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "attempts_task_key_fkey" FOREIGN KEY ("task_key") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "attempts_words" CHECK (
        ("ended_at" IS NULL) = ("outcome" IS NULL)
        AND ("outcome" IS NULL OR "outcome" IN ('completed', 'failed', 'released', 'lost', 'canceled'))
    )
);
CREATE UNIQUE INDEX "attempts_task_key_number_key" ON "attempts"("task_key", "number");
-- Nobody works twice on one thing: a task has at most one open attempt.
CREATE UNIQUE INDEX "attempts_open" ON "attempts"("task_key") WHERE "ended_at" IS NULL;
-- What the sweeper asks every second.
CREATE INDEX "attempts_leases" ON "attempts"("lease_expires_at") WHERE "ended_at" IS NULL;

CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "job_key" BIGINT NOT NULL,
    "attempt_id" TEXT NOT NULL,
    "published_at" TIMESTAMPTZ(3),
    "publish_count" INTEGER NOT NULL DEFAULT 0,
    "in_flight_until" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "outbox_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "outbox_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "outbox_attempt_id_key" ON "outbox"("attempt_id");
CREATE INDEX "outbox_job_key_idx" ON "outbox"("job_key");
-- The dispatcher takes messages owner by owner, and of an owner job by job.
CREATE INDEX "outbox_owner_id_job_key_id_idx" ON "outbox"("owner_id", "job_key", "id");
-- How full the window is.
CREATE INDEX "outbox_in_flight" ON "outbox"("owner_id", "in_flight_until") WHERE "in_flight_until" IS NOT NULL;

-- What this service owes: no foreign key, because the data of a job is removed after the job.
CREATE TABLE "duties" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "try_count" INTEGER NOT NULL DEFAULT 0,
    "held_until" TIMESTAMPTZ(3),

    CONSTRAINT "duties_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "duties_kinds" CHECK ("kind" IN ('merge', 'remove', 'submit', 'cancel', 'delete'))
);
CREATE UNIQUE INDEX "duties_job_id_kind_key" ON "duties"("job_id", "kind");
CREATE INDEX "duties_next_try_at_idx" ON "duties"("next_try_at");

CREATE TABLE "dispatch_turns" (
    "owner_id" BIGINT NOT NULL,
    "served_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "dispatch_turns_pkey" PRIMARY KEY ("owner_id")
);

CREATE TABLE "idempotency_keys" (
    "owner_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "seed" DECIMAL(20,0) NOT NULL,
    "warnings" JSON NOT NULL,
    "failure" TEXT,
    "answer" JSON,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("owner_id", "key")
);
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

CREATE TABLE "job_counts" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "job_count" BIGINT NOT NULL,

    CONSTRAINT "job_counts_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "job_counts_owner_id_state_idx" ON "job_counts"("owner_id", "state");

-- A row in job_counts for every job that appears, goes or changes its state, written with the change itself.
CREATE FUNCTION "count_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (OLD."owner_id", OLD."state", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (NEW."owner_id", NEW."state", 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "jobs_appear_and_go" AFTER INSERT OR DELETE ON "jobs" FOR EACH ROW EXECUTE FUNCTION "count_job"();
CREATE TRIGGER "jobs_change" AFTER UPDATE OF "state", "owner_id" ON "jobs"
    FOR EACH ROW WHEN (OLD."state" <> NEW."state" OR OLD."owner_id" <> NEW."owner_id")
    EXECUTE FUNCTION "count_job"();

CREATE TABLE "job_events" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "job_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT,
    "task_count" INTEGER,
    "task_id" INTEGER,
    "requested_primaries" BIGINT,
    "simulated_primaries" BIGINT,
    "estimated_seconds" INTEGER,
    "last_update_time" TIMESTAMPTZ(3),
    "start_time" TIMESTAMPTZ(3),
    "end_time" TIMESTAMPTZ(3),
    "failure" TEXT,
    "waiting_reason" TEXT,
    "is_stopped" BOOLEAN NOT NULL DEFAULT false,
    "convergence" JSON,

    CONSTRAINT "job_events_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "job_events_words" CHECK (
        "kind" IN ('job', 'task', 'progress', 'deleted')
        AND ("state" IS NULL) = ("kind" = 'deleted')
        AND ("task_id" IS NOT NULL) = ("kind" IN ('task', 'progress'))
    )
);
CREATE INDEX "job_events_owner_id_id_idx" ON "job_events"("owner_id", "id");
CREATE INDEX "job_events_job_id_idx" ON "job_events"("job_id");
-- Progress is forgotten sooner than the rest.
CREATE INDEX "job_events_progress" ON "job_events"("id") WHERE "kind" = 'progress';

CREATE TABLE "event_floor" (
    "is_only" BOOLEAN NOT NULL DEFAULT true,
    "forgotten_id" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_floor_pkey" PRIMARY KEY ("is_only"),
    CONSTRAINT "event_floor_is_one_row" CHECK ("is_only")
);
INSERT INTO "event_floor" DEFAULT VALUES;

CREATE TABLE "runners" (
    "runner_id" TEXT NOT NULL,
    "executables" TEXT NOT NULL,
    "confinement" TEXT NOT NULL DEFAULT '',
    "is_refusing_files" BOOLEAN NOT NULL DEFAULT false,
    "slot_count" INTEGER NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runners_pkey" PRIMARY KEY ("runner_id")
);

CREATE TABLE "parked_messages" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "job_key" BIGINT NOT NULL,
    "attempt_id" TEXT NOT NULL,

    CONSTRAINT "parked_messages_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "parked_messages_attempt_id_key" ON "parked_messages"("attempt_id");
CREATE INDEX "parked_messages_job_key_idx" ON "parked_messages"("job_key");

CREATE TABLE "simulators" (
    "executable" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulators_pkey" PRIMARY KEY ("executable")
);
