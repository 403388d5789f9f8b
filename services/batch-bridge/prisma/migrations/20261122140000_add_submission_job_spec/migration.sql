-- What the tasks of an accepted submission simulate; null for others, and for those that the release before has accepted.
ALTER TABLE "submissions" ADD COLUMN "job_spec" JSONB;

ALTER TABLE "submissions" RENAME CONSTRAINT "submissions_say_what_to_do" TO "submissions_request_known";
ALTER TABLE "submissions" RENAME CONSTRAINT "submissions_have_a_place" TO "submissions_remote_job_known";
ALTER TABLE "submissions" RENAME CONSTRAINT "submissions_are_observed" TO "submissions_observed_at_known";
ALTER TABLE "submissions" RENAME CONSTRAINT "submissions_end_with_a_message" TO "submissions_end_known";
ALTER TABLE "submissions" RENAME CONSTRAINT "submissions_are_cleared_once" TO "submissions_cleared_at_known";
ALTER TABLE "scheduler_jobs" RENAME CONSTRAINT "scheduler_jobs_gone_one_way" TO "scheduler_jobs_lost_or_ended";
ALTER TABLE "scheduler_jobs" RENAME CONSTRAINT "scheduler_jobs_gone_were_known" TO "scheduler_jobs_end_has_id";
