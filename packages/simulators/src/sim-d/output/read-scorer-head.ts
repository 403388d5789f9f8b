import type { SourceAxis } from '../../driver.js';
import type { OutputReport } from '../../output/output-report.js';
import type { TextReader } from '../../output/text-reader.js';
import { convertUnit } from '../../output/units.js';

const VERSION_LINE = /^# TOPAS Version: ?(.*)$/;
const SCORER_LINE = /^# Results for [sS]corer:? (.+)$/;
const AXIS_LINE = /^# (\w+) in (\d{1,9}) bins? +of (\S+) (\w+)$/;
const BINNED_LINE = /^# Binned by (.+?) (?:in )?(\d{1,9}) bins? +of (\S+) (\w+) +from (\S+) \w+ to (\S+) (\w+)$/;
const COLUMNS_LINE = /^# (\S+)(?: \( (.*?) \))? :((?:\s+\w+)+)$/;
const BINARY_LINE = /^# Binary file: (?:.*[/\\])?([^/\\]+)$/;
const HISTOGRAM_LINE = /^# (Cumulative|Differential) Volume Histogram\b/;
const LIMITS_LINE = /^# BinNumber, LowerLimit of (\S+)(?: \( (.*?) \))?, Value$/;
const WARNING_LINE = /^# Warning: (.+)$/;
const SPARSE_LINE = /^# Showing only rows /;

/** Spatial axes come three at a time. */
const SPATIAL_AXES = 3;
/** First version of which rows have the first index fastest. */
const FIRST_INDEX_FASTEST_VERSION = 4;
/** Digits of bin widths in the head, which tell linear bins from logarithmic ones. */
const WIDTH_PRECISION = 1e-4;

/** Bins of energy or of time that a scorer has beside its positions. */
export interface Binning {
  readonly axis: SourceAxis;
  /** Groups of columns beside those of the bins: below and above them, and, by incident track, without a track. */
  readonly extraGroups: number;
}

/** What the lines of `#` say. */
export interface ScorerHead {
  readonly item: string;
  /** None, or three. */
  readonly axes: readonly SourceAxis[];
  readonly binning: Binning | undefined;
  /** Empty where no line names columns. */
  readonly quantity: string;
  readonly unit: string;
  /** What is reported of each bin, in the order of the columns. */
  readonly columns: readonly string[];
  /** Rows come with the first index fastest; undefined: the version does not say. */
  readonly isFirstFastest: boolean | undefined;
  /** Cells without a row are zero. */
  readonly isSparse: boolean;
  /** Name of the file that has the numbers, where this one has not. */
  readonly binaryFile: string | undefined;
  /** `Cumulative` or `Differential`, of a histogram of volumes over the quantity. */
  readonly volumeHistogram: string | undefined;
}

/** Whether a text is a scorer's: others may have the same ending. */
export function isScorerFile(firstLine: string | undefined): boolean {
  return firstLine !== undefined && VERSION_LINE.test(firstLine);
}

/**
 * Reads the head of a scorer's file, up to the first line without `#`. The file has sizes of bins and no origin: axes
 * begin at 0.
 * @throws OutputError `UNREADABLE`
 */
export function readScorerHead(reader: TextReader, report: OutputReport): ScorerHead {
  const version = VERSION_LINE.exec(reader.next() ?? '')?.[1];
  if (version === undefined) reader.fail('is not "# TOPAS Version: …", the first line of a scorer');
  const axes: SourceAxis[] = [];
  const found: Record<string, RegExpExecArray | undefined> = {};
  let binning: Binning | undefined;
  let isSparse = false;
  for (let line = reader.peek(); line?.startsWith('#') === true; line = reader.peek()) {
    reader.next();
    const [axis, binned] = [AXIS_LINE.exec(line), BINNED_LINE.exec(line)];
    if (axis !== null) axes.push(readAxis(reader, axis));
    else if (binned !== null) binning = readBinning(reader, binned, report);
    found.item ??= SCORER_LINE.exec(line) ?? undefined;
    found.columns ??= COLUMNS_LINE.exec(line) ?? LIMITS_LINE.exec(line) ?? undefined;
    found.binary ??= BINARY_LINE.exec(line) ?? undefined;
    found.histogram ??= HISTOGRAM_LINE.exec(line) ?? undefined;
    isSparse ||= SPARSE_LINE.test(line);
    const warning = WARNING_LINE.exec(line)?.[1];
    if (warning !== undefined) report.warn('SIMULATOR_WARNING', reader.fileName, warning);
  }
  const item = found.item?.[1];
  if (item === undefined) return reader.fail('ends the head, and there is no "# Results for scorer: …"');
  if (axes.length !== 0 && axes.length !== SPATIAL_AXES) reader.fail(`ends the head after ${axes.length} axes, not 3`);
  const [, quantity = '', unit = '', names = ''] = found.columns ?? [];
  const major = /\d+/.exec(version ?? '')?.[0];
  return {
    item,
    axes,
    binning,
    quantity,
    unit,
    columns: names.split(/\s+/).filter((name) => name !== ''),
    isFirstFastest: major === undefined ? undefined : Number(major) >= FIRST_INDEX_FASTEST_VERSION,
    isSparse,
    binaryFile: found.binary?.[1],
    volumeHistogram: found.histogram?.[1],
  };
}

function readAxis(reader: TextReader, [, name = '', bins, size, unit = '']: RegExpExecArray): SourceAxis {
  const toCm = convertUnit(unit, 'cm');
  const count = reader.count(bins);
  const upper = count * reader.number(size) * (toCm ?? 1);
  if (count < 1 || !(upper > 0)) reader.fail('is an axis without bins, or with bins of no size');
  const ownUnit = toCm === undefined ? unit : 'cm';
  return { name: name.toLowerCase(), unit: ownUnit, lower: 0, upper, bins: count, isLog: false };
}

/** Bins of energy in MeV, or of time; none where there are 0 of them. Logarithmic ones give the width of their logarithm. */
function readBinning(
  reader: TextReader,
  [, what = '', bins, width, , lower, upper, unit = '']: RegExpExecArray,
  report: OutputReport,
): Binning | undefined {
  const count = reader.count(bins);
  if (count === 0) return undefined;
  const [from, to, step] = [reader.number(lower), reader.number(upper), reader.number(width)];
  if (!(to > from)) reader.fail('is an axis that ends where it begins');
  const isWidth = (expected: number): boolean => Math.abs(step - expected) <= WIDTH_PRECISION * expected;
  const isLog = from > 0 && isWidth(Math.log10(to / from) / count);
  if (!isLog && !isWidth((to - from) / count)) {
    report.warn('OUTPUT_ASSUMED', reader.fileName, `bins of ${width} do not fill the axis; they are taken as equal`);
  }
  const toMev = convertUnit(unit, 'MeV') ?? 1;
  return {
    axis: {
      name: what.includes('time') ? 'time' : 'E',
      unit: convertUnit(unit, 'MeV') === undefined ? unit : 'MeV',
      lower: from * toMev,
      upper: to * toMev,
      bins: count,
      isLog,
    },
    extraGroups: what.includes('incident track') ? 3 : 2,
  };
}
