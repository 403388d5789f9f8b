import { ConversionError, type ConversionItem } from '../conversion-error.js';
import type { AdoptedDeck, DeckFiles } from '../driver.js';

/** @throws ConversionError `DECK_INVALID` */
export function refuseDeck(path: string, message: string): never {
  throw new ConversionError('DECK_INVALID', [{ path: `/${path}`, message }]);
}

/** Lines that ask for phase space of a simulator whose files of it are not read. */
export interface PhaseSpaceLines {
  /** Names of the files that have such lines. */
  readonly file: RegExp;
  readonly line: RegExp;
}

/**
 * Users' files as a deck, unchanged, if the histories that they ask for can be read from them. What could not be read
 * after the run is refused before it.
 * @param required - names that must be there
 * @param readPrimaries - throws ConversionError `DECK_INVALID`
 * @throws ConversionError `FILES_INVALID`
 */
export function adoptFiles(
  files: DeckFiles,
  required: readonly string[],
  readPrimaries: (files: DeckFiles) => number,
  phaseSpace?: PhaseSpaceLines,
): AdoptedDeck {
  const missing = required
    .filter((name) => !Object.hasOwn(files, name))
    .map((name): ConversionItem => ({ path: `/${name}`, message: 'is missing' }));
  if (missing.length > 0) throw new ConversionError('FILES_INVALID', missing);
  const unread = phaseSpace === undefined ? [] : findPhaseSpace(files, phaseSpace);
  if (unread.length > 0) throw new ConversionError('FILES_INVALID', unread);
  try {
    return { files, primaries: readPrimaries(files), warnings: [] };
  } catch (err) {
    if (!(err instanceof ConversionError)) throw err;
    throw new ConversionError('FILES_INVALID', err.items, { cause: err });
  }
}

function findPhaseSpace(files: DeckFiles, { file, line }: PhaseSpaceLines): ConversionItem[] {
  return Object.entries(files)
    .filter(([name]) => file.test(name))
    .flatMap(([name, text]) =>
      text.split('\n').flatMap((content, index): ConversionItem[] => {
        if (!line.test(content)) return [];
        return [{ path: `/${name}`, message: `line ${index + 1}: phase space is not stored here; leave it out` }];
      }),
    );
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
