import { refuseDeck, refuseLine } from '../deck/adopt-files.js';
import type { DeckLine } from '../deck/text-lines.js';
import { readWholeNumber } from '../deck/whole-number.js';

/** Where a number stands in `beam.dat`, and what it is. */
export interface BeamNumber {
  /** Of the line, from 0. */
  readonly index: number;
  /** Of the number in the line, from 0; `end` is behind it. */
  readonly start: number;
  readonly end: number;
  readonly value: number;
}

/** A word of a line with its place. */
interface Word {
  readonly text: string;
  readonly start: number;
}

/** What NSTAT may have behind it: histories, and after how many of them results are saved. */
const NSTAT_NUMBERS_MAX = 2;

/** What a line says: without its comment, which begins with `!`, `#` or a `*` in front. */
export function withoutComment(text: string): string {
  if (text.startsWith('*')) return '';
  return text.split(/!(?!=)|#/, 1)[0] ?? '';
}

/** The number of histories: that of the only NSTAT. @throws ConversionError `DECK_INVALID` */
export function findHistories(file: string, lines: readonly DeckLine[]): BeamNumber {
  const found = findKeyword(lines, 'NSTAT');
  const [only] = found;
  if (only === undefined || found.length > 1) {
    return refuseDeck(file, `must have one line that begins with NSTAT, not ${found.length}`);
  }
  const [, ...numbers] = only.words;
  const wrong = numbers.find(({ text }) => readWholeNumber(text, 'real') === undefined);
  if (numbers.length === 0 || numbers.length > NSTAT_NUMBERS_MAX || wrong !== undefined) {
    const what = wrong === undefined ? `${numbers.length} numbers` : wrong.text;
    return refuseLine(file, only.index, `NSTAT must have one or two whole numbers, not ${what}`);
  }
  const number = toNumber(file, only, 'NSTAT');
  return number.value >= 1 ? number : refuseLine(file, only.index, 'NSTAT must ask for at least 1 history');
}

/** Every seed. @throws ConversionError `DECK_INVALID` for one that is no whole number */
export function findSeeds(file: string, lines: readonly DeckLine[]): BeamNumber[] {
  return findKeyword(lines, 'RNDSEED').map((line) => toNumber(file, line, 'RNDSEED'));
}

/** Keywords may be in any case. */
function findKeyword(lines: readonly DeckLine[], keyword: string) {
  return lines
    .map(({ text }, index) => ({ index, words: splitWords(withoutComment(text)) }))
    .filter(({ words }) => words[0]?.text.toUpperCase() === keyword);
}

function splitWords(text: string): Word[] {
  return [...text.matchAll(/\S+/g)].map((found) => ({ text: found[0], start: found.index }));
}

function toNumber(file: string, line: { index: number; words: readonly Word[] }, keyword: string): BeamNumber {
  const word = line.words[1];
  const value = readWholeNumber(word?.text, 'real');
  if (word === undefined || value === undefined) {
    return refuseLine(file, line.index, `${keyword} must have a whole number, not ${word?.text ?? 'none'}`);
  }
  return { index: line.index, start: word.start, end: word.start + word.text.length, value };
}
