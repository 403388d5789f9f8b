-- AlterTable
ALTER TABLE "jobs" ADD COLUMN "notes" JSON;

-- The deck of the simulator that was asked for, where the built-in engine runs another: kept in step for the release before.
-- Few rows a job; every one meets the narrower rule.
ALTER TABLE "input_documents" DROP CONSTRAINT "input_documents_role_check";
ALTER TABLE "input_documents" ADD CONSTRAINT "input_documents_role_check"
  CHECK ("role" IN ('submitted', 'deck', 'simulatorDeck'));
