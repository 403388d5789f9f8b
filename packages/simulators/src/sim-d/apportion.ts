import { refuseDeck, requirePrimaries } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';
import { shareSources } from './share-sources.js';

const PARAMETER_SUFFIX = '.txt';

/** `Ts/Seed` is a positive 32-bit integer. */
const SEED_RANGE = { min: 1, max: 2 ** 31 - 1 };
/** Progress lines in a run. */
const PROGRESS_LINES = 100;

/** `i:So/Demo/NumberOfHistoriesInRun = 1000 # comment`; `ic` where the parameter may change in time. */
const HISTORIES = /^(\s*ic?:So\/[^/\s=]+\/NumberOfHistoriesInRun\s*=\s*)([^\s#]+)(\s*(?:#.*)?)$/;
const HISTORIES_NAME = /^\s*ic?:So\/[^/\s=]+\/NumberOfHistoriesInRun\s*=/;
/** What every file of parameters has and other texts have not. */
const PARAMETER = /^\s*(?:[a-z]{1,3}:\w+\/\S+\s*=|includeFile\s*=)/i;
const INCLUDE = /^\s*includeFile\s*=\s*([^#]*)/i;

/** A file of parameters. */
interface ParameterFile {
  readonly name: string;
  readonly lines: readonly DeckLine[];
}

/** The file that is run: the one that no other includes. @throws ConversionError `DECK_INVALID` */
export function findMain(files: DeckFiles): string {
  const parameters = readParameters(files);
  const included = new Set(
    parameters.flatMap(({ lines }) => lines.flatMap(({ text }) => (INCLUDE.exec(text)?.[1] ?? '').split(/[\s,]+/))),
  );
  const mains = parameters.map(({ name }) => name).filter((name) => !included.has(name));
  const [main] = mains;
  if (main === undefined) return refuseDeck('', `must have a file called *${PARAMETER_SUFFIX} that no other includes`);
  return mains.length === 1 ? main : refuseDeck(mains[1] ?? '', `must be included by ${main}, which is run`);
}

/**
 * Puts a task's histories into the sources, so that all tasks together have the numbers of the deck, and sets seed, threads and interval of
 * progress: in place where the deck has the parameter (twice in one file is an error of the simulator), at the end of
 * the main file where not. Nothing else changes.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const main = findMain(files);
  const shares = shareSources(
    listSources(files).map(({ histories }) => histories),
    { first: share.firstHistory, count: share.primaries },
  );
  const settings = [
    setting('Ts/Seed', deriveTaskSeed(share, SEED_RANGE)),
    setting('Ts/NumberOfThreads', 1),
    setting('Ts/ShowHistoryCountAtInterval', Math.max(1, Math.floor(share.primaries / PROGRESS_LINES))),
  ];
  const unset = new Set(settings);
  let source = 0;
  const setLine = (line: DeckLine): DeckLine => {
    if (HISTORIES_NAME.test(line.text)) {
      const histories = shares[source++] ?? 0;
      return { ...line, text: line.text.replace(HISTORIES, `$1${histories}$3`) };
    }
    const found = settings.find(({ pattern }) => pattern.test(line.text));
    if (found === undefined) return line;
    unset.delete(found);
    return { ...line, text: line.text.replace(found.pattern, `$1${found.value}$3`) };
  };
  const changed = readParameters(files).map(({ name, lines }) => ({ name, lines: lines.map(setLine) }));
  const added = [...unset].map(({ name, value }) => `i:${name} = ${value}`);
  const texts = changed.map(({ name, lines }): [string, string] => [
    name,
    joinLines(name === main ? appendLines(lines, added) : lines),
  ]);
  return { ...files, ...Object.fromEntries(texts) };
}

/** A parameter of whole numbers that a task sets, and what finds its line. */
function setting(name: string, value: number) {
  return { name, value, pattern: new RegExp(`^(\\s*ic?:${name}\\s*=\\s*)([^\\s#]+)(.*)$`) };
}

/**
 * Histories that the deck asks for, over all sources.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  const main = findMain(files);
  const sources = listSources(files);
  if (sources.length === 0) return refuseDeck(main, 'must have a source with NumberOfHistoriesInRun');
  const total = sources.reduce((sum, { histories }) => sum + histories, 0);
  return requirePrimaries(total, main, 'NumberOfHistoriesInRun');
}

function readParameters(files: DeckFiles): ParameterFile[] {
  return Object.entries(files)
    .filter(([name]) => name.endsWith(PARAMETER_SUFFIX))
    .map(([name, text]) => ({ name, lines: splitLines(text) }))
    .filter(({ lines }) => lines.some(({ text }) => PARAMETER.test(text)));
}

/** Sources in the order of their lines. */
function listSources(files: DeckFiles): { readonly histories: number }[] {
  return readParameters(files).flatMap(({ name, lines }) =>
    lines
      .filter(({ text }) => HISTORIES_NAME.test(text))
      .map(({ text }) => {
        const [, , value = ''] = HISTORIES.exec(text) ?? [];
        if (/^\d{1,15}$/.test(value)) return { histories: Number(value) };
        return refuseDeck(name, 'NumberOfHistoriesInRun must be a whole number, not a reference or a calculation');
      }),
  );
}

function appendLines(lines: readonly DeckLine[], texts: readonly string[]): DeckLine[] {
  if (texts.length === 0) return [...lines];
  const last = lines.at(-1);
  const ended = last === undefined || last.end !== '' ? [...lines] : [...lines.slice(0, -1), { ...last, end: '\n' }];
  return [...ended, ...newLines(texts, lines[0])];
}
