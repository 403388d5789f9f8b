import { momentsOfMeans, type NativePage } from '../../output/native-page.js';
import type { TextReader } from '../../output/text-reader.js';
import { readCsvCells, type ScorerNumbers } from './read-scorer-cells.js';
import { readScorerHead, type ScorerHead } from './read-scorer-head.js';
import { readVolumeHistogram } from './read-volume-histogram.js';
import type { ScorerContext } from './scorer-context.js';

/** A file of one scorer. */
export interface ScorerFile {
  /** The quantity, if it is reported as a sum or mean; then what else is reported. */
  readonly pages: readonly NativePage[];
  /** Moments of sums and means are of single histories: the whole run need not be one batch. */
  readonly hasErrors: boolean;
}

/** Quantities of which the simulator gives averages over what was scored, and not sums over histories. */
const AVERAGES: readonly string[] = ['protonlet'];
/** Quantities that are sums over histories. */
const SUMS = `dosetomedium dosetowater dosetomaterial tracklengthestimator ambientdoseequivalent energydeposit fluence
energyfluence stepcount opticalphotoncount origincount charge effectivecharge surfacecurrent surfacetrackcount`.split(
  /\s+/,
);

/** What is reported of the quantity itself, and does not make a page of its own. */
const VALUE_COLUMNS = ['Sum', 'Mean'];
const SPREAD_COLUMNS = ['Standard_Deviation', 'Variance', 'Second_Moment'];
const HISTORIES_COLUMN = 'Histories_with_Scorer_Active';
const COUNT_COLUMN = 'Count_in_Bin';
const LIMIT_COLUMNS = ['Min', 'Max'];
/** Larger than any score: what stands for the least or the most of a bin that nothing reached. */
const UNREACHED = 1e80;

/**
 * Reads the CSV of a scorer; columns are read by their names. `Mean` or `Sum` is the page of the quantity, with errors
 * where the spread of histories is reported too; counts, least and most are pages beside it.
 * @throws OutputError `UNREADABLE`
 */
export function readScorer(reader: TextReader, context: ScorerContext): ScorerFile {
  const head = readScorerHead(reader, context.report);
  if (head.volumeHistogram !== undefined) {
    return { hasErrors: true, pages: [readVolumeHistogram(reader, head, context)] };
  }
  if (head.columns.length === 0) reader.fail('ends the head, and there is no "# <quantity> ( <unit> ) : <columns>"');
  return toScorerFile(head, readCsvCells(reader, head, context.report), reader.fileName, context);
}

/** The pages of a scorer from its numbers. */
export function toScorerFile(
  head: ScorerHead,
  numbers: ScorerNumbers,
  fileName: string,
  context: ScorerContext,
): ScorerFile {
  const { report } = context;
  const isAverage = AVERAGES.includes(head.quantity.toLowerCase());
  const hasValue = VALUE_COLUMNS.some((name) => numbers.has(name));
  if (hasValue && !isAverage && !SUMS.includes(head.quantity.toLowerCase())) {
    report.warn(
      'OUTPUT_ASSUMED',
      fileName,
      `"${head.quantity}" is not known here; it is taken as a sum over histories`,
    );
  }
  const value = hasValue ? [isAverage ? averagePage(head, numbers, context) : sumPage(head, numbers, context)] : [];
  const used = hasValue ? [...VALUE_COLUMNS, ...SPREAD_COLUMNS, HISTORIES_COLUMN] : [];
  const others = head.columns.filter((name) => !used.includes(name));
  return {
    hasErrors: isAverage || !hasValue || findDeviations(numbers, context.events) !== undefined,
    pages: [...value, ...others.map((name) => otherPage(head, name, numbers, fileName, context))],
  };
}

function describePage(head: ScorerHead, { file }: ScorerContext): Omit<NativePage, 'kind' | 'moments'> {
  return {
    file,
    item: head.item,
    title: head.quantity,
    unit: head.unit === '' ? '1' : head.unit,
    namesAxes: false,
    isPerPrimary: false,
    axes: [...head.axes, ...(head.binning === undefined ? [] : [head.binning.axis])],
    differentialAxes: head.binning === undefined ? 0 : 1,
    isIntegrated: false,
  };
}

/** What histories score together, and, where it is reported, the sum of its squares. */
function sumPage(head: ScorerHead, numbers: ScorerNumbers, context: ScorerContext): NativePage {
  const { primaries, events } = context;
  // a scorer may have been inactive for a part of the run: its means are of the rest
  const [histories = events] = numbers.get(HISTORIES_COLUMN) ?? [];
  const sums = numbers.get('Mean')?.map((mean) => mean * histories) ?? numbers.get('Sum') ?? new Float64Array();
  const deviations = findDeviations(numbers, histories);
  // Σv² from the mean and the standard deviation of a sample, over the primaries of an event; without one the run is one batch
  const squares = sums.map((sum, bin) =>
    deviations === undefined
      ? (sum * sum) / primaries
      : ((histories - 1) * (deviations[bin] ?? Number.NaN) ** 2 + (sum * sum) / histories) * (events / primaries),
  );
  return {
    ...describePage(head, context),
    kind: 'linear',
    isPerPrimary: true,
    isIntegrated: head.binning !== undefined,
    moments: [sums, squares],
  };
}

/** Standard deviations of histories, however they are reported. */
function findDeviations(numbers: ScorerNumbers, histories: number): Float64Array | undefined {
  return (
    numbers.get('Standard_Deviation') ??
    numbers.get('Variance')?.map((variance) => Math.sqrt(variance)) ??
    numbers.get('Second_Moment')?.map((moment) => Math.sqrt(moment / (histories - 1)))
  );
}

function averagePage(head: ScorerHead, numbers: ScorerNumbers, context: ScorerContext): NativePage {
  const values = numbers.get('Sum') ?? numbers.get('Mean') ?? new Float64Array();
  return { ...describePage(head, context), kind: 'average', moments: momentsOfMeans(values, context.primaries) };
}

/** What is reported beside sum and mean: as a page of its own. */
function otherPage(
  head: ScorerHead,
  name: string,
  numbers: ScorerNumbers,
  fileName: string,
  context: ScorerContext,
): NativePage {
  const values = numbers.get(name) ?? new Float64Array();
  const page = { ...describePage(head, context), item: `${head.item} ${name}`, title: `${head.quantity} ${name}` };
  if (name === COUNT_COLUMN) return { ...page, unit: '1', namesAxes: true, kind: 'counter', moments: [values] };
  const { report, primaries } = context;
  if (LIMIT_COLUMNS.includes(name)) {
    report.warn('OUTPUT_ASSUMED', fileName, `${name} is that of the first task: it does not follow from other tasks`);
    const reached = values.map((value) => (Math.abs(value) > UNREACHED ? Number.NaN : value));
    return { ...page, namesAxes: true, kind: 'map', moments: [reached] };
  }
  report.warn('OUTPUT_ASSUMED', fileName, `${name} is shown as an average over the tasks`);
  return { ...page, namesAxes: true, kind: 'average', moments: momentsOfMeans(values, primaries) };
}
