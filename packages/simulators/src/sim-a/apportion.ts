import { refuseDeck } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';
import { type BeamNumber, findHistories, findSeeds } from './beam-numbers.js';

export const BEAM_FILE = 'beam.dat';

/** What a run needs in its folder. */
export const REQUIRED_FILES = [BEAM_FILE, 'mat.dat', 'geo.dat', 'detect.dat'] as const;

/** Numbers of the deck are 32-bit integers. */
export const TASK_PRIMARIES_MAX = 2 ** 31 - 1;

/** Nine digits: far from the limit of 32-bit integers whatever the simulator adds. */
const SEED_RANGE = { min: 1, max: 999_999_999 };

/**
 * Puts a task's histories into `NSTAT` and its seed into `RNDSEED` of `beam.dat`, each the first number after its
 * keyword, and changes nothing else; a missing `RNDSEED` goes before `NSTAT`. The seed is in the deck, so that the
 * command needs no offset and a task of any number runs the same.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  if (share.primaries > TASK_PRIMARIES_MAX) {
    refuseDeck(BEAM_FILE, `${share.primaries} histories are more than NSTAT takes; use more tasks`);
  }
  const lines = readBeam(files);
  const histories = findHistories(BEAM_FILE, lines);
  const seeds = findSeeds(BEAM_FILE, lines);
  const seed = deriveTaskSeed(share, SEED_RANGE);
  const changed = lines.flatMap((line, index): DeckLine[] => {
    if (index === histories.index) {
      const added = seeds.length > 0 ? [] : newLines([`RNDSEED ${seed}`], line);
      return [...added, setNumber(line, histories, share.primaries)];
    }
    const found = seeds.find((one) => one.index === index);
    return [found === undefined ? line : setNumber(line, found, seed)];
  });
  return { ...files, [BEAM_FILE]: joinLines(changed) };
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  return findHistories(BEAM_FILE, readBeam(files)).value;
}

function readBeam(files: DeckFiles): DeckLine[] {
  const text = Object.hasOwn(files, BEAM_FILE) ? files[BEAM_FILE] : undefined;
  return text === undefined ? refuseDeck(BEAM_FILE, 'is missing') : splitLines(text);
}

function setNumber({ text, end }: DeckLine, place: BeamNumber, value: number): DeckLine {
  return { text: text.slice(0, place.start) + value + text.slice(place.end), end };
}
