import type { DeckFiles } from '../driver.js';

/** One path component of harmless characters, which no program takes for an option. */
const FILE_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/** Whether a file of a deck may have this name. */
export function isDeckFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** Whether a text is a path that leads out of the folder that a simulator works in. */
export function isForeignPath(text: string): boolean {
  return /^[/~\\]/.test(text) || text.split('/').includes('..');
}

/** Whether a text names a file of the deck. */
export function isDeckFile(text: string, files: DeckFiles): boolean {
  return Object.hasOwn(files, text.replace(/^\.\//, ''));
}
