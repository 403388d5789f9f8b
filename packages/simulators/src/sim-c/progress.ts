import type { Progress } from '../driver.js';

/** `--> Event 120 starts.`, with the thread before it in multi-threaded builds; events are numbered from 0. */
const EVENT_LINE = /^\s*(?:G4WT\d+ > )?--> Event (\d{1,15}) starts\b/;
const SUMMARY_LINE = /^\s*(?:G4WT\d+ > )?Number of events processed : (\d{1,15})\s*$/;

/** An event that starts has its number of events before it. */
export function progress(line: string): Progress | undefined {
  const [, done] = EVENT_LINE.exec(line) ?? SUMMARY_LINE.exec(line) ?? [];
  return done === undefined ? undefined : { done: Number(done) };
}
