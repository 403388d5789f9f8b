-- What owners have asked for besides their submissions, for the crates of their jobs.
ALTER TABLE "jobs" ADD COLUMN "extensions" JSONB;
