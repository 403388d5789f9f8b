-- Jobs that have ended can be given further tasks. The release before shows such a job and goes on with it like with any other;
-- it only counts the waiting time of its tasks from its submission.
ALTER TABLE "jobs" ADD COLUMN "extended_at" TIMESTAMPTZ(3),
ADD COLUMN "submitted_task_count" INTEGER;
