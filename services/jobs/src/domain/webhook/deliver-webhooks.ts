import { backoffMs, type Clock, type Logger } from '@tally/service-kit';
import type { UserId } from '../job.js';
import type { FindReceivers } from '../notify/notify-end.js';
import { type DeliveryOutcome, type DueDelivery, secretOf, type WebhookPorts } from './webhook.js';
import { signMessage } from './webhook-secret.js';

/** What a webhook is sent. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Why a webhook gave no answer. */
export class WebhookFault extends Error {
  override readonly name = 'WebhookFault';
}

/** Sends a request, follows no redirect, and connects to addresses that webhooks may reach alone. @throws WebhookFault */
export type SendWebhook = (request: WebhookRequest) => Promise<{ readonly status: number }>;

export interface DeliverPorts extends Pick<WebhookPorts, 'webhooks' | 'webhookRules'> {
  readonly send: SendWebhook;
  /** Undefined: nobody knows who is blocked or in a group. */
  readonly findReceivers: FindReceivers | undefined;
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Logger;
}

const AT_ONCE_MAX = 8;
/** Longer than a request may take (clients/webhook-client.ts): who is held is called by nobody else. */
const HOLD_MS = 60_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 60 * 60_000;
/** After that a delivery is given up, and its webhook is not called any more. */
const GIVE_UP_MS = 24 * 60 * 60_000;

/**
 * Calls webhooks that are due, at least once for each event: a copy that dies after an answer calls again, with the same `webhook-id`.
 * @returns whether there may be more
 */
export async function deliverWebhooks(ports: DeliverPorts): Promise<boolean> {
  const due = await ports.webhooks.takeDue(AT_ONCE_MAX, HOLD_MS);
  const dropped = await findDropped(ports.findReceivers, due);
  await Promise.all(due.map((delivery) => deliver(ports, delivery, dropped.get(delivery.id))));
  return due.length === AT_ONCE_MAX;
}

/** Deliveries whose user may not be told any more, each with the reason. */
async function findDropped(
  findReceivers: DeliverPorts['findReceivers'],
  due: readonly DueDelivery[],
): Promise<Map<bigint, string>> {
  const dropped = new Map<bigint, string>();
  for (const groupId of new Set(due.map((delivery) => delivery.groupId))) {
    const asked = due.filter((delivery) => delivery.groupId === groupId);
    const userIds: readonly UserId[] = [...new Set(asked.map(({ userId }) => userId))];
    const found = await findReceivers?.(userIds, groupId ?? undefined);
    for (const { id, userId } of asked) {
      if (found !== undefined && !found.active.has(userId)) dropped.set(id, 'not told: the user is blocked or deleted');
      else if (groupId !== null && found?.members.has(userId) !== true)
        dropped.set(id, 'not told: the user is not in the group any more');
    }
  }
  return dropped;
}

async function deliver(ports: DeliverPorts, delivery: DueDelivery, whyDropped: string | undefined): Promise<void> {
  const { webhooks, logger } = ports;
  const outcome: DeliveryOutcome =
    whyDropped === undefined ? await attempt(ports, delivery) : { kind: 'dropped', answer: whyDropped };
  if (outcome.kind === 'gone')
    logger.warn({ webhook_id: delivery.webhookId, answer: outcome.answer }, 'webhook is disabled');
  await webhooks.settle(delivery, outcome, backoffMs(RETRY_FIRST_MS, RETRY_MAX_MS, delivery.tryCount - 1));
}

/** What a status means (Standard Webhooks 1.0, "Operational considerations"). */
async function attempt(ports: DeliverPorts, delivery: DueDelivery): Promise<DeliveryOutcome> {
  const { send, clock } = ports;
  const secret = await secretOf(ports, delivery);
  if (secret === undefined)
    return { kind: 'gone', answer: 'its secret was sealed under a key that is gone: make it anew' };
  const { eventId, body, url, createdAt } = delivery;
  const seconds = Math.floor(clock.now().getTime() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Tally-Webhooks',
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signMessage(secret, eventId, seconds, body),
  };
  const isLate = clock.now().getTime() - createdAt.getTime() > GIVE_UP_MS;
  try {
    const { status } = await send({ url, headers, body });
    if (status >= 200 && status < 300) return { kind: 'delivered', answer: `${status}` };
    if (status === 410) return { kind: 'gone', answer: '410: it says that it is gone' };
    return { kind: isLate ? 'gone' : 'retry', answer: isLate ? `${status}, for a day` : `${status}` };
  } catch (err) {
    const answer = err instanceof Error ? err.message : String(err);
    return { kind: isLate ? 'gone' : 'retry', answer: isLate ? `${answer}, for a day` : answer };
  }
}
