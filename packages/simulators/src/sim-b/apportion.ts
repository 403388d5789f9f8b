import { findOnlyFile, refuseDeck, requirePrimaries } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';

export const INPUT_SUFFIX = '.inp';

/** `RANDOMIZ`, WHAT(2) (FLUKA manual): each value from 1 to 9·10⁸ starts a sequence of its own. */
const SEED_RANGE = { min: 1, max: 900_000_000 };

/** Columns of the fixed format: codeword 1–10, then fields of ten. */
const FIELD_WIDTH = 10;
const SEPARATOR = /[\s,]+/;
const CODEWORD = /^\s*([^\s,]*)/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eEdD][+-]?\d+)?$/;

/** The card deck, whatever the user called it. @throws ConversionError `DECK_INVALID` */
export function findInput(files: DeckFiles): { readonly name: string; readonly text: string } {
  return findOnlyFile(files, INPUT_SUFFIX);
}

/**
 * Puts a task's histories into WHAT(1) of the `START` card and its seed into WHAT(2) of `RANDOMIZ` (WHAT(1) = 1), in
 * fixed or free format as the card is written, and changes nothing else; a missing `RANDOMIZ` goes before `START`, and
 * not after `STOP`, where nobody would read it.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const { name, text } = findInput(files);
  const lines = splitLines(text);
  const cards = listCards(lines);
  const { index, card } = findStart(lines, cards, name);
  const seed = String(deriveTaskSeed(share, SEED_RANGE)); // nine digits: a blank is left between the fields
  const start = setFields(card, [histories(share.primaries, name)]);
  const randomizes = cards.filter((at) => codeword(lines[at]?.text ?? '') === 'RANDOMIZ');
  const changed = lines.flatMap((line, at): DeckLine[] => {
    if (at === index) {
      const added = randomizes.length > 0 ? [] : newLines([setFields('RANDOMIZ', ['1.', seed])], line);
      return [...added, { ...line, text: start }];
    }
    return [randomizes.includes(at) ? { ...line, text: setFields(line.text, ['1.', seed]) } : line];
  });
  return { ...files, [name]: joinLines(changed) };
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  const { name, text } = findInput(files);
  const lines = splitLines(text);
  const { card } = findStart(lines, listCards(lines), name);
  const field = isFixed(card) ? fixedField(card, 1) : (card.trim().split(SEPARATOR)[1] ?? '');
  const value = NUMBER.test(field) ? Number(field.replace(/[dD]/, 'E')) : Number.NaN;
  return requirePrimaries(value, name, 'WHAT(1) of START');
}

/** Lines that are cards: not comments, and not the line of free text after `TITLE`. */
function listCards(lines: readonly DeckLine[]): number[] {
  return [...lines.keys()].filter(
    (index) => !lines[index]?.text.startsWith('*') && codeword(lines[index - 1]?.text ?? '') !== 'TITLE',
  );
}

function findStart(lines: readonly DeckLine[], cards: readonly number[], name: string) {
  const found = cards.filter((at) => codeword(lines[at]?.text ?? '') === 'START');
  const [index] = found;
  if (index === undefined || found.length > 1) {
    return refuseDeck(name, `must have one START card, not ${found.length}`);
  }
  return { index, card: lines[index]?.text ?? '' };
}

function codeword(text: string): string {
  return CODEWORD.exec(text)?.[1] ?? '';
}

/** Fixed format when the first field holds the first value or nothing, free format when it holds anything else. */
function isFixed(card: string): boolean {
  if (card !== card.trimStart() || card.includes(',')) return false;
  const head = card.slice(0, FIELD_WIDTH).trim();
  if (head !== codeword(card)) return false;
  const [first, second] = [fixedField(card, 1), fixedField(card, 2)];
  return [first, second].every((field) => field === '' || NUMBER.test(field));
}

function fixedField(card: string, field: number): string {
  return card.slice(field * FIELD_WIDTH, (field + 1) * FIELD_WIDTH).trim();
}

/** The card with WHAT(1), WHAT(2) … set to `values`, each of at most ten characters. */
function setFields(card: string, values: readonly string[]): string {
  if (isFixed(card)) {
    const fields = values.map((value) => value.padStart(FIELD_WIDTH)).join('');
    return card.slice(0, FIELD_WIDTH).padEnd(FIELD_WIDTH) + fields + card.slice((values.length + 1) * FIELD_WIDTH);
  }
  // free format: tokens 1, 2 … after the codeword, their separators kept
  const parts = card.split(/([\s,]+)/);
  const first = parts.findIndex((part) => part !== '' && !/^[\s,]+$/.test(part));
  for (const [index, value] of values.entries()) {
    const at = first + 2 * (index + 1);
    if (at > parts.length) parts.push(' ', value);
    else parts[at] = value;
  }
  return parts.join('');
}

/** A number of histories in at most ten characters; the format reads whole numbers with and without a point. */
function histories(primaries: number, name: string): string {
  const text = String(primaries);
  if (text.length < FIELD_WIDTH) return `${text}.`;
  return text.length === FIELD_WIDTH
    ? text
    : refuseDeck(name, `${text} histories do not fit into START; use more tasks`);
}
