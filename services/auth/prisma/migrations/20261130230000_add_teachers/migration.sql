-- Teachers: sessions with the role by a claim of the realm, and whose a class is. A class that is there is of who manages its group.

ALTER TABLE "sessions" ADD COLUMN "is_teacher" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "classes" ADD COLUMN "teacher_id" BIGINT;

UPDATE "classes" SET "teacher_id" = (
  SELECT "user_id" FROM "memberships"
  WHERE "memberships"."group_id" = "classes"."group_id" AND "role" = 'manager' ORDER BY "joined_at", "user_id" LIMIT 1
);
