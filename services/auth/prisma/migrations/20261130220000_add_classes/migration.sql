-- Classes: accounts that an operator makes from a list of names, and that end on a day.

CREATE TABLE "classes" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "group_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "is_deleted_at_end" BOOLEAN NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "classes_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "users" ADD COLUMN "class_id" TEXT;

CREATE INDEX "classes_ends_at_idx" ON "classes"("ends_at");
