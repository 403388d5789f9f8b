-- Whose task goes first is decided when a worker asks for one.
ALTER TABLE "outbox" ADD COLUMN "deferred_at" TIMESTAMPTZ(3);
ALTER TABLE "dispatch_turns" ADD COLUMN "given_at" TIMESTAMPTZ(6);
