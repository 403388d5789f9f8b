type Lane = string | symbol;

/** What waits, by lane: those of one lane in the order of their arrival, the lanes in turn. */
export class Lanes<T> {
  /** The next lane first. */
  readonly #byLane = new Map<Lane, readonly T[]>();

  /** How many wait. */
  get count(): number {
    return [...this.#byLane.values()].reduce((sum, { length }) => sum + length, 0);
  }

  countIn(lane: Lane): number {
    return this.#byLane.get(lane)?.length ?? 0;
  }

  add(lane: Lane, entry: T): void {
    this.#byLane.set(lane, [...(this.#byLane.get(lane) ?? []), entry]);
  }

  remove(lane: Lane, entry: T): void {
    this.#keep(
      lane,
      (this.#byLane.get(lane) ?? []).filter((one) => one !== entry),
    );
  }

  /**
   * Where so many wait, takes out the last one of the longest lane, so that one more of this lane may wait.
   * @returns `isFull`: there is no room, since no lane is longer than this one would be; `displaced`: who has made room
   */
  makeRoom(lane: Lane, waitingMax: number): { readonly isFull: boolean; readonly displaced?: T } {
    if (this.count < waitingMax) return { isFull: false };
    const [longest] = [...this.#byLane].toSorted(([, one], [, other]) => other.length - one.length);
    const [name, entries] = longest ?? [lane, []];
    const displaced = entries.at(-1);
    if (displaced === undefined || entries.length <= this.countIn(lane) + 1) return { isFull: true };
    this.#keep(name, entries.slice(0, -1));
    return { isFull: false, displaced };
  }

  /** Takes the first of the next lane that may have its turn, which goes behind the others. */
  takeNext(mayGo: (lane: Lane) => boolean = () => true): { readonly lane: Lane; readonly entry: T } | undefined {
    const next = [...this.#byLane].find(([lane]) => mayGo(lane));
    if (next === undefined) return undefined;
    const [lane, [entry, ...others]] = next;
    this.#byLane.delete(lane);
    this.#keep(lane, others);
    return entry === undefined ? undefined : { lane, entry };
  }

  /** Takes all. */
  clear(): T[] {
    const all = [...this.#byLane.values()].flat();
    this.#byLane.clear();
    return all;
  }

  #keep(lane: Lane, entries: readonly T[]): void {
    if (entries.length > 0) this.#byLane.set(lane, entries);
    else this.#byLane.delete(lane);
  }
}
