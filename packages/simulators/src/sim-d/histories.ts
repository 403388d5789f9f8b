import { refuseDeck, refuseLine } from '../deck/adopt-files.js';
import type { DeckFiles } from '../driver.js';
import { evaluateBoolean, evaluateInteger, evaluateText, evaluateTime } from './parameters/evaluate.js';
import { type ParameterTable, readParameters } from './parameters/parameter-table.js';
import type { Parameter } from './parameters/read-parameter-file.js';

/** A source that takes part in a run. */
export interface Source {
  /** What says how many histories it has in a run. */
  readonly parameter: Parameter;
  /** Histories at each time. */
  readonly counts: readonly number[];
}

/** The histories of a deck: the simulator has one run for each time, and calls every source in it. */
export interface Histories {
  /** Of the runs, in their order. */
  readonly timesNs: readonly number[];
  readonly sources: readonly Source[];
  readonly primaries: number;
}

const SOURCE_TYPE = /^so\/(.+)\/type$/;
const PHASE_SPACE = ['phasespace', 'phasespaceold'];
/** Runs, and numbers of histories, that are followed. */
const TIMES_MAX = 100_000;
const NUMBERS_MAX = 1_000_000;

/**
 * How many histories each source has in each run, as the simulator decides it (OpenTOPAS 4, TsSequenceManager and TsSource).
 * @throws ConversionError `DECK_INVALID` with the line of what cannot be known before the run: random times, files of particles
 */
export function readHistories(table: ParameterTable): Histories {
  const timesNs = readTimes(table);
  const found = [...table.parameters.values()].flatMap((type): Source[] => {
    const name = SOURCE_TYPE.exec(type.key)?.[1];
    const parameter = table.parameters.get(`so/${name}/numberofhistoriesinrun`);
    refusePhaseSpace(table, type, name);
    if (name === undefined || parameter === undefined) return [];
    return [{ parameter, counts: readCounts(table, parameter, timesNs) }];
  });
  const sources = found.filter(({ counts }) => counts.some((count) => count > 0));
  if (sources.length * timesNs.length > NUMBERS_MAX) {
    refuseDeck(
      table.main.name,
      `has ${sources.length} sources at ${timesNs.length} times, more than ${NUMBERS_MAX} together`,
    );
  }
  const primaries = sources.reduce((sum, { counts }) => sum + counts.reduce((total, count) => total + count, 0), 0);
  if (primaries > 0) return { timesNs, sources, primaries };
  return refuseDeck(table.main.name, 'must have a source with a Type and NumberOfHistoriesInRun of at least 1');
}

/** Events of a run: in each every source that is not done yet has a history. */
export function countEvents({ timesNs, sources }: Histories): number[] {
  return timesNs.map((_, time) => sources.reduce((most, { counts }) => Math.max(most, counts[time] ?? 0), 0));
}

/** {@link countEvents} of a deck. @throws ConversionError `DECK_INVALID` */
export function listEvents(files: DeckFiles): number[] {
  return countEvents(readHistories(readParameters(files)));
}

function readTimes(table: ParameterTable): number[] {
  const get = (key: string) => table.parameters.get(key);
  const random = get('tf/randomizetimedistribution');
  if (random !== undefined && evaluateBoolean(table, random)) {
    refuseLine(
      random.file,
      random.first,
      `${random.name}: random times are not supported, since tasks cannot share them`,
    );
  }
  const [count, start, end] = [get('tf/numberofsequentialtimes'), get('tf/timelinestart'), get('tf/timelineend')];
  if (count === undefined || start === undefined || end === undefined) return [0];
  const times = evaluateInteger(table, count);
  if (times < 1 || times > TIMES_MAX) {
    refuseLine(count.file, count.first, `${count.name} must be from 1 to ${TIMES_MAX}, not ${times}`);
  }
  const from = evaluateTime(table, start);
  const interval = times === 1 ? 0 : (evaluateTime(table, end) - from) / times;
  if (interval < 0) refuseLine(end.file, end.first, `${end.name} must not be before Tf/TimelineStart`);
  return Array.from({ length: times }, (_, time) => from + time * interval);
}

function readCounts(table: ParameterTable, parameter: Parameter, timesNs: readonly number[]): number[] {
  const isFixed = /^[+-]?\d+$/.test(parameter.value);
  const fixed = isFixed ? evaluateInteger(table, parameter) : undefined;
  return timesNs.map((time) => {
    const count = fixed ?? evaluateInteger(table, parameter, time);
    return count >= 0 ? count : refuseLine(parameter.file, parameter.first, `${parameter.name} must not be negative`);
  });
}

/** A file of particles says itself how many histories there are, and every task would begin at its first. */
function refusePhaseSpace(table: ParameterTable, type: Parameter, name: string | undefined): void {
  if (name === undefined) return;
  const kind = evaluateText(table, type)?.trim().toLowerCase() ?? '';
  if (!PHASE_SPACE.includes(kind)) return;
  const message = `${type.name}: every task would read the particles of a phase space from the first on; this is not supported`;
  refuseLine(type.file, type.first, message);
}
