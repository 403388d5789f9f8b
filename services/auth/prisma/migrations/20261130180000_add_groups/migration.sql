-- Groups, who is in them, and a version by which others learn that memberships have changed.

CREATE TABLE "groups" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "realm_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "groups_realm_name_key" ON "groups"("realm_name");

CREATE TABLE "memberships" (
    "group_id" TEXT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "role" TEXT NOT NULL,
    "joined_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("group_id", "user_id"),
    CONSTRAINT "memberships_role" CHECK ("role" IN ('viewer', 'member', 'manager')),
    CONSTRAINT "memberships_group_id_fkey" FOREIGN KEY ("group_id") REFERENCES "groups"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

CREATE TABLE "memberships_version" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "version" BIGINT NOT NULL,

    CONSTRAINT "memberships_version_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "memberships_version_one_row" CHECK ("id" = 1)
);
INSERT INTO "memberships_version" ("id", "version") VALUES (1, 0);
