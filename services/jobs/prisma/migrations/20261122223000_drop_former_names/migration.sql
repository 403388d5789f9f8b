-- No copy of release 0.1.0, which used these names, is left, and none is rolled back to: 0.2.0 lives without them.

DROP VIEW "simulations", "errands";
DROP TRIGGER "tasks_former_job_key" ON "tasks";
DROP TRIGGER "merges_former_job_key" ON "merges";
DROP TRIGGER "outbox_former_job_key" ON "outbox";
DROP TRIGGER "tasks_former_attempt_id" ON "tasks";
DROP TRIGGER "tasks_former_attempt_id_change" ON "tasks";
DROP FUNCTION "keep_former_job_key"(), "keep_former_attempt_id"();
ALTER TABLE "tasks" DROP COLUMN "simulation_id", DROP COLUMN "celery_id";
ALTER TABLE "merges" DROP COLUMN "simulation_id";
ALTER TABLE "outbox" DROP COLUMN "simulation_id";
