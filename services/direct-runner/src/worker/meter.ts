/** Counts a runner's work. */
export interface Meter {
  /** A slot works on it as long as the promise takes. */
  busy<T>(kind: 'task' | 'merge', work: () => Promise<T>): Promise<T>;
  /** Begins with the claim of a task or merge; what is returned is called at its reported end. */
  begin(kind: 'task' | 'merge'): () => void;
  /** From now on a slot that is free takes nothing any more. */
  drain(): void;
}
