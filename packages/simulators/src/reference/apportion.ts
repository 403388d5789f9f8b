import type { EngineTask } from '@tally/engine';
import { ConversionError } from '../conversion-error.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { PROBLEM_FILE, TASK_FILE } from './deck-files.js';

/**
 * The deck of one task: the job's, and `task.json` with the task's histories.
 * @throws ConversionError `DECK_INVALID` when the deck has no problem
 */
export function apportion(files: DeckFiles, { primaries, firstHistory, seed }: TaskShare): DeckFiles {
  if (!Object.hasOwn(files, PROBLEM_FILE)) {
    throw new ConversionError('DECK_INVALID', [{ path: PROBLEM_FILE, message: 'is missing from the deck' }]);
  }
  const task: EngineTask = { primaries, firstHistory, seed };
  return { ...files, [TASK_FILE]: JSON.stringify(task) };
}
