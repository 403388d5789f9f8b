import type { Progress } from '../driver.js';

/** The engine prints `progress <done> <total>`, alone on its line. */
const PROGRESS_LINE = /^progress (\d{1,16}) (\d{1,16})$/;

/** Histories done and asked for, from a line that the engine printed. */
export function progress(line: string): Progress | undefined {
  const [, done, total] = PROGRESS_LINE.exec(line.trim()) ?? [];
  return done === undefined ? undefined : { done: Number(done), total: Number(total) };
}
