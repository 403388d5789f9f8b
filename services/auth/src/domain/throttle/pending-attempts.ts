/** How to say what has become of an attempt. */
export interface PendingAttempt {
  /** It was counted, and it is known whether it failed. */
  readonly decided: () => void;
  /** There was no room for it. */
  readonly refused: () => void;
}

/** Attempts of this copy of the service that are counted, and of which it is not yet known whether they fail. */
export class PendingAttempts {
  readonly #byKey = new Map<string, Set<Promise<void>>>();
  #decidedCount = 0;

  /** How many have been decided so far: what has found no room while that changed may find some now. */
  get decidedCount(): number {
    return this.#decidedCount;
  }

  /** Notes an attempt under these counts. */
  begin(keys: readonly string[]): PendingAttempt {
    let settle = () => {};
    const decision = new Promise<void>((resolve) => {
      settle = resolve;
    });
    for (const key of keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(decision));
    const end = () => {
      for (const key of keys) {
        const decisions = this.#byKey.get(key);
        decisions?.delete(decision);
        if (decisions?.size === 0) this.#byKey.delete(key);
      }
      settle();
    };
    const decided = () => {
      this.#decidedCount += 1;
      end();
    };
    return { decided, refused: end };
  }

  /** Resolves when one of a count is decided; undefined: there is none. */
  next(key: string): Promise<void> | undefined {
    const decisions = this.#byKey.get(key);
    return decisions && Promise.race(decisions);
  }
}
