import { type Clock, Lanes } from '@tally/service-kit';
import { fail } from '../errors.js';

/** Who waits for a turn. */
export interface Waiting {
  /** Those of one lane are served in order of arrival, the lanes in turn: an address, or a user who has a session. */
  readonly lane: string;
  /** Has proven to have been here before: goes first. */
  readonly isKnown: boolean;
}

export interface HashQueueLimits {
  readonly runningMax: number;
  /** Of those who are known, and of strangers. */
  readonly waitingMax: number;
  readonly waitingPerLaneMax: number;
}

interface Entry {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** So many who are known go before a stranger who waits: neither keeps the other out. */
const KNOWN_IN_A_ROW_MAX = 3;

/** Share of the last work in what works are taken to last. */
const LAST_SHARE = 0.2;
const RETRY_AFTER_MS_MIN = 1_000;

/**
 * A number of works run at once and a bounded number wait. Whoever has proven to have been here before goes first, and lanes take
 * turns, so that a flood from one place makes only that place wait. Where there is no room, a longer lane gives one up. Who is refused is
 * told after how long those who wait now will have had their turn, by the time that works have lasted.
 */
export class HashQueue {
  readonly #known = new Lanes<Entry>();
  readonly #strangers = new Lanes<Entry>();
  #runningCount = 0;
  #knownInARow = 0;

  /** What works last, milliseconds. */
  #workMs = 0;

  constructor(
    private readonly limits: HashQueueLimits,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {}

  /**
   * Runs the work when it is its turn.
   * @throws ServiceError LOGINS_BUSY when too many wait already, or when the signal aborts before its turn
   */
  async run<T>(waiting: Waiting, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw this.#busy();
    if (this.#runningCount >= this.limits.runningMax) await this.#wait(waiting, signal);
    else this.#runningCount++;
    const begunMs = this.clock.monotonicMs();
    try {
      return await work();
    } finally {
      const tookMs = this.clock.monotonicMs() - begunMs;
      this.#workMs = this.#workMs === 0 ? tookMs : this.#workMs + LAST_SHARE * (tookMs - this.#workMs);
      this.#runningCount--;
      this.#startNext();
    }
  }

  #wait({ lane, isKnown }: Waiting, signal: AbortSignal | undefined): Promise<void> {
    const lanes = isKnown ? this.#known : this.#strangers;
    return new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        signal?.removeEventListener('abort', leave);
        then();
      };
      const entry = { start: () => settle(resolve), refuse: () => settle(() => reject(this.#busy())) };
      const leave = () => {
        lanes.remove(lane, entry);
        entry.refuse();
      };
      this.#makeRoom(lanes, lane);
      lanes.add(lane, entry);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  #makeRoom(lanes: Lanes<Entry>, lane: string): void {
    const { waitingMax, waitingPerLaneMax } = this.limits;
    if (lanes.countIn(lane) >= waitingPerLaneMax) throw this.#busy();
    const { isFull, displaced } = lanes.makeRoom(lane, waitingMax);
    if (isFull) throw this.#busy();
    displaced?.refuse();
  }

  #busy() {
    const waiting = this.#known.count + this.#strangers.count;
    const waitMs = Math.round((waiting / this.limits.runningMax) * this.#workMs);
    return fail('LOGINS_BUSY', { retryAfterMs: Math.max(RETRY_AFTER_MS_MIN, waitMs) });
  }

  #startNext(): void {
    const isStrangersTurn = this.#knownInARow >= KNOWN_IN_A_ROW_MAX && this.#strangers.count > 0;
    const lanes = this.#known.count > 0 && !isStrangersTurn ? this.#known : this.#strangers;
    const next = lanes.takeNext();
    if (next === undefined) return;
    this.#knownInARow = lanes === this.#known ? this.#knownInARow + 1 : 0;
    this.#runningCount++;
    next.entry.start();
  }
}
