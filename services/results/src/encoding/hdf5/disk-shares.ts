interface Waiting {
  readonly owner: string;
  readonly bytes: number;
  readonly start: () => void;
}

/**
 * Room on the disk for files that wait for their readers: so many bytes, of which one owner has half, or one file. Whoever comes first
 * goes first, but for who waits for files of his own.
 */
export class DiskShares {
  readonly #held = new Map<string, number>();
  #waiting: Waiting[] = [];
  #heldBytes = 0;

  /** @param bytesMax - at least the largest file */
  constructor(private readonly bytesMax: number) {}

  /**
   * Resolves, when there is room, to what gives it back; more than once does nothing.
   * @throws the reason of the signal when it aborts before
   */
  async take(owner: string, bytes: number, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== entry);
        reject(signal?.reason);
        this.#startNext();
      };
      const start = () => {
        signal?.removeEventListener('abort', leave);
        this.#hold(owner, bytes);
        resolve();
      };
      const entry = { owner, bytes, start };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting.push(entry);
      this.#startNext();
    });
    let isHeld = true;
    return () => {
      if (isHeld) this.#hold(owner, -bytes);
      isHeld = false;
      this.#startNext();
    };
  }

  #hold(owner: string, bytes: number): void {
    const held = (this.#held.get(owner) ?? 0) + bytes;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    this.#heldBytes += bytes;
  }

  #startNext(): void {
    for (const one of this.#waiting) {
      const own = this.#held.get(one.owner) ?? 0;
      if (own > 0 && own + one.bytes > this.bytesMax / 2) continue;
      if (this.#heldBytes + one.bytes > this.bytesMax) return;
      this.#waiting = this.#waiting.filter((waiting) => waiting !== one);
      one.start();
    }
  }
}
