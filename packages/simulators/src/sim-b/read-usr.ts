import type { SourceAxis } from '../driver.js';
import type { ByteReader } from '../output/byte-reader.js';
import { FortranRecords } from '../output/fortran-records.js';
import { momentsOfMeans, type NativeAxis, type NativePage, PAGES_MAX } from '../output/native-page.js';
import { timesVolume } from '../output/units.js';
import { OutputError } from '../output-error.js';
import { joinNeutrons, readGroupBorders, type SpectrumPart, separateNeutrons } from './neutron-groups.js';
import { describeQuantity } from './scored-quantities.js';

/** What the file of one logical unit holds. */
export interface UsrFile {
  readonly primaries: number;
  readonly pages: readonly NativePage[];
}

/** A record of a detector is known by its length. */
const HEADER_BYTES = { usrbin: 86, usrtrack: 50, usrbdx: 78, statistics: 14 } as const;
const TITLE_BYTES = 80;
const DATE_BYTES = 32;
const WEIGHT_BYTES = 4;
const CASES_START = TITLE_BYTES + DATE_BYTES + WEIGHT_BYTES;
const INT_BYTES = 4;
const CASES_PER_OVERFLOW = 1e9;
const NAME_BYTES = 10;
const REGION_BINNINGS: readonly number[] = [2, 12];
/** Number of the particle. */
const NEUTRON = 8;
const STATISTICS = 'STATISTICS';
const MEV_PER_GEV = 1000;
/** Significant digits of a 32-bit real. */
const FLOAT32_DIGITS = 7;

/**
 * Reads an unformatted file of USRBIN, USRTRACK or USRBDX detectors: Fortran records, little endian; values are per
 * primary. What the simulator's own merging program adds at the end (`STATISTICS`) is left out: a task has one run.
 * @param file - `PageSource.file` of its pages: the logical unit
 * @throws OutputError `UNREADABLE`; `UNSUPPORTED` for other estimators and special binnings
 */
export function readUsr(bytes: Uint8Array, fileName: string, file: string): UsrFile {
  const records = new FortranRecords(bytes, fileName);
  const primaries = readCases(records);
  const pages: NativePage[] = [];
  while (records.hasMore) {
    const header = records.next();
    if (header.remainingBytes === HEADER_BYTES.statistics && header.text(NAME_BYTES) === STATISTICS) break;
    pages.push(...readDetector({ records, header, file, primaries }));
    if (pages.length > PAGES_MAX) records.fail(`is beyond ${PAGES_MAX} detectors`);
  }
  if (pages.length === 0) records.fail('is the last one, and no detector follows');
  return { primaries, pages };
}

/** 120 bytes: cases; 124: cases and batches; 128: cases, thousands of millions of them, batches. */
function readCases(records: FortranRecords): number {
  const head = records.next();
  const counts = (head.remainingBytes - CASES_START) / INT_BYTES;
  if (![1, 2, 3].includes(counts)) records.fail('does not begin a file of detectors with its number of primaries');
  head.skip(CASES_START);
  const cases = head.int32() + (counts === 3 ? head.int32() * CASES_PER_OVERFLOW : 0);
  if (!Number.isSafeInteger(cases) || cases < 1) records.fail(`stands for ${cases} primaries`);
  return cases;
}

interface DetectorContext {
  readonly records: FortranRecords;
  readonly header: ByteReader;
  readonly file: string;
  readonly primaries: number;
}

/** What the three kinds of detectors say of themselves. */
interface Detector {
  readonly axes: readonly NativeAxis[];
  readonly differentialAxes: number;
  /** Low-energy neutrons are in groups of their own. */
  readonly hasGroups: boolean;
  /** Nothing but neutrons is scored. */
  readonly isNeutron: boolean;
  readonly unit: string;
  readonly factor: number;
  readonly title: string;
}

function readDetector(context: DetectorContext): NativePage[] {
  const { records, header } = context;
  const kind = header.remainingBytes;
  if (kind < INT_BYTES + NAME_BYTES) records.fail('begins no detector');
  header.skip(INT_BYTES);
  const item = header.text(NAME_BYTES);
  const detector = readHeader(kind, context);
  if (detector.hasGroups) return readGroupedPages(item, detector, context);
  const bins = detector.axes.reduce((product, axis) => product * axis.bins, 1);
  return [toPage(item, detector, records.float32s(bins), context)];
}

/** The spectrum of neutrons is one page; that of other particles with neutrons is two, as the file has it. */
function readGroupedPages(item: string, detector: Detector, context: DetectorContext): NativePage[] {
  const { records } = context;
  const [energy, ...angles] = detector.axes;
  if (energy === undefined) return records.fail('has no energies');
  const groups = readGroupBorders(records);
  const count = angles.reduce((product, axis) => product * axis.bins, energy.bins + groups.length - 1);
  const grouped = { energy, groups, numbers: records.float32s(count) };
  const pageOf = (name: string, title: string, part: SpectrumPart) =>
    toPage(name, { ...detector, title, axes: [part.energy, ...angles] }, part.values, context);
  if (detector.isNeutron) return [pageOf(item, detector.title, joinNeutrons(grouped))];
  const { rest, neutrons } = separateNeutrons(grouped);
  const below = `below ${Number((groups.at(-1) ?? 0).toPrecision(FLOAT32_DIGITS))} MeV`;
  return [
    pageOf(item, `${detector.title} without neutrons ${below}`, rest),
    pageOf(`${item} neutrons`, `FLUENCE NEUTRON ${below}`, neutrons),
  ];
}

function toPage(
  item: string,
  { title, unit, factor, axes, differentialAxes }: Detector,
  numbers: Float64Array,
  { file, primaries }: DetectorContext,
): NativePage {
  return {
    file,
    item,
    title,
    kind: 'linear',
    unit,
    namesAxes: false,
    isPerPrimary: true,
    axes,
    differentialAxes,
    isIntegrated: false,
    moments: momentsOfMeans(
      numbers.map((value) => value * factor),
      primaries,
    ),
  };
}

function readHeader(kind: number, context: DetectorContext): Detector {
  switch (kind) {
    case HEADER_BYTES.usrbin:
      return readUsrbin(context);
    case HEADER_BYTES.usrtrack:
      return readUsrtrack(context);
    case HEADER_BYTES.usrbdx:
      return readUsrbdx(context);
    default:
      return unsupported(context, 'has an estimator that is none of USRBIN, USRTRACK and USRBDX');
  }
}

function readUsrbin(context: DetectorContext): Detector {
  const { header } = context;
  const binning = header.int32();
  const quantity = describeQuantity(header.int32());
  const axes = nameGrid(binning, [readGrid(context), readGrid(context), readGrid(context)], context);
  // regions have no volume to divide by
  const unit = REGION_BINNINGS.includes(binning) ? timesVolume(quantity.unit) : quantity.unit;
  return {
    title: quantity.name,
    unit,
    factor: quantity.factor,
    differentialAxes: 0,
    axes,
    hasGroups: false,
    isNeutron: false,
  };
}

/** Lower and upper limit, number of bins, width (which follows from them). */
function readGrid({ header, records }: DetectorContext): SourceAxis {
  const [lower, upper, bins] = [readReal(header), readReal(header), header.int32()];
  header.skip(INT_BYTES);
  if (bins < 1) records.fail(`has an axis of ${bins} bins`);
  return { name: '', unit: 'cm', lower, upper, bins, isLog: false };
}

function nameGrid(
  binning: number,
  [first, second, third]: readonly [SourceAxis, SourceAxis, SourceAxis],
  context: DetectorContext,
): SourceAxis[] {
  const named = (axis: SourceAxis, name: string): SourceAxis => ({ ...axis, name });
  switch (binning) {
    case 0:
    case 10:
      return [named(first, 'x'), named(second, 'y'), named(third, 'z')];
    case 1:
    case 11: // the limits of the second axis are where the axis of the cylinder is
      return [
        named(first, 'r'),
        { name: 'phi', unit: 'rad', lower: -Math.PI, upper: Math.PI, bins: second.bins, isLog: false },
        named(third, 'z'),
      ];
    case REGION_BINNINGS[0]:
    case REGION_BINNINGS[1]:
      return [
        { ...first, name: 'region', unit: '1', lower: 0.5, upper: first.bins + 0.5 },
        named(second, 'y'),
        named(third, 'z'),
      ];
    default:
      return unsupported(context, `has the binning ${binning}, which is not read`);
  }
}

/** Fluence from track lengths in a region, per GeV. */
function readUsrtrack(context: DetectorContext): Detector {
  const { header } = context;
  const scale = header.int32();
  const particle = header.int32();
  header.skip(INT_BYTES); // region
  const volumeCm3 = header.float32();
  const hasGroups = header.int32() !== 0;
  const energy = readEnergies(context, scale < 0);
  // a volume of 1 is what is put where none is known: the numbers are track lengths
  return {
    title: describeQuantity(particle).name,
    axes: [energy],
    hasGroups,
    isNeutron: particle === NEUTRON,
    differentialAxes: 1,
    unit: volumeCm3 === 1 ? 'cm' : '/cm^2',
    factor: 1 / MEV_PER_GEV,
  };
}

/** Fluence or current over a boundary, per GeV and sr. */
function readUsrbdx(context: DetectorContext): Detector {
  const { header, records } = context;
  const scale = header.int32();
  const particle = header.int32();
  header.skip(5 * INT_BYTES); // regions, area, both ways or one, fluence or current
  const hasGroups = header.int32() !== 0;
  const energy = readEnergies(context, scale < 0);
  const [lower, upper, bins] = [readReal(header), readReal(header), header.int32()];
  const isLog = Math.abs(scale) === 2;
  if (bins < 1 || !(upper > lower) || (isLog && !(lower > 0))) records.fail('has a faulty angular axis');
  const angle = { name: 'ANGLE', unit: 'sr', lower, upper, bins, isLog };
  return {
    title: describeQuantity(particle).name,
    axes: [energy, angle],
    hasGroups,
    isNeutron: particle === NEUTRON,
    differentialAxes: 2,
    unit: '/cm^2',
    factor: 1 / MEV_PER_GEV,
  };
}

/** In MeV. */
function readEnergies({ header, records }: DetectorContext, isLog: boolean): SourceAxis {
  const [lower, upper, bins] = [readReal(header) * MEV_PER_GEV, readReal(header) * MEV_PER_GEV, header.int32()];
  header.skip(INT_BYTES);
  if (bins < 1 || !(upper > lower) || (isLog && !(lower > 0))) records.fail('has a faulty axis of energies');
  return { name: 'E', unit: 'MeV', lower, upper, bins, isLog };
}

/** A 32-bit real as the decimal number it was written for: -0.1 and not -0.10000000149. */
function readReal(reader: ByteReader): number {
  return Number(reader.float32().toPrecision(FLOAT32_DIGITS));
}

function unsupported({ header }: DetectorContext, message: string): never {
  throw new OutputError('UNSUPPORTED', header.fileName, message);
}
