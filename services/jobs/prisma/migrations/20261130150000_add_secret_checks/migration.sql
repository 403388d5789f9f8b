-- By what a copy sees that a secret of its configuration is the one that was in use: a keyed hash of it, from which it cannot be had.

CREATE TABLE "secret_checks" (
    "name" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,

    CONSTRAINT "secret_checks_pkey" PRIMARY KEY ("name")
);
