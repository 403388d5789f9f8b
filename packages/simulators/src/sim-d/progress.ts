import type { Progress } from '../driver.js';

const HISTORY_LINE = /^\s*(?:G4WT\d+ > )?Begin processing for Run: (\d{1,9}), History: (\d{1,15})\b/;
const TOTAL_LINE = /^\s*(?:G4WT\d+ > )?Particle source \S.*: Total number of histories: (\d{1,15})\s*$/;

/** A history that begins has those of its run before it; what the simulator calls a history has one of each source. */
export function progress(line: string): Progress | undefined {
  const [, run, history] = HISTORY_LINE.exec(line) ?? [];
  return run === undefined || history === undefined ? undefined : { done: Number(history), run: Number(run) };
}

/** What each source says at the end: its histories of all runs. */
export function countHistories(line: string): number | undefined {
  const [, count] = TOTAL_LINE.exec(line) ?? [];
  return count === undefined ? undefined : Number(count);
}
