-- CreateTable
CREATE TABLE "runners" (
    "runner_id" TEXT NOT NULL,
    "executables" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runners_pkey" PRIMARY KEY ("runner_id")
);
