/** Counts a runner's work. */
export interface Meter {
  /** A slot works on a task as long as the promise takes. */
  busy<T>(work: () => Promise<T>): Promise<T>;
  /** Begins with the claim of a task; what is returned is called at its reported end. */
  begin(): () => void;
  /** From now on a slot that is free takes nothing any more. */
  drain(): void;
}
