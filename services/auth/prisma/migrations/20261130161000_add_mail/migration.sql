-- AlterTable
ALTER TABLE "users" ADD COLUMN "email" TEXT,
ADD COLUMN "email_source" TEXT;

-- AlterTable
ALTER TABLE "one_time_links" ADD COLUMN "email" TEXT;

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "notice_id" TEXT NOT NULL,
    "user_id" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "content" JSONB,
    "picture" BYTEA,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL,
    "try_count" INTEGER NOT NULL DEFAULT 0,
    "try_id" UUID,
    "held_until" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "answer" TEXT,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "mails_notice_id_key" ON "mails"("notice_id");

-- CreateIndex
CREATE INDEX "mails_user_id_idx" ON "mails"("user_id");

-- CreateIndex
CREATE INDEX "mails_ended_at_idx" ON "mails"("ended_at");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Mails that are not ended are few; the worker looks for them again and again.
CREATE INDEX "mails_open" ON "mails"("next_try_at") WHERE "ended_at" IS NULL;
