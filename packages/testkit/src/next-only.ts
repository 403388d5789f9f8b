/** Holds one thing at a time, until somebody takes it. */
export class NextOnly<T> {
  #held: { readonly thing: T; readonly onTaken: () => void } | undefined;

  /** Takes what is held, if it is wanted. */
  take(isWanted: (thing: T) => boolean): T | undefined {
    const held = this.#held;
    if (held === undefined || !isWanted(held.thing)) return undefined;
    this.#held = undefined;
    held.onTaken();
    return held.thing;
  }

  /** Resolves to whether it was taken within the time; then it is held no more. */
  offer(thing: T, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        if (this.#held === held) this.#held = undefined;
        resolve(false);
      }, timeoutMs);
      const onTaken = () => {
        clearTimeout(late);
        resolve(true);
      };
      const held = { thing, onTaken };
      this.#held = held;
    });
  }
}
