import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isDeckFile, isDeckFileName, isForeignPath } from '../deck/foreign-path.js';
import type { DeckFiles } from '../driver.js';
import { findIncluded, findInput, type InputLine, listLines } from './cards.js';

/** Cards that call routines of the user, which would have to be compiled (FLUKA manual, chapter 13). */
const ROUTINE_CARDS = ['SOURCE', 'USRICALL', 'USROCALL', 'USRGCALL', 'USERWEIG'];
/** What would be compiled or linked. */
const ROUTINE_FILE = /\.(?:f|for|f77|f90|f95|c|cc|cpp|cxx|h|inc|o|a|so|sh|py)$/i;

const OWN_FILES = 'only files of the deck can be read and written';

/** User routines, and files that are opened outside of the folder: `OPEN`, `#include`, any other path. */
export const findForeign: FindForeign = (files) => [
  ...findRoutines(files),
  ...listLines(files, findInput(files)).flatMap((line): ForeignLine[] => {
    const message = findFault(line, files);
    return message === undefined ? [] : [{ file: line.file, line: line.index + 1, message }];
  }),
];

/** Text that is included is no routine, whatever its name. */
function findRoutines(files: DeckFiles): ForeignLine[] {
  const message = 'user routines and scripts are not compiled or run here; leave the file out';
  const included = new Set(
    Object.values(files).flatMap((text) => text.split('\n').flatMap((line) => findIncluded(line) ?? [])),
  );
  return Object.keys(files)
    .filter((file) => ROUTINE_FILE.test(file) && !included.has(file))
    .map((file) => ({ file, line: 1, message }));
}

function findFault({ kind, text, codeword }: InputLine, files: DeckFiles): string | undefined {
  switch (kind) {
    case 'directive': {
      const included = findIncluded(text);
      if (included === undefined || isDeckFile(included, files)) return undefined;
      return `#include names ${included}, which is not in the deck`;
    }
    case 'file-name': {
      const name = text.trim().replaceAll(/["']/g, '');
      return isDeckFileName(name) ? undefined : `OPEN names ${name}: only files of the task's own folder can be opened`;
    }
    case 'geometry':
      return isForeignPath(text.trim()) ? `GEOBEGIN names ${text.trim()}: ${OWN_FILES}` : undefined;
    case 'card': {
      if (ROUTINE_CARDS.includes(codeword)) return `${codeword} calls a user routine, and there are none here`;
      const words = text.split(/[\s,;"']+/);
      const path = words.find((word) => /^[/~].|(?:^|\/)\.\.(?:\/|$)/.test(word) && isForeignPath(word));
      return path === undefined ? undefined : `${codeword} names ${path}: ${OWN_FILES}`;
    }
  }
}
