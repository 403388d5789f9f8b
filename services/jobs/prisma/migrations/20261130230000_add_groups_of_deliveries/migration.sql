-- What is told of jobs of a group is for its members.
ALTER TABLE "webhook_deliveries" ADD COLUMN "group_id" TEXT;
