import { refuseDeck, refuseLine } from '../deck/adopt-files.js';
import { isDeckFile } from '../deck/foreign-path.js';
import { type DeckLine, splitLines } from '../deck/text-lines.js';
import type { DeckFiles } from '../driver.js';

export const INPUT_SUFFIX = '.inp';

/** What a line of the input is to the simulator. */
export type LineKind =
  | 'card'
  /** Between GEOBEGIN and GEOEND: bodies, regions, and a title. */
  | 'geometry'
  /** The line behind an OPEN card: a name. */
  | 'file-name'
  /** `#include` and its like, which the simulator's preprocessor reads. */
  | 'directive';

/** A line that the simulator reads; comments, the text of a title, and what follows STOP are none. */
export interface InputLine {
  readonly kind: LineKind;
  readonly file: string;
  /** From 0. */
  readonly index: number;
  /** The line without its comment. */
  readonly text: string;
  /** In capitals, and of its eight letters: the simulator reads no more. Empty where it is no card. */
  readonly codeword: string;
  /** A card FREE or GLOBAL has been before it: numbers need not stand in columns. */
  readonly mayBeFree: boolean;
  /** It stands between `#if` and `#endif`, so that it may not count. */
  readonly isConditional: boolean;
}

const CODEWORD = /^\s*([^\s,;:]*)/;
const CODEWORD_LETTERS = 8;
const DIRECTIVE = /^\s*#\s*(\w+)/;
const INCLUDED = /^\s*#\s*include\s*["<]?([^">\s]*)/i;
/** Files may include each other any number of times; so many lines are read at most. */
const LINES_MAX = 500_000;

/** What is known where the next line is read. */
interface Reading {
  readonly files: DeckFiles;
  readonly lines: InputLine[];
  /** Names of the files that are open, one within the other. */
  readonly open: string[];
  count: number;
  isInGeometry: boolean;
  mayBeFree: boolean;
  conditions: number;
  /** The next line that is no comment is text, or a name. */
  next: 'title' | 'file-name' | undefined;
  hasStopped: boolean;
}

/** The input that is run: the one that no other file includes. @throws ConversionError `DECK_INVALID` */
export function findInput(files: DeckFiles): string {
  const included = new Set(
    Object.values(files).flatMap((text) => splitLines(text).flatMap((line) => findIncluded(line.text) ?? [])),
  );
  const inputs = Object.keys(files).filter((name) => name.endsWith(INPUT_SUFFIX));
  const [input, ...others] = inputs.filter((name) => !included.has(name));
  if (input === undefined) return refuseDeck('', `must have a file called *${INPUT_SUFFIX}`);
  return others.length === 0 ? input : refuseDeck(others[0] ?? '', `must be the only file called *${INPUT_SUFFIX}`);
}

/**
 * The lines of an input, those of included files in their places: what everything that reads cards reads (FLUKA manual,
 * chapter 6 and the preprocessor of chapter 2).
 * @throws ConversionError `DECK_INVALID` for files that include themselves
 */
export function listLines(files: DeckFiles, input: string): InputLine[] {
  const reading: Reading = {
    files,
    lines: [],
    open: [],
    count: 0,
    isInGeometry: false,
    mayBeFree: false,
    conditions: 0,
    next: undefined,
    hasStopped: false,
  };
  readFile(reading, input);
  return reading.lines;
}

/** The file that a line includes. */
export function findIncluded(text: string): string | undefined {
  return INCLUDED.exec(text)?.[1]?.replace(/^\.\//, '');
}

function readFile(reading: Reading, file: string): void {
  reading.open.push(file);
  for (const [index, line] of splitLines(reading.files[file] ?? '').entries()) {
    reading.count += 1;
    if (reading.count > LINES_MAX) refuseDeck(file, `has, with what it includes, more than ${LINES_MAX} lines`);
    readLine(reading, file, index, line);
    if (reading.hasStopped) break;
  }
  reading.open.pop();
}

function readLine(reading: Reading, file: string, index: number, { text: whole }: DeckLine): void {
  const directive = DIRECTIVE.exec(whole)?.[1]?.toLowerCase();
  if (reading.next === 'title' && directive === undefined) {
    reading.next = undefined; // whatever stands there
    return;
  }
  if (whole.startsWith('*') || whole.trim() === '') return;
  const text = directive === undefined ? (whole.split('!', 1)[0] ?? '') : whole;
  if (reading.isInGeometry && /^\s*GEOEND\b/i.test(text)) reading.isInGeometry = false;
  const kind = kindOf(reading, directive);
  const codeword = kind === 'card' ? (CODEWORD.exec(text)?.[1] ?? '').slice(0, CODEWORD_LETTERS).toUpperCase() : '';
  reading.lines.push({
    kind,
    file,
    index,
    text,
    codeword,
    mayBeFree: reading.mayBeFree,
    isConditional: reading.conditions > 0,
  });
  if (kind === 'directive') followDirective(reading, directive ?? '', { file, index, text });
  else if (kind === 'card') followCard(reading, codeword, text);
  else if (kind === 'file-name') reading.next = undefined;
}

function kindOf({ next, isInGeometry }: Reading, directive: string | undefined): LineKind {
  if (directive !== undefined) return 'directive';
  if (next === 'file-name') return 'file-name';
  return isInGeometry ? 'geometry' : 'card';
}

function followCard(reading: Reading, codeword: string, text: string): void {
  switch (codeword) {
    case 'TITLE':
      reading.next = 'title';
      return;
    case 'OPEN':
      if (!isScratch(text)) reading.next = 'file-name';
      return;
    case 'GEOBEGIN':
      reading.isInGeometry = true;
      return;
    case 'FREE':
    case 'GLOBAL':
      reading.mayBeFree = true;
      return;
    case 'FIXED':
      reading.mayBeFree = false;
      return;
    case 'STOP':
      reading.hasStopped = true;
  }
}

/** SDUM, the last word of an OPEN card, says that the file has no name. */
function isScratch(text: string): boolean {
  return /(?:^|[\s,])SCRATCH[\s,&]*$/i.test(text);
}

function followDirective(reading: Reading, directive: string, line: Pick<InputLine, 'file' | 'index' | 'text'>): void {
  switch (directive) {
    case 'if':
    case 'ifdef':
    case 'ifndef':
      reading.conditions += 1;
      return;
    case 'endif':
      reading.conditions -= 1;
      return;
    case 'include': {
      const included = findIncluded(line.text) ?? '';
      if (!isDeckFile(included, reading.files)) return; // said by those who look for foreign files
      if (reading.open.includes(included)) refuseLine(line.file, line.index, `${included} includes itself`);
      readFile(reading, included);
    }
  }
}
