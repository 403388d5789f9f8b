import pLimit, { type LimitFunction } from 'p-limit';
import { fail } from '../errors.js';

/** p-limit with a bounded queue that can be left: a number of calls run at once and a number wait, in order of arrival. */
export class ConcurrencyLimit {
  readonly #limit: LimitFunction;
  readonly #callsMax: number;
  /** Running and waiting. */
  #callCount = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#limit = pLimit(runningMax);
    this.#callsMax = runningMax + waitingMax;
  }

  /**
   * Runs the work when it is its turn.
   * @throws ServiceError LOGINS_BUSY when too many wait already, or when the signal aborts before its turn
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#callCount >= this.#callsMax || signal?.aborted) throw busy();
    this.#callCount++;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        this.#callCount--;
        reject(busy());
      };
      signal?.addEventListener('abort', leave, { once: true });
      const start = async (): Promise<void> => {
        if (signal?.aborted) return; // it has left
        signal?.removeEventListener('abort', leave);
        try {
          resolve(await work());
        } catch (err) {
          reject(err);
        } finally {
          this.#callCount--;
        }
      };
      void this.#limit(start);
    });
  }
}

const busy = () => fail('LOGINS_BUSY', { retryAfterMs: 1_000 });
