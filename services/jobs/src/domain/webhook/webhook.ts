import { type Clock, newId } from '@tally/service-kit';
import { fail, invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import { newWebhookSecret, openSecret, sealSecret } from './webhook-secret.js';

/** Where a user wants to be told by HTTP, without its secret. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly createdAt: Date;
  /** Null: it is called. */
  readonly disabledAt: Date | null;
  readonly disabledReason: string | null;
  /** The newest first. */
  readonly deliveries: readonly WebhookDelivery[];
}

/** What a webhook was told, or is to be told. */
export interface WebhookDelivery {
  /** Header `webhook-id`. */
  readonly eventId: string;
  readonly createdAt: Date;
  /** Null: it is repeated. */
  readonly endedAt: Date | null;
  readonly isDelivered: boolean;
  readonly tryCount: number;
  /** Status of the last answer, or why there was none. */
  readonly answer: string;
}

/** A delivery in hand. */
export interface DueDelivery {
  readonly id: bigint;
  readonly webhookId: string;
  /** Whose webhook it is. */
  readonly userId: UserId;
  /** That the user must be in to be told; null: what it tells is his own. */
  readonly groupId: string | null;
  readonly url: string;
  readonly sealedSecret: Uint8Array;
  readonly eventId: string;
  readonly body: string;
  readonly createdAt: Date;
  /** With this one. */
  readonly tryCount: number;
}

/** What has become of a try. */
export interface DeliveryOutcome {
  readonly answer: string;
  /** `gone`: the webhook is not called any more, for this reason; `dropped`: this is not told, for this reason. */
  readonly kind: 'delivered' | 'retry' | 'gone' | 'dropped';
}

/** Who is told by webhooks. */
export interface ToldUser {
  readonly userId: UserId;
  /** That the user must be in when he is told; undefined: none. */
  readonly groupId?: string | undefined;
  /** Of one of his webhooks; undefined: by all. */
  readonly webhookId?: string | undefined;
}

export interface WebhookStore {
  /** @returns false: the user has `perUserMax` already */
  create(
    userId: UserId,
    webhook: { readonly id: string; readonly url: string; readonly sealedSecret: Uint8Array<ArrayBuffer> },
    perUserMax: number,
  ): Promise<boolean>;
  list(userId: UserId, deliveriesMax: number): Promise<Webhook[]>;
  /** @returns whether there was one */
  remove(userId: UserId, id: string): Promise<boolean>;
  /** Calls it again, and what it has missed for so long. @returns whether there was one */
  enable(userId: UserId, id: string): Promise<boolean>;
  /** Tells webhooks of a user that are called, each once for an event. @returns how many there are */
  tell(told: ToldUser, eventId: string, body: string): Promise<number>;
  takeDue(rowsMax: number, holdMs: number): Promise<DueDelivery[]>;
  settle(delivery: DueDelivery, outcome: DeliveryOutcome, retryMs: number): Promise<void>;
  reseal(id: string, sealedSecret: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Forgets deliveries that ended before so long. */
  forgetEnded(afterMs: number): Promise<void>;
}

/** How webhooks are allowed and sealed here. */
export interface WebhookRules {
  readonly isEnabled: boolean;
  /** What is wrong with an address of a user; undefined: nothing, as far as it can be known before it is called. */
  readonly urlFault: (url: string) => string | undefined;
  /** Seals; empty: there are no webhooks. */
  readonly master: string;
  readonly before: string;
}

export interface WebhookPorts {
  readonly webhooks: WebhookStore;
  readonly webhookRules: WebhookRules;
  readonly clock: Clock;
  /** There may be something to deliver. */
  readonly wakeWebhooks: () => void;
}

/** Of a user. */
export const WEBHOOKS_MAX = 10;
/** Shown of each. */
export const DELIVERIES_SHOWN = 10;

/**
 * Makes a webhook of a user. Its secret is shown this once.
 * @throws ServiceError WEBHOOKS_DISABLED, REQUEST_INVALID, WEBHOOKS_EXCEEDED
 */
export async function createWebhook({ webhooks, webhookRules }: WebhookPorts, userId: UserId, url: string) {
  const { isEnabled, master, urlFault } = webhookRules;
  if (!isEnabled || master === '') throw fail('WEBHOOKS_DISABLED');
  const fault = urlFault(url);
  if (fault !== undefined) throw invalidField('/url', fault);
  const [id, secret] = [newId(), newWebhookSecret()];
  const isKept = await webhooks.create(userId, { id, url, sealedSecret: sealSecret(master, id, secret) }, WEBHOOKS_MAX);
  if (!isKept) throw fail('WEBHOOKS_EXCEEDED');
  return { id, secret };
}

/** @throws ServiceError WEBHOOK_NOT_FOUND */
export async function deleteWebhook({ webhooks }: WebhookPorts, userId: UserId, id: string): Promise<void> {
  if (!(await webhooks.remove(userId, id))) throw fail('WEBHOOK_NOT_FOUND');
}

/**
 * Sends a test to a webhook, which is called again if it was not any more.
 * @throws ServiceError WEBHOOKS_DISABLED, WEBHOOK_NOT_FOUND
 */
export async function testWebhook(ports: WebhookPorts, userId: UserId, id: string): Promise<void> {
  const { webhooks, webhookRules, clock } = ports;
  if (!webhookRules.isEnabled) throw fail('WEBHOOKS_DISABLED');
  if (!(await webhooks.enable(userId, id))) throw fail('WEBHOOK_NOT_FOUND');
  const body = JSON.stringify({ type: 'test', timestamp: clock.now().toISOString(), data: {} });
  await webhooks.tell({ userId, webhookId: id }, `msg_${newId()}`, body);
  ports.wakeWebhooks();
}

/** The secret of a delivery; undefined: it was sealed under a master that is gone. Seals anew what the former master has sealed. */
export async function secretOf(
  { webhooks, webhookRules }: Pick<WebhookPorts, 'webhooks' | 'webhookRules'>,
  { webhookId, sealedSecret }: Pick<DueDelivery, 'webhookId' | 'sealedSecret'>,
): Promise<string | undefined> {
  const { master, before } = webhookRules;
  const secret = openSecret([master], webhookId, sealedSecret);
  if (secret !== undefined) return secret;
  const old = openSecret([before], webhookId, sealedSecret);
  if (old !== undefined && master !== '') await webhooks.reseal(webhookId, sealSecret(master, webhookId, old));
  return old;
}
