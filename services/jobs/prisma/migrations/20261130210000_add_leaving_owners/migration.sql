-- Users whose jobs and projects are removed, at once or from a moment on.

CREATE TABLE "leaving_owners" (
    "owner_id" BIGINT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leaving_owners_pkey" PRIMARY KEY ("owner_id")
);

CREATE INDEX "leaving_owners_due_at_idx" ON "leaving_owners"("due_at");
