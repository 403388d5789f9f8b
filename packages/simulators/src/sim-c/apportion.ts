import { findOnlyFile, refuseDeck } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';
import type { ExecutedCommand } from './macro/execute-macro.js';
import { findRun } from './macro/find-run.js';

const GEOMETRY_SUFFIX = '.gdml';

/** `/random/setSeeds` takes two positive 32-bit integers. */
const SEED_RANGE = { min: 1, max: 2 ** 31 - 1 };
/** `/run/beamOn` takes a 32-bit integer. */
export const TASK_PRIMARIES_MAX = 2 ** 31 - 1;
/** Progress lines in a run. */
const PROGRESS_LINES = 100;

/** A command on one line, with its first argument. */
const ARGUMENT = /^(\s*[^\s#]\S*\s+)[^\s#]\S*(.*)$/;

/** The geometry. @throws ConversionError `DECK_INVALID` */
export function findGeometry(files: DeckFiles): string {
  return findOnlyFile(files, GEOMETRY_SUFFIX).name;
}

/**
 * Puts a task's histories into `/run/beamOn`, wherever it stands. Right before it, where nothing can undo them, come
 * `/random/setSeeds`, and where the macros do not ask for them `/run/printProgress` and the summary that says how many
 * histories the run had; nothing else changes.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const { command, commands } = findRun(files);
  const { file, line } = command;
  if (share.primaries > TASK_PRIMARIES_MAX) {
    refuseDeck(file, `${share.primaries} histories are more than /run/beamOn takes; use more tasks`);
  }
  const before = commands.slice(0, commands.indexOf(command));
  const added = [
    `/random/setSeeds ${['first', 'second'].map((stream) => deriveTaskSeed(share, SEED_RANGE, stream)).join(' ')}`,
    ...(before.some(({ name }) => name === '/run/printProgress') ? [] : [`/run/printProgress ${intervalOf(share)}`]),
    ...(hasSummary(before) ? [] : ['/run/verbose 1']),
  ];
  const lines = splitLines(files[file] ?? '');
  const changed = lines.flatMap((one, index): DeckLine[] => {
    if (index < line.first || index > line.last) return [one];
    if (index < line.last) return []; // a command on several lines becomes one
    const run = { ...one, text: setHistories(one.text, line.first === line.last, share.primaries) };
    return [...newLines(added, one), run];
  });
  return { ...files, [file]: joinLines(changed) };
}

function intervalOf({ primaries }: TaskShare): number {
  return Math.max(1, Math.floor(primaries / PROGRESS_LINES));
}

/** The simulator prints the summary of a run where it is told to say something. */
function hasSummary(before: readonly ExecutedCommand[]): boolean {
  const level = before.findLast(({ name }) => name === '/run/verbose')?.rest;
  return level !== undefined && Number.parseInt(level, 10) >= 1;
}

function setHistories(text: string, isWhole: boolean, primaries: number): string {
  if (isWhole && ARGUMENT.test(text)) return text.replace(ARGUMENT, `$1${primaries}$2`);
  return `/run/beamOn ${primaries}`;
}

/**
 * Histories that the deck asks for.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  return findRun(files).primaries;
}
