-- AlterTable
ALTER TABLE "task_logs" ADD COLUMN "name" TEXT;

-- A log that is no task's has a name, and a negative number in place of the task's. No table is large yet.
ALTER TABLE "task_logs" ADD CONSTRAINT "task_logs_name_check" CHECK (("name" IS NOT NULL) = ("task_id" < 0));

-- CreateIndex
CREATE UNIQUE INDEX "task_logs_job_id_name_key" ON "task_logs"("job_id", "name");
