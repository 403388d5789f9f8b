-- A job that its owner stops ends early, with the primaries that were simulated by then. The release before reads none of this:
-- it would try a stopped task again, and call the job FAILED. So nothing is stopped before all copies are of this release.
ALTER TABLE "jobs" ADD COLUMN "stopped_at" TIMESTAMPTZ(3),
ADD COLUMN "merged_primaries" BIGINT;
ALTER TABLE "tasks" ADD COLUMN "must_finish" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "job_events" ADD COLUMN "is_stopped" BOOLEAN NOT NULL DEFAULT false;
