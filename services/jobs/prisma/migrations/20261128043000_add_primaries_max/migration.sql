-- What a job counts against the quota of waiting primaries, so that a submission need not read the open tasks of its owner.
ALTER TABLE "jobs" ADD COLUMN "primaries_max" BIGINT;
