-- AlterTable
ALTER TABLE "tasks" ADD COLUMN "is_unexplained" BOOLEAN NOT NULL DEFAULT false;

-- Until now a job whose worker delivered partial results did not say why it is FAILED. No event is due for a text.
UPDATE "simulations" SET "failure" = 'some of its tasks did not complete' WHERE "state" = 'FAILED' AND "failure" IS NULL;
