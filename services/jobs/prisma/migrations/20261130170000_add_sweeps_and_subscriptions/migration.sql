-- AlterTable
ALTER TABLE "jobs" ADD COLUMN "sweep_id" TEXT,
ADD COLUMN "sweep_size" INTEGER;

-- CreateTable
CREATE TABLE "subscriptions" (
    "user_id" BIGINT NOT NULL,
    "key" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "has_mail" BOOLEAN NOT NULL,
    "has_webhooks" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("key", "user_id")
);

-- CreateIndex
CREATE INDEX "subscriptions_user_id_idx" ON "subscriptions"("user_id");

-- A further kind: to tell those who want to be told that a job has ended.
ALTER TABLE "duties" DROP CONSTRAINT "duties_kinds",
ADD CONSTRAINT "duties_kinds" CHECK ("kind" IN ('merge', 'remove', 'submit', 'cancel', 'delete', 'notify'));
