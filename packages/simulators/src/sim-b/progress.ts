import type { Progress } from '../driver.js';

/** The simulator prints no progress: it writes it into this file, in a folder of its own below the task's. */
export const PROGRESS_FILE = /^fluka_\d+\/[^/]+\.out$/;

/** Histories handled, histories left, histories in the run so far, and three times: six numbers and nothing else. */
const ROW = /^\s*(\d{1,15})\s+(\d{1,15})\s+\d{1,15}(?:\s+[\d.]+(?:E[+-]?\d+)?){3}\s*$/;

/** From the rows that follow `NEXT SEEDS:` in the simulator's main output. */
export function progress(line: string): Progress | undefined {
  const [, handled, left] = ROW.exec(line) ?? [];
  if (handled === undefined || left === undefined) return undefined;
  return { done: Number(handled), total: Number(handled) + Number(left) };
}
