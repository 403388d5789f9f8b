import { findOnlyFile, refuseDeck, requirePrimaries } from '../deck/adopt-files.js';
import { type DeckLine, firstWord, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';

const MACRO_SUFFIX = '.mac';
const GEOMETRY_SUFFIX = '.gdml';

/** `/random/setSeeds` takes two positive 32-bit integers. */
const SEED_RANGE = { min: 1, max: 2 ** 31 - 1 };
/** Progress lines in a run. */
const PROGRESS_LINES = 100;

const BEAM_ON = /^(\s*\/run\/beamOn\s+)(\d+)(?![\d.])(.*)$/;

/** The geometry. @throws ConversionError `DECK_INVALID` */
export function findGeometry(files: DeckFiles): string {
  return findOnlyFile(files, GEOMETRY_SUFFIX).name;
}

/** The macro that starts the run; others may be executed by it. @throws ConversionError `DECK_INVALID` */
export function findMacro(files: DeckFiles): { readonly name: string; readonly lines: DeckLine[] } {
  const macros = Object.entries(files)
    .filter(([name]) => name.endsWith(MACRO_SUFFIX))
    .map(([name, text]) => ({ name, lines: splitLines(text) }));
  const found = macros.filter(({ lines }) => lines.some(({ text }) => isCommand(text, '/run/beamOn')));
  const [macro] = found;
  if (macro !== undefined && found.length === 1) return macro;
  return refuseDeck('', `must have one file called *${MACRO_SUFFIX} with /run/beamOn, not ${found.length}`);
}

/**
 * Puts a task's histories into `/run/beamOn`, `/random/setSeeds` right before it, where nothing can undo it, and
 * `/run/printProgress` after `/run/initialize` unless the macro has one; nothing else changes.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const { name, lines } = findMacro(files);
  const { index } = findBeamOn(name, lines);
  const seeds = ['first', 'second'].map((stream) => deriveTaskSeed(share, SEED_RANGE, stream));
  const hasProgress = lines.some(({ text }) => isCommand(text, '/run/printProgress'));
  const interval = Math.max(1, Math.floor(share.primaries / PROGRESS_LINES));
  const changed = lines.flatMap((line, at): DeckLine[] => {
    if (at === index) {
      const run = { ...line, text: line.text.replace(BEAM_ON, `$1${share.primaries}$3`) };
      return [...newLines([`/random/setSeeds ${seeds.join(' ')}`], line), run];
    }
    if (!isCommand(line.text, '/run/initialize') || hasProgress) return [line];
    return [line, ...newLines([`/run/printProgress ${interval}`], line)];
  });
  return { ...files, [name]: joinLines(changed) };
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  const { name, lines } = findMacro(files);
  return findBeamOn(name, lines).primaries;
}

function findBeamOn(name: string, lines: readonly DeckLine[]): { readonly index: number; readonly primaries: number } {
  const found = [...lines.keys()].filter((at) => isCommand(lines[at]?.text ?? '', '/run/beamOn'));
  const [index] = found;
  if (index === undefined || found.length > 1) {
    return refuseDeck(name, `must have /run/beamOn once, not ${found.length} times`);
  }
  const [, , histories] = BEAM_ON.exec(lines[index]?.text ?? '') ?? [];
  return { index, primaries: requirePrimaries(Number(histories), name, '/run/beamOn') };
}

function isCommand(text: string, command: string): boolean {
  return firstWord(text) === command;
}
