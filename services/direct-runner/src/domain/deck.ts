import type { DeckFiles } from '@tally/simulators';
import { isDeckFileName } from '@tally/simulators/run';
import { failureError } from './errors.js';

/** @throws ServiceError DECK_INVALID for a file name that jobs would not have taken either */
export function requireFileNames(files: DeckFiles): DeckFiles {
  const bad = Object.keys(files).find((name) => !isDeckFileName(name));
  if (bad !== undefined) throw failureError('DECK_INVALID', `${JSON.stringify(bad.slice(0, 200))} is not a file name`);
  return files;
}
