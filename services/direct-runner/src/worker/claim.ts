import { type Clock, type Logger, type Origin, workFor } from '@tally/service-kit';
import type { RunnerLimits } from '../domain/ports.js';
import { retryTerms, retryToOutcome } from '../domain/retry.js';

/** A message that this runner has taken from a queue, and has to settle in one of three ways. */
export interface ReceivedMessage<T> {
  /** Absent: not readable. */
  readonly content: T | undefined;
  readonly origin: Origin;
  /** Done with it. */
  ack(): Promise<void>;
  /** Again later, for whoever is free then. */
  requeue(): Promise<void>;
  /** Never again: to the dead-letter queue. */
  deadLetter(): Promise<void>;
}

export interface ClaimContext {
  readonly limits: RunnerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Decides a received message by a claim, and acknowledges it only when the claim is decided: claimed or not claimable,
 * the message is done; undecided, it is delivered again. While jobs does not answer the message is kept, because every time
 * it is given back counts against its delivery limit. `undefined`: there is nothing to do.
 */
export async function claimReceived<T, Order>(
  context: ClaimContext,
  received: ReceivedMessage<T>,
  claim: (content: T) => Promise<Order | undefined>,
  drain: AbortSignal,
): Promise<Order | undefined> {
  const { content } = received;
  const { logger } = context;
  if (content === undefined) {
    logger.error({}, 'message is not readable');
    await received.deadLetter();
    return undefined;
  }
  const { claimTimeLimitMs } = context.limits;
  const attempt = () => workFor(received.origin, 'claim', {}, () => claim(content));
  const claimed = await retryToOutcome(attempt, retryTerms(context, claimTimeLimitMs, drain, 'claim'));
  switch (claimed.kind) {
    case 'done':
      // a lost acknowledgement does no harm: the message is delivered again and is not claimable
      await received.ack().catch((err: unknown) => logger.warn({ err }, 'message could not be acknowledged'));
      return claimed.value;
    case 'refused':
      logger.error({ err: claimed.err }, 'claim was refused');
      await received.deadLetter();
      return undefined;
    case 'expired':
    case 'interrupted':
      await received.requeue();
      return undefined;
  }
}
