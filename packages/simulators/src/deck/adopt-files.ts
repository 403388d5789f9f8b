import { ConversionError, type ConversionItem } from '../conversion-error.js';
import type { AdoptedDeck, DeckFiles } from '../driver.js';

/** @throws ConversionError `DECK_INVALID` */
export function refuseDeck(path: string, message: string): never {
  throw new ConversionError('DECK_INVALID', [{ path: `/${path}`, message }]);
}

/** @param index - of the line, from 0 @throws ConversionError `DECK_INVALID` */
export function refuseLine(path: string, index: number, message: string): never {
  return refuseDeck(path, `line ${index + 1}: ${message}`);
}

/** Lines that ask for outputs that are not read. */
export interface UnreadLines {
  /** Names of the files that have such lines. */
  readonly file: RegExp;
  readonly line: RegExp;
  /** What is wrong with them, and what to do. */
  readonly message: string;
}

/**
 * Finds lines that start programs, or open files that are not the deck's. A simulator's confinement holds without it: this
 * says at the submission, and where, what could not work. Looked at is what the simulator would read, as it reads it.
 * @throws ConversionError `DECK_INVALID` for what cannot be read so
 */
export type FindForeign = (files: DeckFiles) => readonly ForeignLine[];
export interface ForeignLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Names the command, and says why it is refused. */
  readonly message: string;
}

/** What a deck asks of whoever runs it. */
export interface DeckRules {
  /** Names that must be there. */
  readonly required: readonly string[];
  /** @throws ConversionError `DECK_INVALID` */
  readonly readPrimaries: (files: DeckFiles) => number;
  readonly findForeign: FindForeign;
  readonly unread?: readonly UnreadLines[];
}

/**
 * Users' files as a deck, unchanged, if the histories that they ask for can be read from them. What could not be read
 * after the run, or done in it, is refused before it.
 * @throws ConversionError `FILES_INVALID`
 */
export function adoptFiles(
  files: DeckFiles,
  { required, readPrimaries, findForeign, unread = [] }: DeckRules,
): AdoptedDeck {
  const missing = required
    .filter((name) => !Object.hasOwn(files, name))
    .map((name): ConversionItem => ({ path: `/${name}`, message: 'is missing' }));
  if (missing.length > 0) throw new ConversionError('FILES_INVALID', missing);
  try {
    const refused = [...unread.flatMap((lines) => findLines(files, lines)), ...listForeign(findForeign(files))];
    if (refused.length > 0) throw new ConversionError('FILES_INVALID', refused);
    return { files, primaries: readPrimaries(files), warnings: [] };
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    throw new ConversionError('FILES_INVALID', err.items, { cause: err });
  }
}

function findLines(files: DeckFiles, { file, line, message }: UnreadLines): ConversionItem[] {
  return Object.entries(files)
    .filter(([name]) => file.test(name))
    .flatMap(([name, text]) =>
      text
        .split('\n')
        .flatMap((content, index): ConversionItem[] =>
          line.test(content) ? [{ path: `/${name}`, message: `line ${index + 1}: ${message}` }] : [],
        ),
    );
}

function listForeign(found: readonly ForeignLine[]): ConversionItem[] {
  return found.map(({ file, line, message }) => ({ path: `/${file}`, message: `line ${line}: ${message}` }));
}

/** @throws ConversionError `DECK_INVALID` unless exactly one file has such a name */
export function findOnlyFile(files: DeckFiles, suffix: string): { readonly name: string; readonly text: string } {
  const [first, ...others] = Object.entries(files).filter(([name]) => name.endsWith(suffix));
  if (first === undefined) refuseDeck('', `must have a file called *${suffix}`);
  if (others.length > 0) refuseDeck(others[0]?.[0] ?? '', `must be the only file called *${suffix}`);
  return { name: first[0], text: first[1] };
}

/** @throws ConversionError `DECK_INVALID` unless `value` is a number of histories: a whole number from 1 on */
export function requirePrimaries(value: number, path: string, what: string): number {
  if (Number.isSafeInteger(value) && value >= 1) return value;
  return refuseDeck(path, `${what} must be a whole number of at least 1`);
}
