import type { SourceAxis } from '../../driver.js';
import type { FortranRecords } from '../../output/fortran-records.js';
import { binBorders, type NativeAxis } from '../../output/native-page.js';

/** Borders of the groups in which low-energy neutrons are transported, MeV, ascending. */
export type GroupBorders = readonly number[];

/** A part of a spectrum on an axis of its own: energies fastest, then what follows them. */
export interface SpectrumPart {
  readonly energy: NativeAxis;
  readonly values: Float64Array;
}

const MEV_PER_GEV = 1000;
const INT_BYTES = 4;
/** Significant digits of a 32-bit real. */
const FLOAT32_DIGITS = 7;
/** Relative rounding of borders, which are 32-bit reals. */
const ROUNDING = 1e-6;

/**
 * The record of the groups that stands between header and numbers of a detector: how many there are, then their upper
 * energies in GeV from the highest group on, and the lower one of the last. No groups have no borders.
 */
export function readGroupBorders(records: FortranRecords): GroupBorders {
  const record = records.next();
  const count = record.remainingBytes < INT_BYTES ? -1 : record.int32();
  if (count === 0) return [];
  if (count < 0 || record.remainingBytes !== (count + 1) * INT_BYTES) records.fail('is no list of neutron groups');
  const borders = [...record.float32s(count + 1)]
    .toReversed()
    .map((energy) => Number((energy * MEV_PER_GEV).toPrecision(FLOAT32_DIGITS)));
  const isAscending = borders.every((border, at) => border >= 0 && !(border <= (borders[at - 1] ?? -1)));
  if (!isAscending || !borders.every(Number.isFinite)) records.fail('has neutron groups in a wrong order');
  return borders;
}

/** Numbers that are there for each angle: the bins of energy, ascending, then the groups from the highest on. */
export interface GroupedNumbers {
  readonly energy: SourceAxis;
  readonly groups: GroupBorders;
  readonly numbers: Float64Array;
}

/**
 * A spectrum of neutrons, which lie in the groups below their upper limit and in the bins above it: groups first, then
 * the bins that end above the limit, the first of which begins there.
 */
export function joinNeutrons(grouped: GroupedNumbers): SpectrumPart {
  const { energy, groups } = grouped;
  const limit = groups.at(-1) ?? 0;
  const first = countBinsBelow(energy, limit);
  const uppers = Array.from({ length: energy.bins - first }, (_, at) => binBorders(energy, first + at)[1]);
  const values = forEachAngle(grouped, (bins, low) => [...low.toReversed(), ...bins.subarray(first)]);
  return { energy: axisOf([...groups, ...uppers]), values };
}

/** Of other particles and neutrons together: what lies in the bins, and apart from it the neutrons in the groups. */
export function separateNeutrons(grouped: GroupedNumbers): {
  readonly rest: SpectrumPart;
  readonly neutrons: SpectrumPart;
} {
  return {
    rest: { energy: grouped.energy, values: forEachAngle(grouped, (bins) => bins) },
    neutrons: { energy: axisOf(grouped.groups), values: forEachAngle(grouped, (_, low) => low.toReversed()) },
  };
}

function countBinsBelow(energy: SourceAxis, limit: number): number {
  for (let bin = 0; bin < energy.bins; bin += 1) {
    if (binBorders(energy, bin)[1] > limit * (1 + ROUNDING)) return bin;
  }
  return energy.bins;
}

function forEachAngle(
  { energy, groups, numbers }: GroupedNumbers,
  order: (bins: Float64Array, low: Float64Array) => Iterable<number>,
): Float64Array {
  const ordered: number[] = [];
  const size = energy.bins + groups.length - 1;
  for (let at = 0; at < numbers.length; at += size) {
    for (const value of order(numbers.subarray(at, at + energy.bins), numbers.subarray(at + energy.bins, at + size))) {
      ordered.push(value);
    }
  }
  return Float64Array.from(ordered);
}

function axisOf(borders: readonly number[]): NativeAxis {
  const [lower = 0, upper = 0] = [borders[0], borders.at(-1)];
  // groups are about equally wide on a logarithmic scale
  return { name: 'E', unit: 'MeV', lower, upper, bins: borders.length - 1, isLog: true, borders };
}
