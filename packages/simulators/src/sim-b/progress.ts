import type { Progress } from '../driver.js';

/** The simulator prints no progress: it writes it into this file, in a folder of its own below the task's. */
export const PROGRESS_FILE = /^fluka_\d+\/[^/]+\.out$/;

/** Histories handled, histories left, histories in the run so far, and three times: six numbers and nothing else. */
const ROW = /^\s*(\d{1,15})\s+(\d{1,15})\s+\d{1,15}(?:\s+[\d.]+(?:E[+-]?\d+)?){3}\s*$/;

/** `Total number of primaries run:  1000 for a weight of: 1.0E+03`, at the end of the same file. */
const TOTAL_LINE = /^\s*Total number of primaries run\s*:\s*(\d{1,15})\b/i;

/** From the rows that follow `NEXT SEEDS:` in the simulator's main output. */
export function progress(line: string): Progress | undefined {
  const [, handled, left] = ROW.exec(line) ?? [];
  if (handled === undefined || left === undefined) return undefined;
  return { done: Number(handled), total: Number(handled) + Number(left) };
}

/** What the main output says at its end. */
export function countHistories(line: string): number | undefined {
  const [, count] = TOTAL_LINE.exec(line) ?? [];
  return count === undefined ? undefined : Number(count);
}
