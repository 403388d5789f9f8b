CREATE TABLE "clusters" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "position" INTEGER,
    "check_started_at" TIMESTAMPTZ(3),
    "checked_at" TIMESTAMPTZ(3),
    "unavailability" TEXT,

    CONSTRAINT "clusters_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "clusters_unavailability_known" CHECK ("unavailability" IN ('HOST_KEY_CHANGED', 'CLUSTER_UNREACHABLE')),
    CONSTRAINT "clusters_unavailability_was_found" CHECK ("unavailability" IS NULL OR "checked_at" IS NOT NULL)
);

CREATE UNIQUE INDEX "clusters_name_key" ON "clusters"("name");
