import type { Progress } from '../driver.js';

/** `--> Event 120 starts.`, with the thread before it in multi-threaded builds; events are numbered from 0. */
const EVENT_LINE = /^\s*(?:G4WT\d+ > )?--> Event (\d{1,15}) starts\b/;
/** Of the whole run; workers say their own number behind their name. Or that the run was aborted after so many. */
const SUMMARY_LINE =
  /^\s*(?:Number of events processed : (\d{1,15})|Run Aborted after (\d{1,15}) events processed\.)\s*$/;

/** A file in the folder of a task. */
export const FINISH_FILE = 'finish';
const FINISH_LINE = `Ends early at the file: ${FINISH_FILE}`;

/** An event that starts has its number of events before it. */
export function progress(line: string): Progress | undefined {
  const done = EVENT_LINE.exec(line)?.[1] ?? countHistories(line);
  return done === undefined ? undefined : { done: Number(done) };
}

/** What the summary of a run says. */
export function countHistories(line: string): number | undefined {
  const [, processed, aborted] = SUMMARY_LINE.exec(line) ?? [];
  const count = processed ?? aborted;
  return count === undefined ? undefined : Number(count);
}

/** Whether a program says that it looks for {@link FINISH_FILE}, as simulators/geant4 does. */
export function announcesFinish(line: string): boolean {
  return line.trim() === FINISH_LINE;
}
