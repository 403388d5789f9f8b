-- CreateTable
CREATE TABLE "users" (
    "id" BIGSERIAL NOT NULL,
    "username" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "display_name" TEXT NOT NULL DEFAULT '',
    "password_hash" TEXT,
    "sso_subject" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" BIGINT NOT NULL,
    "refresh_token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "refresh_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "access_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_tokens" (
    "id" UUID NOT NULL,
    "user_id" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "last_used_at" TIMESTAMPTZ(3),
    "is_ended_with_sessions" BOOLEAN NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "sealed_private" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "signs_from" TIMESTAMPTZ(3) NOT NULL,
    "verifies_until" TIMESTAMPTZ(3),

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateTable
CREATE TABLE "cluster_credentials" (
    "user_id" BIGINT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "encryption_key_id" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "cluster_credentials_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "throttles" (
    "scope" TEXT NOT NULL,
    "subject" BYTEA NOT NULL,
    "attempt_count" INTEGER NOT NULL,
    "window_ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "throttles_pkey" PRIMARY KEY ("scope","subject")
);

-- CreateTable
CREATE TABLE "login_addresses" (
    "user_id" BIGINT NOT NULL,
    "address" BYTEA NOT NULL,
    "last_login_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "login_addresses_pkey" PRIMARY KEY ("user_id","address")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_sso_subject_key" ON "users"("sso_subject");

-- CreateIndex
CREATE UNIQUE INDEX "users_username_provider_key" ON "users"("username", "provider");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_refresh_token_hash_key" ON "sessions"("refresh_token_hash");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "sessions_ended_at_idx" ON "sessions"("ended_at");

-- CreateIndex
CREATE INDEX "sessions_access_expires_at_idx" ON "sessions"("access_expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "api_tokens_token_hash_key" ON "api_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "api_tokens_user_id_idx" ON "api_tokens"("user_id");

-- CreateIndex
CREATE INDEX "api_tokens_ended_at_idx" ON "api_tokens"("ended_at");

-- CreateIndex
CREATE INDEX "api_tokens_expires_at_idx" ON "api_tokens"("expires_at");

-- CreateIndex
CREATE INDEX "cluster_credentials_expires_at_idx" ON "cluster_credentials"("expires_at");

-- CreateIndex
CREATE INDEX "throttles_window_ends_at_idx" ON "throttles"("window_ends_at");

-- CreateIndex
CREATE INDEX "login_addresses_last_login_at_idx" ON "login_addresses"("last_login_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_tokens" ADD CONSTRAINT "api_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cluster_credentials" ADD CONSTRAINT "cluster_credentials_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "login_addresses" ADD CONSTRAINT "login_addresses_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A local user has a password hash and no realm subject, a single-sign-on user the reverse.
ALTER TABLE "users" ADD CONSTRAINT "users_provider_check" CHECK (
    ("provider" = 'local' AND "password_hash" IS NOT NULL AND "sso_subject" IS NULL)
    OR ("provider" = 'sso' AND "password_hash" IS NULL AND "sso_subject" IS NOT NULL)
);

-- At most one key has no end: first starts and rotations of several copies at once cannot make two.
CREATE UNIQUE INDEX "signing_keys_one_without_end" ON "signing_keys"((true)) WHERE "verifies_until" IS NULL;
