import { refuseDeck } from '../deck/adopt-files.js';
import { type DeckLine, joinLines, newLines, splitLines } from '../deck/text-lines.js';
import type { DeckFiles, TaskShare } from '../driver.js';
import { deriveTaskSeed } from '../task-seed.js';
import { countEvents, type Histories, readHistories } from './histories.js';
import { type ParameterTable, readParameters, typeOf } from './parameters/parameter-table.js';
import type { Parameter } from './parameters/read-parameter-file.js';
import { shareSources } from './share-sources.js';

/** `Ts/Seed` is a positive 32-bit integer. */
const SEED_RANGE = { min: 1, max: 2 ** 31 - 1 };
/** Progress lines in a run. */
const PROGRESS_LINES = 100;
/** The simulator refuses more of a source in one run. */
const SOURCE_HISTORIES_MAX = 1_000_000_000;
/** Of the time features that tell runs how many histories a source has. */
const FEATURE = 'TallyHistories';

/** A parameter that a task sets. */
interface Setting {
  /** With its type. */
  readonly name: string;
  readonly key: string;
  readonly value: string;
}

/**
 * Puts a task's histories into the sources, so that all tasks together have the numbers of the deck in every run, and sets seed,
 * threads and interval of progress. All is set in the file that is run: in place where it has the parameter (twice in one file is an
 * error of the simulator), else at its end; included files stay as they are.
 * @throws ConversionError `DECK_INVALID`
 */
export function apportion(files: DeckFiles, share: TaskShare): DeckFiles {
  const table = readParameters(files);
  const histories = mergeEqualTimes(readHistories(table));
  const shares = shareHistories(histories, share, table.main.name);
  const events = countEvents({ ...histories, sources: shares }).reduce((sum, count) => sum + count, 0);
  const interval = Math.max(1, Math.floor(events / PROGRESS_LINES));
  const settings = [
    ...shares.flatMap((source, index) => setSource(table, source, histories.timesNs, index + 1)),
    ...setTimes(table, histories),
    setInteger(table, 'ts/seed', deriveTaskSeed(share, SEED_RANGE)),
    setInteger(table, 'ts/numberofthreads', 1),
    setInteger(table, 'ts/showhistorycountatinterval', interval),
  ];
  const { name, parameters } = table.main;
  const added = settings.filter(({ key }) => !parameters.has(key)).map((one) => `${one.name} = ${one.value}`);
  const lines = replaceValues(splitLines(files[name] ?? ''), parameters, settings);
  return { ...files, [name]: joinLines(appendLines(lines, added)) };
}

/**
 * Histories that the deck asks for, over all sources and times.
 * @throws ConversionError `DECK_INVALID`
 */
export function readPrimaries(files: DeckFiles): number {
  return readHistories(readParameters(files)).primaries;
}

/** The largest share of a task that keeps every source below what the simulator counts. @throws ConversionError `DECK_INVALID` */
export function findTaskPrimariesMax(files: DeckFiles): number {
  const { primaries, sources } = mergeEqualTimes(readHistories(readParameters(files)));
  const most = sources.reduce((max, { counts }) => counts.reduce((a, b) => Math.max(a, b), max), 1);
  return Math.floor((SOURCE_HISTORIES_MAX - 1) * (primaries / most));
}

/** A deck whose times are all the same has one run as well as many. */
function mergeEqualTimes(histories: Histories): Histories {
  const { timesNs, sources } = histories;
  if (timesNs.some((time) => time !== timesNs[0])) return histories;
  const merged = sources.map(({ parameter, counts }) => ({
    parameter,
    counts: [counts.reduce((sum, count) => sum + count, 0)],
  }));
  return { ...histories, timesNs: timesNs.slice(0, 1), sources: merged };
}

/** The task's part of the histories of each source in each run: history after history of the job goes to them in turn. */
function shareHistories({ sources }: Histories, share: TaskShare, main: string): Histories['sources'] {
  const weights = sources.flatMap(({ counts }) => counts);
  const shares = shareSources(weights, { first: share.firstHistory, count: share.primaries });
  const tooMany = shares.find((count) => count > SOURCE_HISTORIES_MAX);
  if (tooMany !== undefined) refuseDeck(main, `${tooMany} histories are more than a source takes; use more tasks`);
  let next = 0;
  return sources.map(({ parameter, counts }) => {
    const first = next;
    next += counts.length;
    return { parameter, counts: shares.slice(first, next) };
  });
}

/** A number, or where it differs between the runs, steps that end between their times. */
function setSource(
  table: ParameterTable,
  { parameter, counts }: Histories['sources'][number],
  timesNs: readonly number[],
  number: number,
): Setting[] {
  const { key } = parameter;
  const name = nameWithType(table, parameter);
  if (counts.every((count) => count === counts[0])) return [{ name, key, value: String(counts[0] ?? 0) }];
  const feature = `Tf/${FEATURE}${number}`;
  const [first = 0, second = 0] = timesNs;
  const ends = timesNs.map((time) => time + (second - first) / 2);
  const set = (type: string, part: string, value: string): Setting => {
    const partName = `${feature}/${part}`;
    return { name: `${type}:${partName}`, key: partName.toLowerCase(), value };
  };
  return [
    set('s', 'Function', '"Step"'),
    set('dv', 'Times', `${ends.length} ${ends.join(' ')} ns`),
    set('iv', 'Values', `${counts.length} ${counts.join(' ')}`),
    { name, key, value: `${feature}/Value` },
  ];
}

/** Where times are all the same there is one run. */
function setTimes(table: ParameterTable, { timesNs }: Histories): Setting[] {
  const times = table.parameters.get('tf/numberofsequentialtimes');
  if (times === undefined || timesNs.length > 1 || times.value === '1') return [];
  return [setInteger(table, times.key, 1)];
}

function setInteger(table: ParameterTable, key: string, value: number): Setting {
  const parameter = table.parameters.get(key);
  if (parameter === undefined) throw new RangeError(`there is no parameter ${key}`);
  return { name: nameWithType(table, parameter), key, value: String(value) };
}

/** As the files that are overridden have it: another type is an error of the simulator. */
function nameWithType(table: ParameterTable, parameter: Parameter): string {
  const { type, isChangeable } = typeOf(table, parameter);
  return `${type}${isChangeable ? 'c' : ''}:${parameter.name}`;
}

function replaceValues(
  lines: readonly DeckLine[],
  parameters: ReadonlyMap<string, Parameter>,
  settings: readonly Setting[],
): DeckLine[] {
  const changed = new Map(
    settings.flatMap(({ key, value }) => {
      const place = parameters.get(key);
      return place === undefined ? [] : [[place.first, { last: place.last, value }] as const];
    }),
  );
  const dropped = new Set(
    [...changed].flatMap(([first, { last }]) => Array.from({ length: last - first }, (_, at) => first + 1 + at)),
  );
  return lines.flatMap((line, index) => {
    if (dropped.has(index)) return []; // the rest of a value of several lines
    const value = changed.get(index)?.value;
    return [value === undefined ? line : { ...line, text: replaceValue(line.text, value) }];
  });
}

/** What stands before the value, and the comment behind it, stay. */
function replaceValue(text: string, value: string): string {
  const equals = text.indexOf('=') + 1;
  const [before = '', old = '', after = ''] = /^(\s*)([^#]*?)(\s*(?:#.*)?)$/.exec(text.slice(equals))?.slice(1) ?? [];
  return text.slice(0, equals) + (old === '' ? ` ${value} ` : before + value) + after;
}

function appendLines(lines: readonly DeckLine[], texts: readonly string[]): DeckLine[] {
  if (texts.length === 0) return [...lines];
  const last = lines.at(-1);
  const ended = last === undefined || last.end !== '' ? [...lines] : [...lines.slice(0, -1), { ...last, end: '\n' }];
  return [...ended, ...newLines(texts, lines[0])];
}
