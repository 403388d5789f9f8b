-- End of validity of the certificate: private keys are deleted when they are of no use any more.
ALTER TABLE "cluster_credentials" ADD COLUMN "expires_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "cluster_credentials_expires_at_idx" ON "cluster_credentials"("expires_at");
