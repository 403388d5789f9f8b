-- AlterTable
ALTER TABLE "results" ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "task_outputs" ADD COLUMN "warnings" JSONB NOT NULL DEFAULT '[]';
