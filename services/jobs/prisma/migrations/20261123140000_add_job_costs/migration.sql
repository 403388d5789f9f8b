-- What direct jobs cost by the model, beside what they took: estimates of later ones rest on it.
CREATE TABLE "job_costs" (
    "job_key" BIGINT NOT NULL,
    "engine" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "start_seconds" DOUBLE PRECISION NOT NULL,
    "primary_seconds" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "job_costs_pkey" PRIMARY KEY ("job_key"),
    CONSTRAINT "job_costs_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE INDEX "job_costs_engine_job_key_idx" ON "job_costs"("engine", "job_key");
CREATE INDEX "job_costs_fingerprint_idx" ON "job_costs"("fingerprint");

-- Tasks that a runner runs at once: a runner of the release before does not say.
ALTER TABLE "runners" ADD COLUMN "slot_count" INTEGER NOT NULL DEFAULT 0;
