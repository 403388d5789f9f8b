-- Projects that users keep, with their history, and of a job the revision that it was submitted from.

CREATE TABLE "projects" (
    "id" BIGSERIAL NOT NULL,
    "project_id" TEXT NOT NULL,
    "owner_id" BIGINT NOT NULL,
    "title" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "thumbnail" TEXT,
    "size_bytes" INTEGER NOT NULL,
    "stored_bytes" BIGINT NOT NULL,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "projects_numbers" CHECK ("revision" >= 1 AND "size_bytes" >= 0 AND "stored_bytes" >= 0)
);
CREATE UNIQUE INDEX "projects_project_id_key" ON "projects"("project_id");
CREATE INDEX "projects_owner_id_updated_at_id_idx" ON "projects"("owner_id", "updated_at", "id");

CREATE TABLE "project_revisions" (
    "project_key" BIGINT NOT NULL,
    "revision" INTEGER NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "title" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "content_hash" TEXT NOT NULL,
    "request_hash" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "project_revisions_pkey" PRIMARY KEY ("project_key", "revision"),
    CONSTRAINT "project_revisions_project_key_fkey" FOREIGN KEY ("project_key") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE NO ACTION
);
-- It is compressed already.
ALTER TABLE "project_revisions" ALTER COLUMN "body" SET STORAGE EXTERNAL;

ALTER TABLE "jobs"
    ADD COLUMN "project_id" TEXT,
    ADD COLUMN "project_revision" INTEGER,
    ADD COLUMN "on_unsupported" TEXT;
