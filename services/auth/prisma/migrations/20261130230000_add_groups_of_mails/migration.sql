-- A mail about things of a group is for its members.
ALTER TABLE "mails" ADD COLUMN "group_id" TEXT;
