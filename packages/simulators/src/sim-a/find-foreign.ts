import type { FindForeign, ForeignLine } from '../deck/adopt-files.js';
import { isForeignPath } from '../deck/foreign-path.js';
import { splitLines } from '../deck/text-lines.js';
import { REQUIRED_FILES } from './apportion.js';

/** A comment that no reader can take for a part of a name: a whole line, or what follows a blank. */
const COMMENT = /^\s*\*.*$|(?:^|\s)[!#].*$/;

/** Paths that lead out of the folder; simA starts no programs. */
export const findForeign: FindForeign = (files) =>
  REQUIRED_FILES.flatMap((file) =>
    splitLines(files[file] ?? '').flatMap(({ text }, index): ForeignLine[] => {
      const words = text
        .replace(COMMENT, '')
        .split(/[\s,]+/)
        .filter((word) => word !== '');
      const path = words.map((word) => word.replaceAll(/["']/g, '')).find(isForeignPath);
      if (path === undefined) return [];
      const message = `${words[0]} names ${path}: only files of the deck can be read and written`;
      return [{ file, line: index + 1, message }];
    }),
  );
