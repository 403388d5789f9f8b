import type { SourceAxis } from '../driver.js';
import { GrowingNumbers } from '../output/growing-numbers.js';
import { type NativePage, reverseOrder } from '../output/native-page.js';
import type { TextReader } from '../output/text-reader.js';
import { convertUnit } from '../output/units.js';

/** A file of one scorer. */
export interface ScorerFile {
  readonly page: NativePage;
  /** The moments are of single histories, or, of averages, of none: the whole run need not be one batch for this page. */
  readonly hasErrors: boolean;
}

const VERSION_LINE = /^# TOPAS Version: /;
const SCORER_LINE = /^# Results for scorer:? (\S+)$/;
const AXIS_LINE = /^# (X|Y|Z|R|Phi|Theta) in (\d{1,9}) bins? +of (\S+) (\w+)$/;
const BINNED_LINE = /^# Binned by (.+) in (\d{1,9}) bins? +of \S+ (\w+) +from (\S+) \w+ to (\S+) (\w+)$/;
const COLUMNS_LINE = /^# (\w+)(?: \( (.*?) \))?\s*:((?:\s+\w+)+)$/;

/** Quantities of which the simulator gives averages over what was scored, and not sums over histories. */
const AVERAGES: readonly string[] = ['ProtonLET'];
/** Groups of columns beside the bins of energy: below, above, and without an incident track; of time: below and above. */
const EXTRA_GROUPS: ReadonlyMap<string, number> = new Map([
  ['E', 3],
  ['time', 2],
]);
const SPATIAL_AXES = 3;

/** What the lines of `#` say. */
interface Head {
  readonly item: string;
  readonly axes: readonly SourceAxis[];
  readonly binning: SourceAxis | undefined;
  readonly quantity: string;
  readonly unit: string;
  readonly columns: readonly string[];
}

/** Whether a text is such a file: others may have the same ending. */
export function isScorerFile(firstLine: string | undefined): boolean {
  return firstLine !== undefined && VERSION_LINE.test(firstLine);
}

/**
 * Reads the CSV of a scorer. Rows are cells with three indices, the last one fastest, or a single one without; columns
 * are read by their names: `Mean` and `Standard_Deviation` of histories give values with errors, `Sum` values alone. The
 * file has sizes of bins and no origin: axes begin at 0.
 * @param file - `PageSource.file` of its page
 * @param primaries - of the task
 * @throws OutputError `UNREADABLE`
 */
export function readScorer(reader: TextReader, file: string, primaries: number): ScorerFile {
  const head = readHead(reader);
  const groups = head.binning === undefined ? 1 : head.binning.bins + (EXTRA_GROUPS.get(head.binning.name) ?? 0);
  const sizes = head.axes.map(({ bins }) => bins);
  const find = (name: string): number => head.columns.indexOf(name);
  const isAverage = AVERAGES.includes(head.quantity);
  const wanted = isAverage || find('Mean') < 0 ? ['Sum'] : ['Mean', 'Standard_Deviation'];
  const columns = wanted.map(find).filter((column) => column >= 0);
  if (columns.length === 0) reader.fail('names neither Mean nor Sum, and nothing else is read');
  const tables = readRows(reader, { sizes, groups, width: head.columns.length, columns, binning: head.binning });
  const [values = new Float64Array(), deviations] = tables.map((table) => orderCells(table, sizes));
  const hasErrors = deviations !== undefined;
  return {
    hasErrors: hasErrors || isAverage,
    page: {
      file,
      item: head.item,
      title: head.quantity,
      kind: isAverage ? 'average' : 'linear',
      unit: nameUnit(head.unit),
      namesAxes: false,
      isPerPrimary: !isAverage,
      axes: [...head.axes, ...(head.binning === undefined ? [] : [head.binning])],
      differentialAxes: head.binning === undefined ? 0 : 1,
      isIntegrated: head.binning !== undefined && !isAverage,
      moments: toMoments(values, deviations, { isAverage, isSum: wanted[0] === 'Sum', primaries }),
    },
  };
}

function toMoments(
  values: Float64Array,
  deviations: Float64Array | undefined,
  { isAverage, isSum, primaries }: { isAverage: boolean; isSum: boolean; primaries: number },
): Float64Array[] {
  const sums = isSum && !isAverage ? values : values.map((value) => value * primaries);
  if (deviations === undefined) return [sums, sums.map((sum) => (sum * sum) / primaries)];
  // Σv² from the mean and the standard deviation of a sample
  const squares = values.map((mean, bin) => {
    const deviation = deviations[bin] ?? Number.NaN;
    return (primaries - 1) * deviation * deviation + primaries * mean * mean;
  });
  return [sums, squares];
}

function readHead(reader: TextReader): Head {
  if (!isScorerFile(reader.next())) reader.fail('is not the first line of a scorer');
  const axes: SourceAxis[] = [];
  let [item, binning]: [string, SourceAxis | undefined] = ['', undefined];
  let columns: RegExpExecArray | undefined;
  for (let line = reader.peek(); line?.startsWith('#') === true; line = reader.peek()) {
    reader.next();
    item = SCORER_LINE.exec(line)?.[1] ?? item;
    const axis = AXIS_LINE.exec(line);
    const binned = BINNED_LINE.exec(line);
    if (axis !== null) axes.push(readAxis(reader, axis));
    else if (binned !== null) binning = readBinning(reader, binned);
    else if (item !== '') columns = COLUMNS_LINE.exec(line) ?? columns;
    if (axes.length > SPATIAL_AXES) reader.fail('is a fourth axis');
  }
  const [, quantity, unit = '', names = ''] = columns ?? [];
  if (item === '' || quantity === undefined) return reader.fail('ends the head, and scorer or columns have no name');
  if (axes.length !== 0 && axes.length !== SPATIAL_AXES) reader.fail(`ends the head after ${axes.length} axes`);
  return { item, axes, binning, quantity, unit, columns: names.trim().split(/\s+/) };
}

function readAxis(reader: TextReader, [, name = '', bins, size, unit = '']: RegExpExecArray): SourceAxis {
  const toCm = convertUnit(unit, 'cm');
  const count = reader.count(bins);
  const upper = count * reader.number(size) * (toCm ?? 1);
  if (count < 1) reader.fail('has no bins');
  return {
    name: name.toLowerCase(),
    unit: toCm === undefined ? unit : 'cm',
    lower: 0,
    upper,
    bins: count,
    isLog: false,
  };
}

function readBinning(reader: TextReader, [, what = '', bins, , lower, upper, unit = '']: RegExpExecArray): SourceAxis {
  const toMev = convertUnit(unit, 'MeV');
  const count = reader.count(bins);
  const [from, to] = [reader.number(lower) * (toMev ?? 1), reader.number(upper) * (toMev ?? 1)];
  if (count < 1 || !(to > from)) reader.fail('is a faulty axis');
  const name = what.includes('time') ? 'time' : 'E';
  return { name, unit: toMev === undefined ? unit : 'MeV', lower: from, upper: to, bins: count, isLog: false };
}

interface Table {
  readonly sizes: readonly number[];
  /** Groups of columns in a row, one a bin of energy or time and the extra ones. */
  readonly groups: number;
  /** Columns of a group. */
  readonly width: number;
  /** Columns of a group that are read. */
  readonly columns: readonly number[];
  readonly binning: SourceAxis | undefined;
}

/** For each of `columns` its numbers, row after row, and in a row bin after bin. */
function readRows(reader: TextReader, { sizes, groups, width, columns, binning }: Table): Float64Array[] {
  const tables = columns.map(() => new GrowingNumbers());
  const [, ny = 1, nz = 1] = sizes;
  const rowCount = sizes.reduce((product, size) => product * size, 1);
  const cellCount = sizes.length + groups * width;
  const bins = binning?.bins ?? 1;
  let row = 0;
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const cells = line.split(',');
    if (row >= rowCount || cells.length !== cellCount) {
      reader.fail(`is not one of ${rowCount} rows of ${cellCount} columns`);
    }
    const expected = [Math.floor(row / (ny * nz)), Math.floor(row / nz) % ny, row % nz];
    if (sizes.some((_, axis) => reader.count(cells[axis]) !== expected[axis]))
      reader.fail('is not the cell that comes next');
    for (const [index, column] of columns.entries()) {
      for (let bin = 0; bin < bins; bin += 1) {
        const group = binning === undefined ? 0 : bin + 1; // the first is for what lies below
        tables[index]?.push(reader.number(cells[sizes.length + group * width + column]));
      }
    }
    row += 1;
  }
  if (row !== rowCount) reader.fail(`is the last of ${row} rows, not ${rowCount}`);
  return tables.map((table) => table.toArray());
}

/** Row after row, with the last position and the bin of energy fastest, in our order: first position fastest. */
function orderCells(numbers: Float64Array, sizes: readonly number[]): Float64Array {
  const cells = sizes.reduce((product, size) => product * size, 1);
  const bins = numbers.length / cells;
  const ordered = new Float64Array(numbers.length);
  const plane = new Float64Array(cells);
  for (let bin = 0; bin < bins; bin += 1) {
    for (let cell = 0; cell < cells; cell += 1) plane[cell] = numbers[cell * bins + bin] ?? Number.NaN;
    ordered.set(reverseOrder(plane, sizes), bin * cells);
  }
  return ordered;
}

/** `/mm2` and `Gy` are known; without one it is a number. */
function nameUnit(unit: string): string {
  return unit === '' ? '1' : unit;
}
