-- Not one transaction: tasks are filled piece by piece, so that nobody waits long for one. May be repeated.
DO $$
DECLARE
    "piece" CONSTANT BIGINT := 5000;
    "first" BIGINT := 0;
    "last" BIGINT := (SELECT max("id") FROM "tasks");
BEGIN
    UPDATE "merges" SET "former_job_key" = "simulation_id" WHERE "former_job_key" IS NULL;
    UPDATE "outbox" SET "former_job_key" = "simulation_id" WHERE "former_job_key" IS NULL;
    WHILE "first" <= "last" LOOP
        COMMIT;
        UPDATE "tasks" SET "former_job_key" = "simulation_id", "former_attempt_id" = "celery_id"
        WHERE "id" > "first" AND "id" <= "first" + "piece" AND "former_job_key" IS NULL;
        "first" := "first" + "piece";
    END LOOP;
END $$;
