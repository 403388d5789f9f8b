-- Users who leave, and who gets what they have: a table beside leaving_owners, since copies of the release before remove what those rows name.

CREATE TABLE "handed_owners" (
    "owner_id" BIGINT NOT NULL,
    "new_owner_id" BIGINT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "handed_owners_pkey" PRIMARY KEY ("owner_id")
);
