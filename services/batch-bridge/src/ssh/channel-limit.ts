/** Lets at most `max` pieces of work run at a time; the others wait in order. */
export class ChannelLimit {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly max: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.max) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift(); // takes over this place
      if (next === undefined) this.#running--;
      else next();
    }
  }
}
