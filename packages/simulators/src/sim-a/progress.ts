import type { Progress } from '../driver.js';

const HISTORY_LINE = /\bPrimary particle no\.\s*(\d{1,15})\s*ETR:/;
const START_LINE = /\bRequested number of primaries NSTAT\s*:\s*(\d{1,15})/;

/** From `Primary particle no. 250 ETR: …` and, before the first of them, `Requested number of primaries NSTAT : 1000`. */
export function progress(line: string): Progress | undefined {
  const [, done] = HISTORY_LINE.exec(line) ?? [];
  if (done !== undefined) return { done: Number(done) };
  const [, total] = START_LINE.exec(line) ?? [];
  return total === undefined ? undefined : { done: 0, total: Number(total) };
}
