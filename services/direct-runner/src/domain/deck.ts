import type { DeckFiles } from '@tally/simulators';
import { failureError } from './errors.js';

/** One path component of harmless characters. jobs checks the same at submission; nothing here relies on that. */
const FILE_NAME = /^[A-Za-z0-9._-]{1,128}$/;

/** True for a name that cannot lead out of the folder it is put in. */
export function isFileName(name: string): boolean {
  return FILE_NAME.test(name) && name !== '.' && name !== '..';
}

/** @throws ServiceError DECK_INVALID for a file name that is not one plain path component */
export function requireFileNames(files: DeckFiles): DeckFiles {
  const bad = Object.keys(files).find((name) => !isFileName(name));
  if (bad !== undefined) throw failureError('DECK_INVALID', `${JSON.stringify(bad.slice(0, 200))} is not a file name`);
  return files;
}
