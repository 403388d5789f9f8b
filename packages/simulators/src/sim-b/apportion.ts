import { refuseDeck, refuseLine } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import { readWholeNumber } from '../deck/whole-number.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';
import { findInput, type InputLine, listLines } from './cards.js';
import { type CardFormat, formatOf, readField, setFields } from './fields.js';

/** `RANDOMIZ`, WHAT(2) (FLUKA manual): each value from 1 to 9·10⁸ starts a sequence of its own. */
const SEED_RANGE = { min: 1, max: 900_000_000 };
/** What WHAT(1) of START has room for. */
export const TASK_PRIMARIES_MAX = 9_999_999_999;
const FIELD_WIDTH = 10;

/** A card that is set for each task. */
interface SetCard {
  readonly card: InputLine;
  readonly format: CardFormat;
}

/**
 * Puts a task's histories into WHAT(1) of the `START` card and its seed into WHAT(2) of `RANDOMIZ` (WHAT(1) = 1), in
 * fixed or free format as the card is written, and changes nothing else; a missing `RANDOMIZ` goes before `START`: behind
 * it nobody would read it.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const { start, seeds } = findCards(files);
  const seed = String(deriveTaskSeed(share, SEED_RANGE)); // nine digits: a blank is left between the fields
  const changed: Record<string, DeckLine[]> = {};
  const set = ({ card, format }: SetCard, values: readonly string[], added: readonly string[]) => {
    const lines = (changed[card.file] ??= splitLines(files[card.file] ?? ''));
    const line = lines[card.index] ?? { text: '', end: '' };
    const text =
      setFields(card.text, { format, mayBeFree: card.mayBeFree }, values) + line.text.slice(card.text.length);
    const above = newLines(added, line).map(({ text: one, end }) => one + end);
    lines[card.index] = { text: above.join('') + text, end: line.end };
  };
  for (const one of seeds) set(one, ['1.', seed], []);
  const added = setFields('RANDOMIZ', { format: 'fixed', mayBeFree: false }, ['1.', seed]);
  set(start, [histories(share.primaries, start.card.file)], seeds.length > 0 ? [] : [added]);
  const texts = Object.entries(changed).map(([name, lines]): [string, string] => [name, joinLines(lines)]);
  return { ...files, ...Object.fromEntries(texts) };
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  const { card, format } = findCards(files).start;
  const field = readField(card.text, format, 1);
  const value = readWholeNumber(field, 'real');
  if (value !== undefined && value >= 1) return value;
  const what = field === '' ? 'nothing' : field;
  return refuseLine(card.file, card.index, `WHAT(1) of START must be a whole number of at least 1, not ${what}`);
}

function findCards(files: DeckFiles): { readonly start: SetCard; readonly seeds: readonly SetCard[] } {
  const input = findInput(files);
  const cards = listLines(files, input).filter(({ codeword }) => codeword === 'START' || codeword === 'RANDOMIZ');
  const starts = cards.filter(({ codeword }) => codeword === 'START');
  const [start] = starts;
  if (start === undefined || starts.length > 1) {
    return refuseDeck(input, `must have one START card, not ${starts.length}`);
  }
  // behind START it comes too late
  const seeds = cards.slice(0, cards.indexOf(start));
  return { start: toSet(start), seeds: seeds.map(toSet) };
}

/** @throws ConversionError `DECK_INVALID` where it may not count, or cannot be read */
function toSet(card: InputLine): SetCard {
  const { file, index, codeword } = card;
  if (card.isConditional) refuseLine(file, index, `${codeword} must not stand between #if and #endif`);
  const format = formatOf(card.text, card.mayBeFree);
  if (format !== undefined) return { card, format };
  return refuseLine(
    file,
    index,
    `the numbers of ${codeword} must stand in columns 11 to 20, 21 to 30 …, or behind a FREE card`,
  );
}

/** A number of histories in at most ten characters; the format reads whole numbers with and without a point. */
function histories(primaries: number, name: string): string {
  if (primaries > TASK_PRIMARIES_MAX) refuseDeck(name, `${primaries} histories do not fit into START; use more tasks`);
  const text = String(primaries);
  return text.length < FIELD_WIDTH ? `${text}.` : text;
}
