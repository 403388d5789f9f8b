/** Channel of NOTIFY; the payload is the queue's name. */
export const NOTIFY_CHANNEL = 'message_queue';

/**
 * The broker's only table. A message is delivered while `claim_token` is set and `visible_at` lies ahead; it
 * is away for a retry while `visible_at` lies ahead without one. Several services may open the queue at once: the lock
 * lets one of them create.
 */
export const CREATE_TABLES = `
BEGIN;
SELECT pg_advisory_xact_lock(hashtextextended('message_queue', 0));
CREATE SCHEMA IF NOT EXISTS message_queue;
CREATE TABLE IF NOT EXISTS message_queue.messages (
  position       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue          text        NOT NULL,
  message_id     text        NOT NULL,
  body           bytea       NOT NULL,
  headers        jsonb       NOT NULL,
  visible_at     timestamptz NOT NULL DEFAULT now(),
  delivery_count integer     NOT NULL DEFAULT 0,
  claim_token    uuid
);
CREATE INDEX IF NOT EXISTS messages_next ON message_queue.messages (queue, visible_at, position);
CREATE INDEX IF NOT EXISTS messages_claimed ON message_queue.messages (claim_token) WHERE claim_token IS NOT NULL;
COMMIT`;

/** $1 queue, $2 message id, $3 body, $4 headers. */
export const PUBLISH = `
WITH added AS (
  INSERT INTO message_queue.messages (queue, message_id, body, headers) VALUES ($1, $2, $3, $4)
)
SELECT pg_notify('${NOTIFY_CHANNEL}', $1)`;

/** Messages whose last allowed delivery was not settled in time. $1 queue, $2 dead-letter queue, $3 delivery limit. */
export const DEAD_LETTER_EXHAUSTED = `
UPDATE message_queue.messages
SET queue = $2, delivery_count = 0, claim_token = NULL
WHERE queue = $1 AND visible_at <= now() AND delivery_count >= $3`;

/** The message that has waited longest and that no other transaction has locked. $1 queue, $2 claim token, $3 claim in ms. */
export const CLAIM = `
UPDATE message_queue.messages
SET claim_token = $2, delivery_count = delivery_count + 1, visible_at = now() + $3 * interval '1 millisecond'
WHERE position = (
  SELECT position FROM message_queue.messages
  WHERE queue = $1 AND visible_at <= now()
  ORDER BY visible_at, position
  FOR UPDATE SKIP LOCKED LIMIT 1
)
RETURNING position, message_id, body, headers, delivery_count`;

/** How long until the next message shows itself, in ms; null if none will. $1 queue. */
export const NEXT_VISIBLE = `
SELECT (extract(epoch FROM min(visible_at) - now()) * 1000)::float8 AS wait_ms
FROM message_queue.messages WHERE queue = $1`;

/** Keeps messages in hands that are still at work. $1 claim tokens, $2 claim in ms. */
export const RENEW_CLAIMS = `
UPDATE message_queue.messages SET visible_at = now() + $2 * interval '1 millisecond' WHERE claim_token = ANY($1)`;

/** Gives back what a closing consumer holds, as deliveries that ended without a word. $1 claim tokens. */
export const RELEASE_CLAIMS = `
WITH released AS (
  UPDATE message_queue.messages SET claim_token = NULL, visible_at = now() WHERE claim_token = ANY($1) RETURNING queue
)
SELECT pg_notify('${NOTIFY_CHANNEL}', queue) FROM released`;

/** $1 position, $2 claim token. */
export const ACK = 'DELETE FROM message_queue.messages WHERE position = $1 AND claim_token = $2 RETURNING position';

/** Back to the queue. $1 position, $2 claim token, $3 delay in ms, $4 change of the delivery count. */
export const PUT_BACK = `
WITH moved AS (
  UPDATE message_queue.messages
  SET claim_token = NULL, visible_at = now() + $3 * interval '1 millisecond', delivery_count = delivery_count + $4
  WHERE position = $1 AND claim_token = $2
  RETURNING queue
)
SELECT pg_notify('${NOTIFY_CHANNEL}', queue) FROM moved`;

/** To the dead-letter queue. $1 position, $2 claim token, $3 dead-letter queue. */
export const DEAD_LETTER = `
WITH moved AS (
  UPDATE message_queue.messages
  SET queue = $3, claim_token = NULL, visible_at = now(), delivery_count = 0
  WHERE position = $1 AND claim_token = $2
  RETURNING queue
)
SELECT pg_notify('${NOTIFY_CHANNEL}', queue) FROM moved`;

/** $1 queue. */
export const DEPTH =
  'SELECT count(*)::integer AS depth FROM message_queue.messages WHERE queue = $1 AND visible_at <= now()';
