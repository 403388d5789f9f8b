-- Of a task on a cluster the wall time counts, from its first start to its end: its scheduler has its attempts. A task ends once.
CREATE FUNCTION "count_cluster_time"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO "usage_entries" ("owner_id", "group_id", "day", "cluster", "cpu_ms")
    SELECT "owner_id", "group_id", (now() AT TIME ZONE 'UTC')::date, coalesce("cluster_name", ''),
        greatest(0, round(extract(epoch FROM coalesce(NEW."end_time", now()) - NEW."start_time") * 1000))
    FROM "jobs" WHERE "jobs"."id" = NEW."job_key" AND "platform" = 'batch';
    RETURN NULL;
END $$;
CREATE TRIGGER "cluster_tasks_are_counted" AFTER UPDATE OF "state" ON "tasks"
    FOR EACH ROW WHEN (NEW."current_attempt_id" = '' AND NEW."start_time" IS NOT NULL
        AND NEW."state" IN ('COMPLETED', 'FAILED', 'CANCELED') AND OLD."state" NOT IN ('COMPLETED', 'FAILED', 'CANCELED'))
    EXECUTE FUNCTION "count_cluster_time"();
