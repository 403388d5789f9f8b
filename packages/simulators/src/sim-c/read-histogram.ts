import { GrowingNumbers } from '../output/growing-numbers.js';
import type { NativeAxis, NativePage } from '../output/native-page.js';
import type { TextReader } from '../output/text-reader.js';

const COLUMNS_LINE = 'entries,Sw,Sw2,Sxw0,Sx2w0';
const COLUMNS = 5;
const FIXED_AXIS = /^#axis fixed (\d{1,9}) (\S+) (\S+)$/;
const EDGES_AXIS = /^#axis edges (.+)$/;
/** Probes fill histograms without converting units (Geant4 11.2, G4PSCellFlux::ProcessHits). */
const INTERNAL_FLUENCE_UNIT = '/mm2';
const SUM_COLUMN = 1;
const SQUARES_COLUMN = 2;
/** Edges of logarithmic bins differ by one factor, to this precision. */
const EDGE_PRECISION = 1e-6;

/** Whether a text is such a histogram: others may have the same ending. */
export function isHistogram(firstLine: string | undefined): boolean {
  return firstLine?.startsWith('#class ') === true;
}

/**
 * Reads a one-dimensional CSV histogram of the analysis manager: lines of `#`, the names of the columns, and a row a
 * bin, the first for what lies below and the last for what lies above the axis; both are left out. Contents are sums of
 * weights over all histories; their squares are those of single entries, so that the error takes entries of one history
 * for independent.
 * @param file - `PageSource.file` of its page
 * @throws OutputError `UNREADABLE`
 */
export function readHistogram(reader: TextReader, file: string): NativePage {
  const head = readHead(reader);
  const edges = readAxis(reader, head.axis);
  const [sums, squares] = [new GrowingNumbers(), new GrowingNumbers()];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const cells = line.split(',', COLUMNS + 1);
    if (cells.length !== COLUMNS) reader.fail(`has not ${COLUMNS} columns`);
    const numbers = cells.map((cell) => reader.number(cell));
    sums.push(numbers[SUM_COLUMN] ?? Number.NaN);
    squares.push(numbers[SQUARES_COLUMN] ?? Number.NaN);
  }
  if (sums.length !== edges.bins + 2) reader.fail(`is the last of ${sums.length} rows, not ${edges.bins + 2}`);
  const inner = (numbers: GrowingNumbers): Float64Array => numbers.toArray().slice(1, -1);
  return {
    file,
    item: head.title,
    title: head.title,
    kind: 'linear',
    unit: INTERNAL_FLUENCE_UNIT,
    namesAxes: false,
    isPerPrimary: true,
    axes: [{ name: 'E', unit: 'MeV', ...edges }],
    differentialAxes: 1,
    isIntegrated: true,
    moments: [inner(sums), inner(squares)],
  };
}

interface Head {
  readonly title: string;
  readonly axis: string;
}

function readHead(reader: TextReader): Head {
  const first = reader.next();
  if (!isHistogram(first)) reader.fail('is not the first line of a histogram');
  let head: Head = { title: '', axis: '' };
  for (let line = reader.next(); line !== COLUMNS_LINE; line = reader.next()) {
    if (line === undefined) return reader.fail('ends a histogram that has no columns');
    if (!line.startsWith('#')) return reader.fail(`is neither a property nor "${COLUMNS_LINE}"`);
    if (line.startsWith('#title ')) head = { ...head, title: line.slice('#title '.length) };
    if (line.startsWith('#axis ')) head = { ...head, axis: head.axis === '' ? line : reader.fail('is a second axis') };
    if (line.startsWith('#dimension ') && line !== '#dimension 1') reader.fail('has more than one dimension');
  }
  return head;
}

function readAxis(reader: TextReader, line: string): Omit<NativeAxis, 'name' | 'unit'> {
  const [, fixed, min, max] = FIXED_AXIS.exec(line) ?? [];
  if (fixed !== undefined) {
    const axis = { lower: reader.number(min), upper: reader.number(max), bins: reader.count(fixed), isLog: false };
    return axis.upper > axis.lower && axis.bins >= 1 ? axis : reader.fail('ends the head of a faulty axis');
  }
  const edges = (EDGES_AXIS.exec(line)?.[1]?.split(' ') ?? []).map((edge) => reader.number(edge));
  const [lower = 0, upper = 0] = [edges[0], edges.at(-1)];
  const isAscending = edges.every(
    (edge, i) => Number.isFinite(edge) && !(edge <= (edges[i - 1] ?? Number.NEGATIVE_INFINITY)),
  );
  if (edges.length < 2 || !isAscending) return reader.fail('ends the head of a faulty axis');
  const bins = edges.length - 1;
  const ratio = (upper / lower) ** (1 / bins);
  const isLog = lower > 0 && edges.every((edge, i) => Math.abs(edge / (lower * ratio ** i) - 1) < EDGE_PRECISION);
  return isLog ? { lower, upper, bins, isLog } : { lower, upper, bins, isLog, borders: edges };
}
