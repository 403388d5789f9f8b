/** Attempts of this copy of the service that are counted, and of which it is not yet known whether they fail. */
export class PendingAttempts {
  readonly #byKey = new Map<string, Set<Promise<void>>>();

  /** Notes an attempt under these counts. Returns how to say that it is decided. */
  begin(keys: readonly string[]): () => void {
    let decided = () => {};
    const decision = new Promise<void>((resolve) => {
      decided = resolve;
    });
    for (const key of keys) this.#byKey.set(key, (this.#byKey.get(key) ?? new Set()).add(decision));
    return () => {
      for (const key of keys) {
        const decisions = this.#byKey.get(key);
        decisions?.delete(decision);
        if (decisions?.size === 0) this.#byKey.delete(key);
      }
      decided();
    };
  }

  /** Resolves when one of a count is decided; undefined: there is none. */
  next(key: string): Promise<void> | undefined {
    const decisions = this.#byKey.get(key);
    return decisions && Promise.race(decisions);
  }
}
