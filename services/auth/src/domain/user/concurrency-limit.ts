import { fail } from '../errors.js';

/** Lets a number of works run at once and a number wait, in order of arrival. */
export class ConcurrencyLimit {
  #runningCount = 0;
  readonly #waiting = new Set<() => void>();

  constructor(
    private readonly runningMax: number,
    private readonly waitingMax: number,
  ) {}

  /**
   * Runs the work when it is its turn.
   * @throws ServiceError LOGINS_BUSY when too many wait already, or when the signal aborts before its turn
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#runningCount < this.runningMax) this.#runningCount++;
    else await this.#wait(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#runningCount--;
      else next(); // hands its place over
    }
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    if (this.#waiting.size >= this.waitingMax || signal?.aborted) throw fail('LOGINS_BUSY', { retryAfterMs: 1_000 });
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        reject(fail('LOGINS_BUSY', { retryAfterMs: 1_000 }));
      };
      const enter = (): void => {
        this.#waiting.delete(enter);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.add(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
