import { refuseDeck, requirePrimaries } from '../deck/adopt-files.js';
import { type DeckLine, firstWord, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';

export const BEAM_FILE = 'beam.dat';

/** What a run needs in its folder. */
export const REQUIRED_FILES = [BEAM_FILE, 'mat.dat', 'geo.dat', 'detect.dat'] as const;

/** Nine digits: far from the limit of 32-bit integers whatever the simulator adds. */
const SEED_RANGE = { min: 1, max: 999_999_999 };

/** Keyword, its first number, and the rest: a second number, a comment. */
const NSTAT_LINE = /^(\s*NSTAT\s+)(\d+)(?![\d.])(.*)$/i;
const SEED_LINE = /^(\s*RNDSEED\s+)([+-]?\d+)(?![\d.])(.*)$/i;

/**
 * Puts a task's histories into `NSTAT` and its seed into `RNDSEED` of `beam.dat`, each the first number after its
 * keyword, and changes nothing else; a missing `RNDSEED` goes before `NSTAT`. The seed is in the deck, so that the
 * command needs no offset and a task of any number runs the same.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const lines = readBeam(files);
  const { index } = findHistories(lines);
  const seed = String(deriveTaskSeed(share, SEED_RANGE));
  const hasSeed = lines.some(({ text }) => startsWith(text, 'RNDSEED'));
  const changed = lines.flatMap((line, at): DeckLine[] => {
    if (at === index) {
      const histories = { ...line, text: line.text.replace(NSTAT_LINE, `$1${share.primaries}$3`) };
      return hasSeed ? [histories] : [...newLines([`RNDSEED ${seed}`], line), histories];
    }
    return [startsWith(line.text, 'RNDSEED') ? { ...line, text: setSeed(line.text, seed) } : line];
  });
  return { ...files, [BEAM_FILE]: joinLines(changed) };
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  return findHistories(readBeam(files)).primaries;
}

function readBeam(files: DeckFiles): DeckLine[] {
  const text = Object.hasOwn(files, BEAM_FILE) ? files[BEAM_FILE] : undefined;
  return text === undefined ? refuseDeck(BEAM_FILE, 'is missing') : splitLines(text);
}

function findHistories(lines: readonly DeckLine[]): { readonly index: number; readonly primaries: number } {
  const found = [...lines.keys()].filter((index) => startsWith(lines[index]?.text ?? '', 'NSTAT'));
  const [index] = found;
  if (index === undefined || found.length > 1) {
    return refuseDeck(BEAM_FILE, `must have one line that begins with NSTAT, not ${found.length}`);
  }
  const [, , histories] = NSTAT_LINE.exec(lines[index]?.text ?? '') ?? [];
  return { index, primaries: requirePrimaries(Number(histories), BEAM_FILE, 'the first number of NSTAT') };
}

function setSeed(text: string, seed: string): string {
  if (!SEED_LINE.test(text)) return refuseDeck(BEAM_FILE, 'RNDSEED must have a whole number');
  return text.replace(SEED_LINE, `$1${seed}$3`);
}

/** Keywords may be in any case. */
function startsWith(text: string, keyword: string): boolean {
  return firstWord(text).toUpperCase() === keyword;
}
