import { setTimeout as sleep } from 'node:timers/promises';

/** How often and how long {@link waitFor} asks. */
export interface WaitOptions {
  /** Total time before giving up, in ms; a minute unless given: a busy machine may need it. */
  readonly timeoutMs?: number;
  /** Pause between two questions, in ms; 25 unless given. */
  readonly intervalMs?: number;
  /** Words for the error: "waited 60000 ms for <what>". */
  readonly what?: string;
}

/**
 * Asks until the condition gives something other than `undefined`, `null` or `false`, and returns that. A condition
 * that throws counts as "not yet"; the last error is the cause of the one thrown at the end of the time.
 */
export async function waitFor<T>(
  condition: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  options: WaitOptions = {},
): Promise<T> {
  const { timeoutMs = 60_000, intervalMs = 25, what = 'a condition' } = options;
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) return value;
    } catch (err) {
      cause = err;
    }
    if (performance.now() >= deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause });
    await sleep(intervalMs);
  }
}
