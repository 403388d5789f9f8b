-- What operators set: a platform that takes no submissions, a runner that takes no tasks.

CREATE TABLE "submission_pauses" (
    "platform" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "submission_pauses_pkey" PRIMARY KEY ("platform")
);

ALTER TABLE "runners" ADD COLUMN "draining_since" TIMESTAMPTZ(3);
