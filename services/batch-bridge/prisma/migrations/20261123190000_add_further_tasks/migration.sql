-- Jobs can be given further tasks, which are submitted besides those that have ended. The release before knows the first ones only: a
-- collect job of further tasks is to it an array without tasks, which is over.
ALTER TABLE "submissions" ADD COLUMN "first_task" INTEGER NOT NULL DEFAULT 1,
ADD COLUMN "last_task" INTEGER;

ALTER TABLE "scheduler_jobs" DROP CONSTRAINT "scheduler_jobs_collect_has_no_tasks",
ADD CONSTRAINT "scheduler_jobs_collect_has_no_tasks" CHECK (("ordinal" <= 0) = ("task_count" = 0));

ALTER TABLE "submission_tasks" DROP CONSTRAINT "submission_tasks_log_from_the_beginning",
ADD CONSTRAINT "submission_tasks_log_from_the_beginning" CHECK ("log_bytes" >= 0);
