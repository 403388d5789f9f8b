import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isDeckFile, isDeckFileName, isForeignPath } from '../deck/foreign-path.js';
import type { DeckFiles } from '../driver.js';
import { INPUT_SUFFIX } from './apportion.js';

/** Cards that call routines of the user, which would have to be compiled (FLUKA manual, chapter 13). */
const ROUTINE_CARDS = ['SOURCE', 'USRICALL', 'USROCALL', 'USRGCALL', 'USERWEIG'];
/** What would be compiled or linked. */
const ROUTINE_FILE = /\.(?:f|for|f77|f90|f95|c|cc|cpp|cxx|h|inc|o|a|so|sh|py)$/i;

/** User routines, and files that are opened outside of the folder: `OPEN`, `#include`, any other path. */
export const findForeign: FindForeign = (name, lines, files) => {
  if (ROUTINE_FILE.test(name)) {
    return [{ line: 1, message: 'user routines and scripts are not compiled or run here; leave the file out' }];
  }
  if (!name.endsWith(INPUT_SUFFIX)) return [];
  return lines.flatMap((text, index): ForeignLine[] => {
    const before = lines[index - 1] ?? '';
    if (text.startsWith('*') || codeword(before) === 'TITLE') return [];
    const message = findFault(text, before, files);
    return message === undefined ? [] : [{ line: index + 1, message }];
  });
};

function findFault(text: string, before: string, files: DeckFiles): string | undefined {
  const card = codeword(text);
  if (ROUTINE_CARDS.includes(card)) return `${card} calls a user routine, and there are none here`;
  if (codeword(before) === 'OPEN' && !/\bSCRATCH\b/i.test(before) && !isDeckFileName(text.trim())) {
    return `OPEN names ${text.trim()}: only files of the task's own folder can be opened`;
  }
  const included = /^\s*#include\s+["<]?([^">\s]+)/i.exec(text)?.[1];
  if (included !== undefined && !isDeckFile(included, files))
    return `#include names ${included}, which is not in the deck`;
  const path = text.split(/[\s,;"']+/).find((word) => /^[/~].|(?:^|\/)\.\.(?:\/|$)/.test(word) && isForeignPath(word));
  return path === undefined ? undefined : `${card} names ${path}: only files of the deck can be read and written`;
}

function codeword(text: string): string {
  return (text.trimStart().split(/[\s,]+/, 1)[0] ?? '').toUpperCase();
}
