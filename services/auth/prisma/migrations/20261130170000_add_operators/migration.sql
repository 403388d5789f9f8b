-- Operators: users whom they block or delete, sessions with the role by a claim of the realm, and the trail of what they do.

ALTER TABLE "users" ADD COLUMN "blocked_at" TIMESTAMPTZ(3);
ALTER TABLE "users" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
ALTER TABLE "sessions" ADD COLUMN "is_operator" BOOLEAN NOT NULL DEFAULT false;

CREATE TABLE "operator_actions" (
    "id" BIGSERIAL NOT NULL,
    "happened_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "operator_id" BIGINT NOT NULL,
    "operator_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "is_change" BOOLEAN NOT NULL,
    "failed_action_id" BIGINT,
    "failure" TEXT,

    CONSTRAINT "operator_actions_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "operator_actions_failed_action_id_key" ON "operator_actions"("failed_action_id");

-- Whatever a service has been made to do: the trail only grows.
CREATE FUNCTION "refuse_change_of_trail"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'operator_actions only grows';
END
$$;
CREATE TRIGGER "operator_actions_append_only" BEFORE UPDATE OR DELETE ON "operator_actions"
  FOR EACH ROW EXECUTE FUNCTION "refuse_change_of_trail"();
CREATE TRIGGER "operator_actions_no_truncate" BEFORE TRUNCATE ON "operator_actions"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_trail"();
