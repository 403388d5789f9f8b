import type { ByteReader } from '../../output/byte-reader.js';
import { beginsWithFortranRecord, FortranRecords } from '../../output/fortran-records.js';
import type { NativeAxis, NativePage } from '../../output/native-page.js';
import { OutputError } from '../../output-error.js';
import { findPdgNumber, findSpecies } from '../../project/particle.js';
import { nameSpatialAxes } from './bdo-axes.js';
import type { BdoContext, BdoFile } from './bdo-context.js';
import { fitAxes, momentsOf, nameQuantity } from './bdo-page.js';
import { describeAxis, kindOfDetectorType, nameDetectorType } from './bdo-tables.js';
import { type BdoTokens, numberOf, TAG } from './bdo-tokens.js';

/** The one detector of a file of the formats without pages. */
interface OldDetector {
  readonly primaries: number;
  /** `MSH`; with a D in front where it is differential. */
  readonly geometry: string;
  readonly start: readonly number[];
  readonly stop: readonly number[];
  /** Negative: the axis is logarithmic. */
  readonly bins: readonly number[];
  readonly firstZone: number;
  /** Number of the particle that is scored, its charge and mass; -1: all. */
  readonly particle: readonly [id: number, z: number, a: number];
  readonly type: number;
  readonly differential: {
    readonly type: number;
    readonly lower: number;
    readonly upper: number;
    readonly bins: number;
  };
  readonly data: Float64Array;
}

const ALL_PARTICLES = -1;

/** Differential axes by their numbers in these formats; larger ones are detector types. */
const OLD_DIFFERENTIALS: ReadonlyMap<number, readonly [name: string, unit: string]> = new Map([
  [1, ['EAMU', 'MeV/amu']],
  [2, ['DEDX', 'MeV/cm']],
  [3, ['ANGLE', 'rad']],
]);

/** Units by quantity: these files do not say them. */
const OLD_UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MeV: 'ENERGY',
    '/cm^2': 'FLUENCE CROSSFLU FLU-CHAR FLU-NEUT FLU-NEQV',
    'MeV/cm': 'LETFLU',
    'MeV/g': 'DOSE DDD ALANINE DIRTYDOSE',
    'keV/um': 'DLET TLET DLETG TLETG',
    'MeV/nucl': 'AVG-ENERGY DAVGE',
    'g/cm^3': 'RHO',
    '1': 'AVG-BETA DBETA MATERIAL MEDIUM ZONE COUNTER COUNT PET Q Q-EFF DQ-EFF TQ-EFF',
  }).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit] as const)),
);
/** Lengths of the records of the format of 2010: kind of geometry, reals and integers of the detector. */
const RECORD_BYTES = { geometry: 10, primaries: 4, reals: 64, integers: 44 } as const;
const REAL_BYTES = 8;
const VOXELS = 'VOXSCORE';

/**
 * Reads a file of the format of 2016: items as today, of one detector and without pages. Numbers are sums over primaries,
 * but for averages and maps.
 * @throws OutputError `UNREADABLE`
 */
export function readBdo2016(reader: ByteReader, tokens: BdoTokens, data: Float64Array, context: BdoContext): BdoFile {
  const numbers = (tag: number): readonly number[] => tokens.get(tag)?.numbers ?? [];
  const first = (tag: number, otherwise: number): number => numberOf(tokens, tag) ?? otherwise;
  const type = numberOf(tokens, TAG.oldType);
  if (type === undefined)
    return reader.fail('has data, and neither the type of a page (0xdd30) nor of a detector (0xdd03)');
  return toFile(
    {
      primaries: first(TAG.primaries, 0),
      geometry: tokens.get(TAG.oldGeometryType)?.text ?? '',
      start: numbers(TAG.oldStart),
      stop: numbers(TAG.oldStop),
      bins: numbers(TAG.oldBins),
      firstZone: first(TAG.oldFirstZone, 1),
      particle: [first(TAG.oldParticle, ALL_PARTICLES), first(TAG.oldParticleZ, 0), first(TAG.oldParticleA, 0)],
      type,
      differential: {
        type: first(TAG.oldDifferentialType, 0),
        lower: first(TAG.oldDifferentialLower, 0),
        upper: first(TAG.oldDifferentialUpper, 0),
        bins: first(TAG.oldDifferentialBins, 1),
      },
      data,
    },
    context,
  );
}

/**
 * Reads a file of the format of 2010: Fortran records of kind of geometry, primaries, eight reals, eleven integers and
 * the numbers, first index fastest (as the beam in the middle of real files shows).
 * @throws OutputError `UNREADABLE`
 */
export function readBin2010(bytes: Uint8Array, context: BdoContext): BdoFile {
  if (!beginsWithFortranRecord(bytes)) {
    const message = 'begins neither with xSH12A nor with a whole Fortran record: it is no BDO file, or is cut short';
    throw new OutputError('UNREADABLE', context.fileName, message);
  }
  const records = new FortranRecords(bytes, context.fileName);
  const next = (sizeBytes: number): ByteReader => {
    const record = records.next();
    const { remainingBytes } = record;
    if (remainingBytes !== sizeBytes)
      records.fail(`has ${remainingBytes} bytes, not ${sizeBytes}: this is no BDO file`);
    return record;
  };
  const geometry = next(RECORD_BYTES.geometry).text(RECORD_BYTES.geometry);
  const primaries = next(RECORD_BYTES.primaries).int32();
  if (geometry === VOXELS) {
    records.next(); // dose of the plan
    records.next(); // particles of the plan
  }
  const reals = [...next(RECORD_BYTES.reals).float64s(RECORD_BYTES.reals / REAL_BYTES)];
  const integers = next(RECORD_BYTES.integers);
  const [nx = 1, ny = 1, nz = 1, particle = 0, type = 0, z = 0, a = 0, , diffBins = 1, diffType = 0, firstZone = 1] =
    Array.from({ length: RECORD_BYTES.integers / 4 }, () => integers.int32());
  const numbers = records.next();
  if (numbers.remainingBytes % REAL_BYTES !== 0) records.fail('is not one of 64-bit reals');
  return toFile(
    {
      primaries,
      geometry,
      start: reals.slice(0, 3),
      stop: reals.slice(3, 6),
      bins: [nx, ny, nz],
      firstZone,
      particle: [particle, z, a],
      type,
      differential: { type: diffType, lower: reals[6] ?? 0, upper: reals[7] ?? 0, bins: diffBins },
      data: numbers.float64s(numbers.remainingBytes / REAL_BYTES),
    },
    context,
  );
}

function toFile(detector: OldDetector, context: BdoContext): BdoFile {
  const { type, data, primaries, geometry } = detector;
  const kind = kindOfDetectorType(type);
  if (primaries < 1 && kind !== 'map') {
    throw new OutputError('UNREADABLE', context.fileName, `says that it stands for ${primaries} primaries, and not for one or more`); // biome-ignore format: one line
  }
  const title = nameQuantity(type, nameParticle(detector.particle), context);
  const { axes, values } = placeDetector(detector, context);
  const page = {
    file: context.file,
    item: '0',
    title,
    kind,
    isPerPrimary: kind === 'linear',
    isIntegrated: false,
    namesAxes: false,
    unit: nameOldUnit(type, geometry, context),
    ...fitAxes(axes, data.length, title, context),
    moments: momentsOf(kind, values, primaries),
  };
  return { primaries: kind === 'map' ? undefined : primaries, pages: [page] };
}

function nameParticle([id, z, a]: OldDetector['particle']): string {
  if (id < 1) return '';
  return findSpecies({ pdg: findPdgNumber({ id, z, a }, 'shieldhit') })?.name ?? `particle ${id}`;
}

type OldAxes = Pick<NativePage, 'axes' | 'differentialAxes'>;

/** Axes, and the numbers in the order of pages: positions first, then the differential axis. */
function placeDetector(detector: OldDetector, context: BdoContext): { axes: OldAxes; values: Float64Array } {
  const { geometry, data, differential } = detector;
  const isDifferential = /^D(?:MSH|CYL|ZONE|PLANE)/i.test(geometry);
  const positions = positionAxes(detector, isDifferential ? geometry.slice(1) : geometry, context);
  if (!isDifferential) return { axes: { axes: positions, differentialAxes: 0 }, values: data };
  const { lower, upper, bins } = differential;
  const [name, unit] = OLD_DIFFERENTIALS.get(differential.type) ?? describeAxis(differential.type) ?? ['', '1'];
  const axis = { name, unit, lower, upper, bins: Math.max(Math.abs(bins), 1), isLog: bins < 0 };
  const message =
    'the differential axis of a file of this age is taken to stand in place of the last position of one bin';
  context.report.warn('OUTPUT_ASSUMED', context.fileName, message);
  const free = positions.findLastIndex((position) => position.bins === 1);
  const count = (axes: readonly NativeAxis[]): number => axes.reduce((product, one) => product * one.bins, 1);
  const inner = count(positions.slice(0, free < 0 ? positions.length : free));
  const values = moveAxisLast(data, inner, axis.bins);
  return { axes: { axes: [...positions, axis], differentialAxes: 1 }, values };
}

/** Numbers whose axis of `bins` comes after `inner` numbers of those before it, with that axis last. */
function moveAxisLast(numbers: Float64Array, inner: number, bins: number): Float64Array {
  const outer = Math.floor(numbers.length / (inner * bins));
  if (inner * bins * outer !== numbers.length) return numbers; // they do not fit, and are counted
  return Float64Array.from({ length: numbers.length }, (_, at) => {
    const [position, bin] = [at % (inner * outer), Math.floor(at / (inner * outer))];
    return numbers[(position % inner) + inner * (bin + bins * Math.floor(position / inner))] ?? Number.NaN;
  });
}

function positionAxes(detector: OldDetector, geometry: string, context: BdoContext): NativeAxis[] {
  const bins = [0, 1, 2].map((axis) => Math.max(Math.abs(detector.bins[axis] ?? 1), 1));
  const names = nameSpatialAxes(
    geometry.replace(/Z$/i, ''),
    bins.some((count) => count > 1),
    context,
  );
  if (names === undefined) {
    const count = bins.reduce((product, one) => product * one, 1);
    const lower = detector.firstZone - 0.5;
    return [{ name: 'zone', unit: '1', lower, upper: lower + count, bins: count, isLog: false }];
  }
  return names.map(([name, unit], axis) => ({
    name,
    unit,
    lower: detector.start[axis] ?? 0,
    upper: detector.stop[axis] ?? 0,
    bins: bins[axis] ?? 1,
    isLog: (detector.bins[axis] ?? 1) < 0,
  }));
}

/** In zones numbers are not divided by a volume. */
function nameOldUnit(type: number, geometry: string, { fileName, report }: BdoContext): string {
  const name = nameDetectorType(type) ?? '';
  const unit = OLD_UNITS.get(name);
  if (unit === undefined)
    report.warn('OUTPUT_UNNAMED', fileName, `the unit of ${name || `quantity ${type}`} is not known here`);
  return unit === 'MeV/g' && /ZONE$/i.test(geometry) ? 'MeV' : (unit ?? '1');
}
