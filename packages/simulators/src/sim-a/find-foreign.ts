import type { FindForeign } from '../deck/adopt-files.js';
import { isForeignPath } from '../deck/foreign-path.js';
import { REQUIRED_FILES } from './apportion.js';

/** Where the comment of a line begins. */
const COMMENT = /[!#*].*$/;

/** Paths that lead out of the folder; simA starts no programs. */
export const findForeign: FindForeign = (name, lines) => {
  if (!REQUIRED_FILES.some((known) => known === name)) return [];
  return lines.flatMap((text, index) => {
    const [keyword = '', ...words] = text
      .replace(COMMENT, '')
      .trim()
      .split(/[\s,]+/);
    const path = [keyword, ...words].map((word) => word.replaceAll(/["']/g, '')).find(isForeignPath);
    if (path === undefined) return [];
    return [{ line: index + 1, message: `${keyword} names ${path}: only files of the deck can be read and written` }];
  });
};
