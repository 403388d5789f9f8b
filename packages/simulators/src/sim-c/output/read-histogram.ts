import { GrowingNumbers } from '../../output/growing-numbers.js';
import type { NativeAxis, NativePage } from '../../output/native-page.js';
import type { TextReader } from '../../output/text-reader.js';
import type { ScoreFile, ScoreFileContext } from './score-context.js';

const CLASS_LINE = /^#class (.+)$/;
const HISTOGRAM_CLASS = /^tools::histo::h([123])d$/;
/** Contents, and then moments of the coordinates, which nobody needs. */
const COLUMNS_LINE = /^entries,Sw,Sw2,/;
const FIXED_AXIS = /^#axis fixed (\d{1,9}) (\S+) (\S+)$/;
const EDGES_AXIS = /^#axis edges (.+)$/;
const TITLE = /^#title (.*)$/;
const AXIS_TITLE = /^#annotation axis_([xyz])\.title (.*)$/;
/** `energy [MeV]`; the unit of a function of a coordinate is within it. */
const TITLE_UNIT = /^([^[]*?)\s*\[([^\]]+)\]$/;
/** Probes fill histograms without converting units (Geant4 11.2, G4PSCellFlux::ProcessHits). */
const FLUENCE = { unit: '/mm2', axis: { name: 'E', unit: 'MeV' } };
const SUM_COLUMN = 1;
const SQUARES_COLUMN = 2;
/** Edges of logarithmic bins differ by one factor, to this precision. */
const EDGE_PRECISION = 1e-6;

/** What a histogram is read with besides. */
export interface HistogramContext extends ScoreFileContext {
  /** It is of this project's own deck: what a probe fills with its fluence over energy. */
  readonly isFluence: boolean;
}

/** What an analysis manager has put into a file by its first line; `undefined`: it has written none. */
export function nameAnalysisClass(firstLine: string | undefined): string | undefined {
  return CLASS_LINE.exec(firstLine ?? '')?.[1];
}

export function isHistogramClass(name: string): boolean {
  return HISTOGRAM_CLASS.test(name);
}

/**
 * Reads a CSV histogram of the analysis manager, of one to three dimensions: lines of `#`, the names of the columns, and
 * a row a bin, first axis fastest, with one bin for what lies below and one for what lies above each axis; those are
 * left out. Contents are sums of weights over all histories; their squares are those of single entries, so that the
 * error takes entries of one history for independent.
 * @throws OutputError `UNREADABLE`
 */
export function readHistogram(reader: TextReader, { file, isFluence, report }: HistogramContext): ScoreFile {
  const { title, axes, columns } = readHead(reader);
  const [sums, squares] = [new GrowingNumbers(), new GrowingNumbers()];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const cells = line.split(',', columns + 1);
    if (cells.length !== columns) reader.fail(`has not ${columns} columns`);
    const numbers = cells.map((cell) => reader.number(cell));
    sums.push(numbers[SUM_COLUMN] ?? Number.NaN);
    squares.push(numbers[SQUARES_COLUMN] ?? Number.NaN);
  }
  const rows = axes.reduce((product, { bins }) => product * (bins + 2), 1);
  if (sums.length !== rows) reader.fail(`is the last of ${sums.length} rows, not ${rows}`);
  const isSpectrum = isFluence && axes.length === 1;
  if (!isSpectrum) report.warn('OUTPUT_UNNAMED', file, 'does not say in which unit its weights are');
  const page: NativePage = {
    file,
    item: title,
    title: title === '' ? file : title,
    kind: 'linear',
    unit: isSpectrum ? FLUENCE.unit : '1',
    namesAxes: false,
    isPerPrimary: true,
    axes: isSpectrum ? axes.map((axis) => ({ ...axis, ...FLUENCE.axis })) : axes,
    differentialAxes: isSpectrum ? 1 : 0,
    isIntegrated: isSpectrum,
    moments: [sums, squares].map((numbers) => withoutOuter(numbers.toArray(), axes)),
  };
  return { pages: [page], hasSquares: true };
}

interface Head {
  readonly title: string;
  readonly axes: readonly NativeAxis[];
  readonly columns: number;
}

function readHead(reader: TextReader): Head {
  const [, dimensions] = HISTOGRAM_CLASS.exec(nameAnalysisClass(reader.next()) ?? '') ?? [];
  if (dimensions === undefined) return reader.fail('is not the first line of a histogram');
  let title = '';
  const lines: string[] = [];
  const titles = new Map<string, string>();
  for (let line = reader.next(); !COLUMNS_LINE.test(line ?? ''); line = reader.next()) {
    if (line === undefined) return reader.fail('ends a histogram that has no columns');
    if (!line.startsWith('#')) return reader.fail('is neither a property nor the names of the columns');
    title = TITLE.exec(line)?.[1] ?? title;
    if (line.startsWith('#axis ')) lines.push(line);
    const [, axis = '', text = ''] = AXIS_TITLE.exec(line) ?? [];
    titles.set(axis, text.trim());
  }
  if (lines.length !== Number(dimensions)) reader.fail(`ends the head of ${lines.length} axes, not ${dimensions}`);
  const axes = lines.map((line, index) => ({
    ...nameAxis(titles.get(['x', 'y', 'z'][index] ?? '') ?? ''),
    ...readAxis(reader, line),
  }));
  return { title, axes, columns: 3 + 2 * axes.length };
}

function nameAxis(title: string): { readonly name: string; readonly unit: string } {
  const [, name, unit] = TITLE_UNIT.exec(title) ?? [];
  return name === undefined || unit === undefined ? { name: title, unit: '1' } : { name, unit };
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

/** Without the first and last bin of every axis. */
function withoutOuter(numbers: Float64Array, axes: readonly NativeAxis[]): Float64Array {
  return numbers.filter((_, index) => {
    let rest = index;
    return axes.every(({ bins }) => {
      const at = rest % (bins + 2);
      rest = Math.floor(rest / (bins + 2));
      return at > 0 && at <= bins;
    });
  });
}
