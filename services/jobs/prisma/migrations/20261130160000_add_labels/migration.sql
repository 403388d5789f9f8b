ALTER TABLE "jobs"
    ADD COLUMN "label_revision" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "tags" TEXT[] NOT NULL DEFAULT '{}',
    ADD COLUMN "note" TEXT,
    ADD COLUMN "is_favourite" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "is_archived" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "particle" TEXT,
    ADD COLUMN "energy_min_mev" DOUBLE PRECISION,
    ADD COLUMN "energy_max_mev" DOUBLE PRECISION;

CREATE TABLE "saved_searches" (
    "owner_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "search" TEXT NOT NULL,

    CONSTRAINT "saved_searches_pkey" PRIMARY KEY ("owner_id", "name")
);

-- Archived jobs count apart: lists leave them out.
CREATE OR REPLACE FUNCTION "count_job"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count")
        VALUES (OLD."owner_id", CASE WHEN OLD."is_archived" THEN 'ARCHIVED ' ELSE '' END || OLD."state", -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO "job_counts" ("owner_id", "state", "job_count")
        VALUES (NEW."owner_id", CASE WHEN NEW."is_archived" THEN 'ARCHIVED ' ELSE '' END || NEW."state", 1);
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER "jobs_are_archived" AFTER UPDATE OF "is_archived" ON "jobs"
    FOR EACH ROW WHEN (OLD."is_archived" <> NEW."is_archived" AND OLD."state" = NEW."state" AND OLD."owner_id" = NEW."owner_id")
    EXECUTE FUNCTION "count_job"();
