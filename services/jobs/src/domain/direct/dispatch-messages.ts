import type { Outbox, OutboxMessage, Publisher } from '../ports.js';

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
 * @returns whether the window is full, so that others may wait for room
 * @throws the publisher's error when the broker did not take one; those it took are marked
 */
export async function dispatchMessages({ outbox, publisher, settings }: DispatchPorts): Promise<boolean> {
  const forMs = RESERVE_FACTOR * settings.publishTimeoutMs;
  const { messages, isWindowFull } = await outbox.reserve(settings.dispatchWindowTasks, forMs);
  // without any, the window is full or nobody waits
  if (messages.length === 0) return isWindowFull && (await outbox.look(settings.dispatchWindowTasks)).isWindowFull;
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
  return isWindowFull;
}

/**
 * Part of the window that must be free before those who wait for room are looked after, unless time does it. A round for each place
 * would be dear; whoever comes late waits behind a window at most, whatever the part, and in a queue that does not keep the order of
 * messages published at once, behind the others of its round.
 */
const WINDOW_SHARE = 2;

/**
 * When to dispatch: messages were added, enough room was made for those that wait, or a look finds some that are due. Tasks that
 * are added while the window is full wait like the others, and cost nothing until then.
 */
export function createDispatcher(ports: DispatchPorts) {
  const { dispatchWindowTasks } = ports.settings;
  const placesMin = Math.ceil(dispatchWindowTasks / WINDOW_SHARE);
  let hasMessages = false;
  let hasTasks = false;
  let isWindowFull = true;
  let isInRound = false;
  let freeCount = 0;
  const hasRoom = () => isWindowFull && freeCount >= placesMin;
  const dispatch = async (): Promise<void> => {
    const isDue = hasMessages || (hasTasks && !isWindowFull) || hasRoom();
    hasMessages = false;
    hasTasks = false;
    if (!isDue) {
      const found = await ports.outbox.look(dispatchWindowTasks);
      isWindowFull = found.isWindowFull;
      if (!found.isDue) return;
    }
    freeCount = 0;
    isWindowFull = await dispatchMessages(ports);
  };
  return {
    /** To be told of what happened; true: a round is due. */
    onMessages: (): boolean => {
      hasMessages = true;
      return true;
    },
    onTasks: (): boolean => {
      hasTasks = true;
      return isInRound || !isWindowFull; // a round that is under way may not see them
    },
    onRoom: (placeCount: number): boolean => {
      freeCount += placeCount;
      return hasRoom();
    },
    round: async (): Promise<void> => {
      isInRound = true;
      try {
        await dispatch();
      } finally {
        isInRound = false;
      }
    },
  };
}
