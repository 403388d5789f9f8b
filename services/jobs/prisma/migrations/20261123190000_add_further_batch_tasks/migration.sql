-- Jobs of clusters can be given further tasks, with the scheduler options that they were submitted with. The release before tells
-- batch-bridge of all tasks of such a job, which then submits those that it does not know.
ALTER TABLE "jobs" ADD COLUMN "scheduler_options" BYTEA;
ALTER TABLE "bridge_commands" ADD COLUMN "first_task" INTEGER,
ADD COLUMN "last_task" INTEGER;
