-- Extensions may be repeated with their key, too. To the release before such a key was used with another body.
ALTER TABLE "idempotency_keys" ADD COLUMN "answer" JSON;
