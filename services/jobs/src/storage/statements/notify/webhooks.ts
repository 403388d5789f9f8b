import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../../../domain/job.js';
import type { DueDelivery, ToldUser, WebhookDelivery } from '../../../domain/webhook/webhook.js';

const inMs = (ms: number): Sql => sql`${ms}::float8 * interval '1 ms'`;

/** Keeps a webhook, unless its user has so many. One row: kept. */
export const insertWebhook = (
  userId: UserId,
  { id, url, sealedSecret }: { readonly id: string; readonly url: string; readonly sealedSecret: Uint8Array },
  perUserMax: number,
): Sql => sql`
  INSERT INTO webhooks (id, user_id, url, sealed_secret)
  SELECT ${id}, ${userId}::bigint, ${url}, ${sealedSecret}::bytea
  WHERE ${perUserMax}::int > (SELECT count(*) FROM webhooks WHERE user_id = ${userId})`;

/** The last deliveries of each webhook of a user, the newest first. */
export const listDeliveries = (
  userId: UserId,
  perWebhook: number,
): Sql<WebhookDelivery & { readonly webhookId: string }> => sql`
  SELECT webhooks.id AS "webhookId", event_id AS "eventId", last.created_at AS "createdAt", ended_at AS "endedAt",
    is_delivered AS "isDelivered", try_count AS "tryCount", answer
  FROM webhooks CROSS JOIN LATERAL (
    SELECT * FROM webhook_deliveries WHERE webhook_id = webhooks.id ORDER BY id DESC LIMIT ${perWebhook}) last
  WHERE user_id = ${userId} ORDER BY last.id DESC`;

/** Tells webhooks that are called, each once for an event. One row a webhook. */
export const insertDeliveries = ({ userId, groupId, webhookId }: ToldUser, eventId: string, body: string): Sql => sql`
  WITH told AS (
    SELECT id FROM webhooks WHERE user_id = ${userId} AND disabled_at IS NULL AND (${webhookId ?? null}::text IS NULL OR id = ${webhookId ?? null})
  ), added AS (
    INSERT INTO webhook_deliveries (webhook_id, event_id, group_id, body)
    SELECT id, ${eventId}, ${groupId ?? null}::text, ${body} FROM told
    ON CONFLICT (webhook_id, event_id) DO NOTHING
  )
  SELECT 1 FROM told`;

/** Takes deliveries that are due for a time; what other copies hold is passed over. */
export const takeDueDeliveries = (rowsMax: number, holdMs: number): Sql<DueDelivery> => sql`
  UPDATE webhook_deliveries due SET try_count = try_count + 1, held_until = now() + ${inMs(holdMs)} FROM webhooks
  WHERE due.id = ANY(ARRAY(
      SELECT id FROM webhook_deliveries
      WHERE ended_at IS NULL AND next_try_at <= now() AND (held_until IS NULL OR held_until <= now())
      ORDER BY next_try_at LIMIT ${rowsMax} FOR UPDATE SKIP LOCKED))
    AND webhooks.id = due.webhook_id
  RETURNING due.id, due.webhook_id AS "webhookId", user_id AS "userId", due.group_id AS "groupId", url, sealed_secret AS "sealedSecret", event_id AS "eventId", body,
    due.created_at AS "createdAt", try_count AS "tryCount"`;

/** Ends a delivery, or makes it due again after a time. */
export const settleDelivery = (
  id: bigint,
  answer: string,
  isEnded: boolean,
  isDelivered: boolean,
  retryMs: number,
): Sql => sql`
  UPDATE webhook_deliveries SET answer = ${answer}, held_until = NULL, is_delivered = ${isDelivered}::boolean,
    ended_at = CASE WHEN ${isEnded}::boolean THEN now() END, next_try_at = now() + ${inMs(retryMs)}
  WHERE id = ${id}`;

/** Calls a webhook no more, and gives up what it was to be told. */
export const disableWebhook = (id: string, reason: string): Sql => sql`
  WITH disabled AS (
    UPDATE webhooks SET disabled_at = now(), disabled_reason = ${reason} WHERE id = ${id} AND disabled_at IS NULL RETURNING id
  )
  UPDATE webhook_deliveries SET ended_at = now(), held_until = NULL
  WHERE ended_at IS NULL AND webhook_id IN (SELECT id FROM disabled)`;

/** Forgets deliveries that ended before so long. */
export const deleteEndedDeliveries = (afterMs: number): Sql => sql`
  DELETE FROM webhook_deliveries WHERE ended_at < now() - ${inMs(afterMs)}`;
