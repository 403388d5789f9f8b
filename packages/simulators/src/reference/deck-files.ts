import type { DeckFiles } from '../driver.js';
import { MANIFEST_FILE } from '../output/read-manifest.js';

/** Name of this driver in manifests. */
export const DRIVER_NAME = 'reference';
/** The transport problem: equal in every task of a job. */
export const PROBLEM_FILE = 'problem.json';
/** Which histories a task runs. */
export const TASK_FILE = 'task.json';
/** What a task computed, as packages/merge reads it. */
export const OUTPUT_FILE = 'output.tally';

/** At its appearance the engine ends early, with the output of what it has simulated. */
export const FINISH_FILE = 'finish';

/** Whether a deck was made for the built-in engine, of a project or of users' own files. */
export function isReferenceDeck(deck: DeckFiles): boolean {
  if (!Object.hasOwn(deck, PROBLEM_FILE)) return false;
  try {
    const manifest: unknown = JSON.parse(deck[MANIFEST_FILE] ?? '');
    return typeof manifest === 'object' && manifest !== null && 'driver' in manifest && manifest.driver === DRIVER_NAME;
  } catch {
    return false; // a user's own file
  }
}
