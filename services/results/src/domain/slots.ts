import { kitError } from '@tally/service-kit';

/** Lets at most so many pieces of work run at once; the others wait their turn, in order. */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Waits for a slot and takes it; call the result once to give it back.
   * @throws ServiceError CANCELLED when the signal aborts before there is one
   */
  async take(signal?: AbortSignal): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(signal);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
  }

  #wait(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(kitError('CANCELLED'));
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      if (signal?.aborted) return reject(kitError('CANCELLED'));
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(enter);
    });
  }
}

/** Runs `work` in a slot. @throws ServiceError CANCELLED when the signal aborts before there is one */
export async function inSlot<T>(slots: Slots, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  const giveBack = await slots.take(signal);
  try {
    return await work();
  } finally {
    giveBack();
  }
}
