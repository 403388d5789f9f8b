-- Shares of jobs and projects, and the group that one belongs to.

CREATE TABLE "shares" (
    "share_id" TEXT NOT NULL,
    "job_key" BIGINT,
    "project_key" BIGINT,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "shares_pkey" PRIMARY KEY ("share_id"),
    CONSTRAINT "shares_one_resource" CHECK (("job_key" IS NULL) <> ("project_key" IS NULL)),
    CONSTRAINT "shares_subject" CHECK ("subject" ~ '^(user|group|link):.+$'),
    CONSTRAINT "shares_link_ends" CHECK ("subject" NOT LIKE 'link:%' OR "expires_at" IS NOT NULL),
    CONSTRAINT "shares_job_key_fkey" FOREIGN KEY ("job_key") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE NO ACTION,
    CONSTRAINT "shares_project_key_fkey" FOREIGN KEY ("project_key") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX "shares_job_key_subject_key" ON "shares"("job_key", "subject");
CREATE UNIQUE INDEX "shares_project_key_subject_key" ON "shares"("project_key", "subject");
CREATE INDEX "shares_subject_idx" ON "shares"("subject");

ALTER TABLE "jobs" ADD COLUMN "group_id" TEXT;
ALTER TABLE "projects" ADD COLUMN "group_id" TEXT;
CREATE INDEX "projects_by_group" ON "projects"("group_id") WHERE "group_id" IS NOT NULL;
