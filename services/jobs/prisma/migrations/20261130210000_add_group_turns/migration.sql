CREATE TABLE "group_turns" (
    "group_id" TEXT NOT NULL,
    "served_at" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "group_turns_pkey" PRIMARY KEY ("group_id")
);
