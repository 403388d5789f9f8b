/** The queues that a service uses. */
export interface QueueTopology {
  readonly queues: readonly QueueSettings[];
}

/** One queue; it has a dead-letter queue `<name>.dead` beside it. */
export interface QueueSettings {
  readonly name: string;
  /** How often a message is delivered at most, retries included, before it goes to the dead-letter queue; at least 1. */
  readonly deliveryLimit: number;
  /** How long a message that was given back by `retry` stays away, in ms. */
  readonly retryDelayMs: number;
}

/** What travels. Consumers must be idempotent by `id`: a message can be delivered more than once. */
export interface QueueMessage {
  readonly id: string;
  /** At most {@link MESSAGE_SIZE_BYTES_MAX}: a message carries names, not data. */
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A message delivered to one consumer, which settles it by exactly one of `ack`, `retry`, `reject`. Each throws
 * DELIVERY_LOST if the delivery is no longer this consumer's, and UNAVAILABLE if the broker cannot be reached; the
 * message is delivered again in both cases.
 */
export interface Delivery {
  readonly message: QueueMessage;
  /** 1 on the first delivery. */
  readonly deliveryCount: number;
  /** Done: the message is gone. */
  ack(): Promise<void>;
  /** A transient error: again after `retryDelayMs`, or to the dead-letter queue if this was the last allowed delivery. */
  retry(): Promise<void>;
  /** A permanent error: to the dead-letter queue at once. */
  reject(): Promise<void>;
}

/**
 * Durable queues with at-least-once delivery. A lost connection is opened again: `receive` keeps
 * waiting, everything else throws UNAVAILABLE until it is back. A message whose consumer dies is delivered again.
 */
export interface Queue {
  /**
   * Resolves when the broker has the message safely. After an UNAVAILABLE it may have it or not: publish it again,
   * under the same id. Throws UNKNOWN_QUEUE and MESSAGE_TOO_LARGE without asking the broker.
   */
  publish(queue: string, message: QueueMessage): Promise<void>;
  /**
   * One message, as soon as there is one; nothing is fetched beyond it. Also takes `<name>.dead`, where `retry` and
   * `reject` both put the message back. Rejects with the signal's reason on abort.
   */
  receive(queue: string, signal: AbortSignal): Promise<Delivery>;
  /** Messages that wait in the queue now: neither delivered nor delayed for a retry. Also `<name>.dead`. */
  depth(queue: string): Promise<number>;
  /** Resolves if the broker answers. */
  health(): Promise<void>;
  /** Ends all connections; unsettled messages go back, a waiting `receive` rejects with CLOSED. Safe to repeat. */
  close(): Promise<void>;
}

/** Largest body of a message, in bytes. */
export const MESSAGE_SIZE_BYTES_MAX = 1024 * 1024;

/**
 * UNAVAILABLE: the broker cannot be reached, try again. REFUSED: it can, and does not let us: password, rights, or a queue that is
 * there with other arguments; the message says which. UNKNOWN_QUEUE: not in the topology, or gone from the broker.
 * MESSAGE_TOO_LARGE: will never pass. DELIVERY_LOST: settled before, or taken back. CLOSED: `close` was called.
 */
export type QueueErrorReason =
  | 'UNAVAILABLE'
  | 'REFUSED'
  | 'UNKNOWN_QUEUE'
  | 'MESSAGE_TOO_LARGE'
  | 'DELIVERY_LOST'
  | 'CLOSED';

/** What every method of {@link Queue} and {@link Delivery} throws. */
export class QueueError extends Error {
  override readonly name = 'QueueError';

  constructor(
    readonly reason: QueueErrorReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
