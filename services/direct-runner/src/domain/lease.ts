import type { Clock, Logger } from '@tally/service-kit';
import { isRefusal } from './retry.js';
import type { StopCause } from './task.js';

/** A lease being kept. */
export interface Lease {
  /** Aborts when the attempt may not be ours any more; `reason` is `unwanted` or `lease-lost`. */
  readonly lost: AbortSignal;
  /** Aborts only when jobs has said that it is not wanted. */
  readonly unwanted: AbortSignal;
  /** Sends no more heartbeats. */
  end(): void;
}

export interface LeaseTerms {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** A heartbeat may take this long, whatever its interval. */
const BEAT_TIMEOUT_MS_MIN = 1_000;

/**
 * Sends heartbeats until told not to. Without a successful one for the length of the lease the lease is lost: another
 * runner may have the work. Heartbeats go on after that, because only jobs can say that the work is unwanted.
 *
 * @param beat - sends one heartbeat; true: the work is not wanted any more
 */
export function keepLease(
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
  { leaseMs, heartbeatMs }: LeaseTerms,
  beat: (timeoutMs: number) => Promise<boolean>,
): Lease {
  const lost = new AbortController();
  const unwanted = new AbortController();
  const ended = new AbortController();
  const timeoutMs = Math.max(BEAT_TIMEOUT_MS_MIN, Math.min(2 * heartbeatMs, leaseMs / 3));
  const giveUp = () => {
    unwanted.abort();
    lost.abort('unwanted' satisfies StopCause);
    ended.abort();
  };
  const keep = async () => {
    let renewedAtMs = clock.now().getTime();
    for (;;) {
      await clock.sleep(heartbeatMs, ended.signal);
      if (ended.signal.aborted) return;
      const sentAtMs = clock.now().getTime();
      try {
        if (await beat(timeoutMs)) return giveUp();
        renewedAtMs = sentAtMs;
      } catch (err) {
        if (isRefusal(err)) return giveUp();
        logger.warn({ err }, 'heartbeat failed');
      }
      if (clock.now().getTime() - renewedAtMs >= leaseMs) lost.abort('lease-lost' satisfies StopCause);
    }
  };
  void keep();
  return { lost: lost.signal, unwanted: unwanted.signal, end: () => ended.abort() };
}
