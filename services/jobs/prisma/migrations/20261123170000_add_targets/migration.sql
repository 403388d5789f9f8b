-- Jobs that go on until their results are good enough. The release before ends such a job after the merge that it is at.
ALTER TABLE "jobs" ADD COLUMN "convergence" JSON;
ALTER TABLE "job_events" ADD COLUMN "convergence" JSON;
