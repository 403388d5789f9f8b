/** Runs a claimed piece of work, and counts it. */
export type Meter = (kind: 'task' | 'merge', run: () => Promise<void>) => Promise<void>;
