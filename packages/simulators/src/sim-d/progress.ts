import type { Progress } from '../driver.js';

const HISTORY_LINE = /^\s*(?:G4WT\d+ > )?Begin processing for Run: \d+, History: (\d{1,15})\b/;

/** A history that begins has its number of histories before it. */
export function progress(line: string): Progress | undefined {
  const [, done] = HISTORY_LINE.exec(line) ?? [];
  return done === undefined ? undefined : { done: Number(done) };
}
