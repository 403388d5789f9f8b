ALTER TABLE "attempts" ADD COLUMN "cpu_ms" DOUBLE PRECISION NOT NULL DEFAULT 0;

CREATE TABLE "usage_entries" (
    "id" BIGSERIAL NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "group_id" TEXT,
    "day" DATE NOT NULL,
    "cluster" TEXT NOT NULL,
    "cpu_ms" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "usage_entries_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "usage_entries_owner_id_day_idx" ON "usage_entries"("owner_id", "day");
CREATE INDEX "usage_entries_by_group" ON "usage_entries"("group_id", "day") WHERE "group_id" IS NOT NULL;

CREATE TABLE "quotas" (
    "kind" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "cpu_seconds_month" DOUBLE PRECISION,
    "stored_bytes" DOUBLE PRECISION,
    "running_tasks" INTEGER,

    CONSTRAINT "quotas_pkey" PRIMARY KEY ("kind", "subject_id"),
    CONSTRAINT "quotas_words" CHECK ("kind" IN ('user', 'group') AND "cpu_seconds_month" >= 0 AND "stored_bytes" >= 0 AND "running_tasks" >= 0)
);

-- What an attempt has used counts from its end on, and what is learnt of it later is added: each millisecond once.
CREATE FUNCTION "count_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "usage_entries" ("owner_id", "group_id", "day", "cluster", "cpu_ms")
    SELECT "jobs"."owner_id", "jobs"."group_id", (now() AT TIME ZONE 'UTC')::date, coalesce("jobs"."cluster_name", ''),
        NEW."cpu_ms" - CASE WHEN OLD."ended_at" IS NULL THEN 0 ELSE OLD."cpu_ms" END
    FROM "tasks" JOIN "jobs" ON "jobs"."id" = "tasks"."job_key" WHERE "tasks"."id" = NEW."task_key";
    RETURN NULL;
END $$;
CREATE TRIGGER "attempts_are_counted" AFTER UPDATE OF "ended_at", "cpu_ms" ON "attempts"
    FOR EACH ROW WHEN (NEW."ended_at" IS NOT NULL AND NEW."cpu_ms" > 0
        AND (OLD."ended_at" IS NULL OR OLD."cpu_ms" <> NEW."cpu_ms"))
    EXECUTE FUNCTION "count_usage"();
