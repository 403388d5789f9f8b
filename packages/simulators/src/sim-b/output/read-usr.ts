import { beginsWithFortranRecord, FortranRecords } from '../../output/fortran-records.js';
import { countingAxis, momentsOfMeans, type NativePage, PAGES_MAX } from '../../output/native-page.js';
import { OutputError } from '../../output-error.js';
import { joinNeutrons, readGroupBorders, type SpectrumPart, separateNeutrons } from './neutron-groups.js';
import type { Detector, DetectorContext, UsrFileContext } from './usr-context.js';
import { HEADER_BYTES, readResnuclei, readUsrbdx, readUsrbin, readUsrtrack, readUsryield } from './usr-headers.js';

/** A page of numbers per primary. */
type MeanPage = Omit<NativePage, 'moments'> & { readonly means: Float64Array };

/** What the file of one logical unit holds; without `primaries` in files of old versions. */
export interface UsrFile {
  readonly primaries: number | undefined;
  /** @param primaries - of the run */
  readonly toPages: (primaries: number) => NativePage[];
}

const TITLE_BYTES = 80;
const DATE_BYTES = 32;
const WEIGHT_BYTES = 4;
const CASES_START = TITLE_BYTES + DATE_BYTES + WEIGHT_BYTES;
const INT_BYTES = 4;
const COUNTS_MAX = 3;
const CASES_PER_OVERFLOW = 1e9;
const NAME_BYTES = 10;
/** A number and a name begin a detector; a word in their place is a record of its own. */
const WORD_BYTES = INT_BYTES + NAME_BYTES;
const STATISTICS = 'STATISTICS';
const ISOMERS = 'ISOMERS:';
/** Number of a binning, number and weight of an event. */
const EVENT_BYTES = 12;
/** Projectile, target and momenta, which stand once before all yields. */
const YIELDS_BYTES = 28;
const FLOAT_BYTES = 4;
const PERIOD_BYTES = 2 * FLOAT_BYTES;
/** Significant digits of a 32-bit real. */
const FLOAT32_DIGITS = 7;

/**
 * Reads an unformatted file of detectors: USRBIN, USRTRACK, USRCOLL, USRBDX, USRYIELD and RESNUCLEi; values are per
 * primary. What the simulator's own merging program adds at the end (`STATISTICS`) is left out: a task has one run.
 * @throws OutputError `UNREADABLE`; `UNSUPPORTED` for what is sound and no such file
 */
export function readUsr(bytes: Uint8Array, context: UsrFileContext): UsrFile {
  refuseText(bytes, context);
  const records = new FortranRecords(bytes, context.fileName);
  const { primaries, isDecaying } = readHead(records);
  const means: MeanPage[] = [];
  while (records.hasMore) {
    const header = records.next();
    const word = header.remainingBytes === WORD_BYTES ? header.text(WORD_BYTES) : '';
    if (word.startsWith(STATISTICS)) break;
    if (word.startsWith(ISOMERS)) {
      records.next();
      context.report.warn('OUTPUT_LEFT_OUT', context.fileName, 'isomers are left out');
    } else if (means.length === 0 && isPreface(header.remainingBytes, isDecaying)) {
      continue;
    } else if (word !== '' || header.remainingBytes <= WORD_BYTES) {
      skipRest(records, context, means.length);
    } else {
      header.skip(INT_BYTES);
      means.push(...readDetector({ ...context, records, header, item: header.text(NAME_BYTES) }, isDecaying));
    }
    if (means.length > PAGES_MAX) records.fail(`is beyond ${PAGES_MAX} detectors`);
  }
  if (means.length === 0) records.fail('is the last one, and no detector follows');
  return { primaries, toPages: (count) => means.map((page) => withMoments(page, count)) };
}

/** Whether a record stands between head and detectors: that of all yields, or the irradiation: pairs of times and rates. */
function isPreface(sizeBytes: number, isDecaying: boolean): boolean {
  return sizeBytes === YIELDS_BYTES || (isDecaying && (sizeBytes - INT_BYTES) % PERIOD_BYTES === 0);
}

/** Whether a file begins as one of detectors does. */
export function isUsr(bytes: Uint8Array, fileName: string): boolean {
  return beginsWithFortranRecord(bytes) && countsIn(new FortranRecords(bytes, fileName).next().remainingBytes) >= 0;
}

/** How many counts a first record of so many bytes has; negative where it is none. */
function countsIn(sizeBytes: number): number {
  const counts = (sizeBytes - CASES_START) / INT_BYTES;
  return Number.isInteger(counts) && counts <= COUNTS_MAX ? counts : -1;
}

/** Detectors with a positive unit are printed; nothing reads those. */
function refuseText(bytes: Uint8Array, { fileName }: UsrFileContext): void {
  const start = new TextDecoder().decode(bytes.subarray(0, CASES_START));
  if (start.trim() === '' || /[^\p{L}\p{N}\p{P}\p{S}\s]|\uFFFD/u.test(start)) return;
  const message = 'is text and not unformatted records: give its detectors a negative logical unit';
  throw new OutputError('UNSUPPORTED', fileName, message);
}

/**
 * 116 bytes: nothing that is counted; 120: cases; 124: cases and batches; 128: cases, thousands of millions of them,
 * batches. Negative cases: of nuclei that decay.
 */
function readHead(records: FortranRecords): { readonly primaries: number | undefined; readonly isDecaying: boolean } {
  const head = records.next();
  const counts = countsIn(head.remainingBytes);
  if (counts < 0) {
    const message = `begins with a record of ${head.remainingBytes} bytes: it is no file of detectors`;
    throw new OutputError('UNSUPPORTED', records.fileName, message);
  }
  head.skip(CASES_START);
  if (counts === 0) return { primaries: undefined, isDecaying: false };
  const cases = head.int32() + (counts === COUNTS_MAX ? head.int32() * CASES_PER_OVERFLOW : 0);
  if (!Number.isSafeInteger(cases) || cases === 0) records.fail(`stands for ${cases} primaries`);
  return { primaries: Math.abs(cases), isDecaying: cases < 0 };
}

/** Reads on, so that a file cut short is found out. */
function skipRest(records: FortranRecords, { fileName, report }: UsrFileContext, detectors: number): void {
  const message = `${records.place} begins no detector: it and what follows are left out`;
  while (records.hasMore) records.next();
  if (detectors === 0) throw new OutputError('UNSUPPORTED', fileName, message);
  report.warn('OUTPUT_LEFT_OUT', fileName, message);
}

function readDetector(context: DetectorContext, isDecaying: boolean): MeanPage[] {
  const { records, header } = context;
  const kind = header.remainingBytes + WORD_BYTES;
  const detector = readHeader(kind, context);
  if (isDecaying && kind === HEADER_BYTES.resnuclei) records.next(); // when, after the irradiation
  if (detector === undefined) return [readUnknown(context)];
  return detector.groups === undefined ? [readPlainPage(detector, context)] : readGroupedPages(detector, context);
}

function readPlainPage(detector: Detector, context: DetectorContext): MeanPage {
  const { records, item } = context;
  const bins = detector.axes.reduce((product, axis) => product * axis.bins, 1);
  const data = records.next();
  if (data.remainingBytes === bins * FLOAT_BYTES) return toPage(item, detector, data.float32s(bins), context);
  if ([EVENT_BYTES, HEADER_BYTES.usrbin].includes(data.remainingBytes)) {
    throw new OutputError('UNSUPPORTED', context.fileName, 'is written event by event (EVENTBIN), which is not read');
  }
  return records.fail(`has ${data.remainingBytes} bytes and not ${bins} numbers`);
}

function readHeader(sizeBytes: number, context: DetectorContext): Detector | undefined {
  switch (sizeBytes) {
    case HEADER_BYTES.usrbin:
      return readUsrbin(context);
    case HEADER_BYTES.usrtrack:
      return readUsrtrack(context);
    case HEADER_BYTES.usrbdx:
      return readUsrbdx(context);
    case HEADER_BYTES.usryield:
      return readUsryield(context);
    case HEADER_BYTES.resnuclei:
      return readResnuclei(context);
    default:
      return undefined;
  }
}

/** Numbers under their count alone. */
function readUnknown(context: DetectorContext): MeanPage {
  const { records, report, fileName, item } = context;
  const data = records.next();
  const bins = data.remainingBytes / FLOAT_BYTES;
  if (!Number.isInteger(bins) || bins < 1) {
    throw new OutputError('UNSUPPORTED', fileName, `has the estimator "${item}", whose records are not known here`);
  }
  report.warn(
    'OUTPUT_UNNAMED',
    fileName,
    `"${item}" is of an estimator that has no name here: its numbers are counted`,
  );
  const detector = { title: item, unit: '1', factor: 1, axes: [countingAxis('bin', bins)], differentialAxes: 0 };
  return toPage(item, detector, data.float32s(bins), context);
}

/** The spectrum of neutrons is one page; that of other particles with neutrons is two, as the file has it. */
function readGroupedPages(detector: Detector, context: DetectorContext): MeanPage[] {
  const { records, item } = context;
  const [energy, ...angles] = detector.axes;
  if (energy === undefined) return records.fail('has no energies');
  const groups = readGroupBorders(records);
  if (groups.length === 0) return [readPlainPage(detector, context)];
  const count = angles.reduce((product, axis) => product * axis.bins, energy.bins + groups.length - 1);
  const grouped = { energy, groups, numbers: records.float32s(count) };
  const pageOf = (name: string, title: string, part: SpectrumPart) =>
    toPage(name, { ...detector, title, axes: [part.energy, ...angles] }, part.values, context);
  if (detector.groups?.isNeutron === true) return [pageOf(item, detector.title, joinNeutrons(grouped))];
  const { rest, neutrons } = separateNeutrons(grouped);
  const below = `below ${Number((groups.at(-1) ?? 0).toPrecision(FLOAT32_DIGITS))} MeV`;
  const kind = detector.title.split(' ', 1)[0] ?? '';
  const low = pageOf(`${item} neutrons`, `${kind} NEUTRON ${below}`, neutrons);
  if (energy.bins === 0) return [low];
  return [pageOf(item, `${detector.title} without neutrons ${below}`, rest), low];
}

function toPage(
  item: string,
  { title, unit, factor, axes, differentialAxes }: Detector,
  numbers: Float64Array,
  { file }: DetectorContext,
): MeanPage {
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
    means: numbers.map((value) => value * factor),
  };
}

function withMoments({ means, ...page }: MeanPage, primaries: number): NativePage {
  return { ...page, moments: momentsOfMeans(means, primaries) };
}
