import { countingAxis, type NativeAxis } from '../../output/native-page.js';
import type { BdoContext } from './bdo-context.js';
import { describeAxis, nameAxisByUnit, nameUnit, readUnit } from './bdo-tables.js';
import { type BdoTokens, TAG } from './bdo-tokens.js';

type NamedAxes = readonly (readonly [name: string, unit: string])[];

const CYLINDER: NamedAxes = [
  ['r', 'cm'],
  ['phi', 'rad'],
  ['z', 'cm'],
];
const BOX: NamedAxes = [
  ['x', 'cm'],
  ['y', 'cm'],
  ['z', 'cm'],
];
const ZONE = 'ZONE';
const BOXES = ['MSH', 'PLANE', 'GEOMAP', 'VOXSCORE', 'VOX', 'ALL', 'TRACE', ''];

/** Spatial axes of a kind of geometry; undefined for zones, which have one that numbers them. */
export function nameSpatialAxes(
  geometry: string,
  isDivided: boolean,
  { fileName, report }: BdoContext,
): NamedAxes | undefined {
  const type = geometry.toUpperCase();
  if (type === ZONE) return undefined;
  if (type === 'CYL') return CYLINDER;
  if (isDivided && !BOXES.includes(type)) {
    report.warn(
      'OUTPUT_ASSUMED',
      fileName,
      `the geometry "${geometry}" is not known here: its axes are taken as x, y, z`,
    );
  }
  return BOX;
}

/** x, y, z; r, phi, z of a cylinder; numbers of zones. */
export function spatialAxes(tokens: BdoTokens, context: BdoContext): NativeAxis[] {
  const numbers = (tag: number): readonly number[] => tokens.get(tag)?.numbers ?? [];
  const bins = [0, 1, 2].map((axis) => numbers(TAG.bins)[axis] ?? 1);
  const names = nameSpatialAxes(
    tokens.get(TAG.geometryType)?.text ?? '',
    bins.some((count) => count > 1),
    context,
  );
  if (names === undefined)
    return [
      zoneAxis(
        bins.reduce((product, count) => product * count, 1),
        numbers(TAG.zones),
      ),
    ];
  const units = (tokens.get(TAG.axisUnits)?.text ?? '').split(';'); // only a whole list says which is whose
  return names.map(([name, unit], axis) => {
    const placed = {
      name,
      unit: name !== 'phi' && units.length === names.length ? readUnit(units[axis] ?? '') : unit,
      lower: numbers(TAG.start)[axis] ?? 0,
      upper: numbers(TAG.stop)[axis] ?? 0,
      bins: bins[axis] ?? 1,
      isLog: false,
    };
    return name === 'z' ? applyGrid(placed, numbers(TAG.grid), context) : placed;
  });
}

function zoneAxis(bins: number, zones: readonly number[]): NativeAxis {
  const axis = { ...countingAxis('zone', bins), unit: '1' };
  const isAscending = zones.every((zone, at) => at === 0 || zone > (zones[at - 1] ?? zone));
  return zones.length === bins && isAscending ? { ...axis, centers: zones } : axis;
}

/** Borders of unequal bins along z; without them, or with others than one more than bins, the axis is what it was. */
function applyGrid(axis: NativeAxis, grid: readonly number[], { fileName, report }: BdoContext): NativeAxis {
  if (grid.every((border) => border === 0)) return axis;
  const isAscending = grid.every((border, at) => at === 0 || border > (grid[at - 1] ?? border));
  if (grid.length === axis.bins + 1 && isAscending) {
    return { ...axis, lower: grid[0] ?? 0, upper: grid.at(-1) ?? 0, borders: grid };
  }
  report.warn(
    'OUTPUT_UNNAMED',
    fileName,
    `a grid of ${grid.length} numbers for ${axis.bins} bins along z: these are counted`,
  );
  return countingAxis(axis.name, axis.bins);
}

/**
 * One or two differential axes. Files have entries for two also where only one is meant, and repeat the type of the
 * first for the second, so that an axis is one by its limits, and is named by its unit; without a name: it has none.
 */
export function differentialAxes(tokens: BdoTokens): NativeAxis[] {
  const numbers = (tag: number): readonly number[] => tokens.get(tag)?.numbers ?? [];
  const types = numbers(TAG.differentialType);
  return numbers(TAG.differentialBins).flatMap((bins, axis): NativeAxis[] => {
    const lower = numbers(TAG.differentialLower)[axis] ?? Number.NaN;
    const upper = numbers(TAG.differentialUpper)[axis] ?? Number.NaN;
    if (bins === 1 && !(upper > lower)) return [];
    const isLog = (numbers(TAG.differentialScale)[axis] ?? 1) < 0;
    const hasOwnType = axis === 0 || types[axis] !== types[0];
    return [{ ...nameAxis(types[axis] ?? -1, hasOwnType, readAxisUnit(tokens, axis)), lower, upper, bins, isLog }];
  });
}

/** Texts of units are right; numbers of units may repeat that of the data. Undefined: the file does not say. */
function readAxisUnit(tokens: BdoTokens, axis: number): string | undefined {
  // the first is that of the data
  const text = tokens.get(TAG.differentialUnits)?.text.split(';')[axis + 1];
  if (text !== undefined) return readUnit(text);
  const units = tokens.get(TAG.units)?.numbers ?? [];
  const unit = units[axis + 1];
  return unit === undefined || unit === units[0] ? undefined : nameUnit(unit);
}

function nameAxis(
  type: number,
  hasOwnType: boolean,
  unit: string | undefined,
): { readonly name: string; readonly unit: string } {
  const [name, ownUnit] = describeAxis(type) ?? [];
  if (name !== undefined && (hasOwnType || ownUnit === unit)) return { name, unit: unit ?? ownUnit ?? '1' };
  return { name: (unit === undefined ? undefined : nameAxisByUnit(unit)) ?? '', unit: unit ?? '1' };
}
