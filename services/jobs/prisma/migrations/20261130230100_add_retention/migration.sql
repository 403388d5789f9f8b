-- Rules by which jobs, their results and their logs are removed some time after the end of the job.

CREATE TABLE "retention_rules" (
    "data" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "after_days" INTEGER NOT NULL,
    "warning_days" INTEGER NOT NULL,
    "set_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retention_rules_pkey" PRIMARY KEY ("data", "state"),
    CONSTRAINT "retention_rules_words" CHECK ("data" IN ('jobs', 'results', 'logs') AND "state" IN ('any', 'COMPLETED', 'FAILED', 'CANCELED')),
    CONSTRAINT "retention_rules_days" CHECK ("after_days" >= 1 AND "warning_days" >= 1)
);

-- Until when users have been told by mail what of theirs goes.
CREATE TABLE "retention_warnings" (
    "owner_id" BIGINT NOT NULL,
    "warned_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "retention_warnings_pkey" PRIMARY KEY ("owner_id")
);

-- When results and logs were removed, and when the job stopped being kept, or got another owner.
ALTER TABLE "jobs" ADD COLUMN "results_removed_at" TIMESTAMPTZ(3),
ADD COLUMN "logs_removed_at" TIMESTAMPTZ(3),
ADD COLUMN "released_at" TIMESTAMPTZ(3);

ALTER TABLE "duties" DROP CONSTRAINT "duties_kinds",
ADD CONSTRAINT "duties_kinds" CHECK ("kind" IN ('merge', 'remove', 'submit', 'cancel', 'delete', 'notify', 'remove_results', 'remove_logs'));
