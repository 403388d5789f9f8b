import { type Clock, clientNetwork } from '@tally/service-kit';
import { LRUCache } from 'lru-cache';
import { fail } from '../../errors.js';

/** Links that open nothing, shown from one address within a window: more than a room of people mistypes. */
const FAILURES_MAX = 30;
const WINDOW_MS = 60_000;
/** Addresses that are counted: a few megabytes. */
const ADDRESSES_MAX = 10_000;

/** Counts share links that open nothing, by address (IPv6: the /64): whoever tries links is turned away before jobs is asked. */
export class ShareLinks {
  readonly #failures = new LRUCache<string, { count: number; readonly endsAtMs: number }>({ max: ADDRESSES_MAX });

  /** @param isGuestAllowed - whether a link opens something to who is not signed in */
  constructor(
    readonly isGuestAllowed: boolean,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError SHARE_LINKS_THROTTLED while an address has shown too many links that open nothing */
  check(address: string): void {
    const failures = this.#current(address);
    if (failures === undefined || failures.count < FAILURES_MAX) return;
    throw fail('SHARE_LINKS_THROTTLED', { retryAfterMs: failures.endsAtMs - this.clock.monotonicMs() });
  }

  /** A link has opened nothing. */
  noteFailure(address: string): void {
    const failures = this.#current(address);
    if (failures !== undefined) failures.count += 1;
    else this.#failures.set(clientNetwork(address), { count: 1, endsAtMs: this.clock.monotonicMs() + WINDOW_MS });
  }

  #current(address: string) {
    const failures = this.#failures.get(clientNetwork(address));
    return failures !== undefined && this.clock.monotonicMs() < failures.endsAtMs ? failures : undefined;
  }
}
