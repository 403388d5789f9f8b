-- AlterTable
ALTER TABLE "simulations" ADD COLUMN "end_update_hash" TEXT,
ADD COLUMN "closed_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN "end_update_hash" TEXT,
ADD COLUMN "has_output" BOOLEAN NOT NULL DEFAULT false;

-- Until now only runners completed tasks, and they store the output first. No event is due for what does not change.
UPDATE "tasks" SET "has_output" = true WHERE "state" = 'COMPLETED';
UPDATE "simulations" SET "closed_at" = "end_time" WHERE "state" IN ('COMPLETED', 'FAILED', 'CANCELED');
