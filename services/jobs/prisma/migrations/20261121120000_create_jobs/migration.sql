-- CreateTable
CREATE TABLE "simulations" (
    "id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "platform" TEXT NOT NULL,
    "input_type" TEXT NOT NULL,
    "simulator" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'UNKNOWN',
    "seed" DECIMAL(20,0) NOT NULL,
    "task_count" INTEGER NOT NULL,
    "start_time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "end_time" TIMESTAMPTZ(3),
    "failure" TEXT,
    "merge_id" TEXT,
    "cluster_id" BIGINT,
    "job_dir" TEXT,
    "array_id" BIGINT,
    "collect_id" BIGINT,

    CONSTRAINT "simulations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" BIGSERIAL NOT NULL,
    "simulation_id" BIGINT NOT NULL,
    "task_id" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'PENDING',
    "requested_primaries" BIGINT NOT NULL DEFAULT 0,
    "simulated_primaries" BIGINT NOT NULL DEFAULT 0,
    "first_history" BIGINT NOT NULL DEFAULT 0,
    "estimated_seconds" INTEGER,
    "start_time" TIMESTAMPTZ(3),
    "end_time" TIMESTAMPTZ(3),
    "last_update_time" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "celery_id" TEXT NOT NULL DEFAULT '',
    "failure" TEXT,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" TEXT NOT NULL,
    "task_key" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "runner_id" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merges" (
    "id" TEXT NOT NULL,
    "simulation_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "runner_id" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,

    CONSTRAINT "merges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "simulation_id" BIGINT NOT NULL,
    "attempt_id" TEXT,
    "merge_id" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "publish_count" INTEGER NOT NULL DEFAULT 0,
    "in_flight_until" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "dispatch_turns" (
    "owner_id" BIGINT NOT NULL,
    "served_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "dispatch_turns_pkey" PRIMARY KEY ("owner_id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "owner_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "seed" DECIMAL(20,0) NOT NULL,
    "warnings" JSON NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("owner_id","key")
);

-- CreateTable
CREATE TABLE "submissions" (
    "job_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "submissions_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "deletions" (
    "job_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "try_count" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "deletions_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "job_counts" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "state" TEXT NOT NULL,
    "job_count" BIGINT NOT NULL,

    CONSTRAINT "job_counts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "simulations_job_id_key" ON "simulations"("job_id");

-- CreateIndex
CREATE INDEX "simulations_by_start_time" ON "simulations"("owner_id", "start_time", "id");

-- CreateIndex
CREATE INDEX "simulations_by_end_time" ON "simulations"("owner_id", "end_time" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE INDEX "simulations_by_state_and_start_time" ON "simulations"("owner_id", "state", "start_time", "id");

-- CreateIndex
CREATE INDEX "simulations_by_state_and_end_time" ON "simulations"("owner_id", "state", "end_time" DESC NULLS LAST, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "tasks_simulation_id_task_id_key" ON "tasks"("simulation_id", "task_id");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_task_key_number_key" ON "attempts"("task_key", "number");

-- CreateIndex
CREATE UNIQUE INDEX "merges_simulation_id_number_key" ON "merges"("simulation_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_attempt_id_key" ON "outbox"("attempt_id");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_merge_id_key" ON "outbox"("merge_id");

-- CreateIndex
CREATE INDEX "outbox_kind_owner_id_id_idx" ON "outbox"("kind", "owner_id", "id");

-- CreateIndex
CREATE INDEX "outbox_simulation_id_idx" ON "outbox"("simulation_id");

-- CreateIndex
CREATE INDEX "idempotency_keys_expires_at_idx" ON "idempotency_keys"("expires_at");

-- CreateIndex
CREATE INDEX "submissions_created_at_idx" ON "submissions"("created_at");

-- CreateIndex
CREATE INDEX "deletions_next_try_at_idx" ON "deletions"("next_try_at");

-- CreateIndex
CREATE INDEX "job_counts_owner_id_state_idx" ON "job_counts"("owner_id", "state");

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_simulation_id_fkey" FOREIGN KEY ("simulation_id") REFERENCES "simulations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_task_key_fkey" FOREIGN KEY ("task_key") REFERENCES "tasks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merges" ADD CONSTRAINT "merges_simulation_id_fkey" FOREIGN KEY ("simulation_id") REFERENCES "simulations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_simulation_id_fkey" FOREIGN KEY ("simulation_id") REFERENCES "simulations"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "attempts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_merge_id_fkey" FOREIGN KEY ("merge_id") REFERENCES "merges"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- States and kinds are words of the interface; anything else is a fault of the program.
ALTER TABLE "simulations" ADD CONSTRAINT "simulations_words" CHECK (
    "platform" IN ('direct', 'batch')
    AND "input_type" IN ('editor', 'files')
    AND "simulator" IN ('simA', 'simB', 'simC', 'simD')
    AND "state" IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')
    AND "seed" BETWEEN 0 AND 18446744073709551615
);
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_words" CHECK (
    "state" IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED')
    AND "task_id" >= 1
    AND "requested_primaries" >= 0
    AND "simulated_primaries" >= 0
);
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_words" CHECK (
    ("ended_at" IS NULL) = ("outcome" IS NULL)
    AND ("outcome" IS NULL OR "outcome" IN ('completed', 'failed', 'released', 'lost', 'canceled'))
);
ALTER TABLE "merges" ADD CONSTRAINT "merges_words" CHECK (
    ("ended_at" IS NULL) = ("outcome" IS NULL)
    AND ("outcome" IS NULL OR "outcome" IN ('completed', 'failed', 'released', 'lost', 'canceled'))
);
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_names_one_thing" CHECK (
    ("kind" = 'task' AND "attempt_id" IS NOT NULL AND "merge_id" IS NULL)
    OR ("kind" = 'merge' AND "merge_id" IS NOT NULL AND "attempt_id" IS NULL)
);

-- Nobody works twice on one thing: a task and a simulation have at most one open attempt each.
CREATE UNIQUE INDEX "attempts_open" ON "attempts"("task_key") WHERE "ended_at" IS NULL;
CREATE UNIQUE INDEX "merges_open" ON "merges"("simulation_id") WHERE "ended_at" IS NULL;

-- What the sweeper asks every second.
CREATE INDEX "attempts_leases" ON "attempts"("lease_expires_at") WHERE "ended_at" IS NULL;
CREATE INDEX "merges_leases" ON "merges"("lease_expires_at") WHERE "ended_at" IS NULL;

-- A row in job_counts for every job that appears, goes or changes its state, written with the change itself.
CREATE FUNCTION "count_simulation"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (OLD."owner_id", OLD."state", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count") VALUES (NEW."owner_id", NEW."state", 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "simulations_appear_and_go" AFTER INSERT OR DELETE ON "simulations"
    FOR EACH ROW EXECUTE FUNCTION "count_simulation"();
CREATE TRIGGER "simulations_change" AFTER UPDATE OF "state", "owner_id" ON "simulations"
    FOR EACH ROW WHEN (OLD."state" <> NEW."state" OR OLD."owner_id" <> NEW."owner_id")
    EXECUTE FUNCTION "count_simulation"();
