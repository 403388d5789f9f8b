import type { Outbox, OutboxMessage, Publisher } from './ports.js';

export interface DispatchPorts {
  readonly outbox: Outbox;
  readonly publisher: Publisher;
  readonly settings: {
    readonly dispatchWindowTasks: number;
    readonly publishTimeoutMs: number;
    readonly redispatchAfterMs: number;
    readonly redispatchAfterMaxMs: number;
  };
}

/** Reserved for longer than a publish may take, so that nobody else publishes a message while one still tries. */
const RESERVE_FACTOR = 2;

/**
 * Publishes what is due: reserve, publish with confirms, mark. Killed anywhere in between, the messages are due again
 * once the reservation ends; a message that went out twice does no harm, because claiming it is idempotent.
 * @returns how many were published
 * @throws the publisher's error when the broker did not take one; those it took are marked
 */
export async function dispatchMessages({ outbox, publisher, settings }: DispatchPorts): Promise<number> {
  const messages = await outbox.reserve(settings.dispatchWindowTasks, RESERVE_FACTOR * settings.publishTimeoutMs);
  if (messages.length === 0) return 0;
  const attempts = await Promise.allSettled(messages.map((message) => publisher.publish(message)));
  const idsOf = (status: 'fulfilled' | 'rejected') =>
    messages.filter((_: OutboxMessage, index) => attempts[index]?.status === status).map(({ outboxId }) => outboxId);
  const published = idsOf('fulfilled');
  const refused = idsOf('rejected');
  if (published.length > 0) {
    await outbox.markPublished(published, settings.redispatchAfterMs, settings.redispatchAfterMaxMs);
  }
  if (refused.length > 0) {
    await outbox.giveBack(refused);
    throw attempts.find((attempt) => attempt.status === 'rejected')?.reason;
  }
  return published.length;
}
