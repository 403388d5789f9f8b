import { isCertain } from '@tally/merge/readings';
import type { Grid } from '../page-data.js';

/** What a colour stands for; of differences 0 is in the middle, of γ 1: blue agrees, red does not. */
export interface ColorRange {
  readonly kind: 'linear' | 'logarithmic' | 'difference' | 'gamma';
  readonly low: number;
  readonly high: number;
}

type Color = readonly [number, number, number];

/** Anchors of viridis (van der Walt and Smith 2015): even to the eye, readable in grey. */
const VIRIDIS: readonly Color[] = [
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
];
/** Anchors of a scale from blue over white to red, for what is less and what is more (Moreland 2009). */
const COOL_WARM: readonly Color[] = [
  [59, 76, 192],
  [124, 159, 249],
  [192, 212, 245],
  [242, 242, 242],
  [246, 191, 165],
  [228, 107, 84],
  [180, 4, 38],
];
const SHADES = 256;
const DECADES_MAX = 5;

function shade(anchors: readonly Color[], share: number): Color {
  const at = share * (anchors.length - 1);
  const i = Math.min(anchors.length - 2, Math.floor(at));
  const [from = [0, 0, 0], to = [0, 0, 0]] = [anchors[i], anchors[i + 1]];
  const mix = (channel: 0 | 1 | 2) => Math.round(from[channel] + (at - i) * (to[channel] - from[channel]));
  return [mix(0), mix(1), mix(2)];
}

/** The colour of a share of viridis, `#rrggbb`. */
export const viridis = (share: number): string =>
  `#${shade(VIRIDIS, share)
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

function tableOf(anchors: readonly Color[]): Uint32Array {
  const shades = Array.from({ length: SHADES }, (_, i) => {
    const [r, g, b] = shade(anchors, i / (SHADES - 1));
    return (255 << 24) | (b << 16) | (g << 8) | r; // RGBA in the order of little-endian bytes
  });
  return new Uint32Array(shades);
}

const TABLES = {
  linear: tableOf(VIRIDIS),
  logarithmic: tableOf(VIRIDIS),
  difference: tableOf(COOL_WARM),
  gamma: tableOf(COOL_WARM),
};

/** The service tells of γ up to 2. */
export const GAMMA_RANGE: ColorRange = { kind: 'gamma', low: 0, high: 2 };

/** What of a plane's values its colours depend on. */
export interface Extent {
  readonly lowest: number;
  /** Of those above 0; infinite: there is none. */
  readonly lowestPositive: number;
  /** Of the certain values (`isCertain` of packages/merge), where there are any. */
  readonly highest: number;
  /** Bin of the highest. */
  readonly peak: number;
  /** Whether the highest one is certain. */
  readonly isCertain: boolean;
}

/** One pass: scales may change afterwards without another. */
export function extentOf({ values, errors }: Pick<Grid, 'values' | 'errors'>): Extent {
  let [lowest, lowestPositive] = [0, Number.POSITIVE_INFINITY];
  let [all, certain] = [NOTHING, NOTHING];
  for (let bin = 0; bin < values.length; bin++) {
    const value = values[bin] ?? 0;
    if (value > all.highest) all = { highest: value, peak: bin };
    if (value > certain.highest && isCertain(value, errors[bin])) certain = { highest: value, peak: bin };
    if (value < lowest) lowest = value;
    if (value > 0 && value < lowestPositive) lowestPositive = value;
  }
  const isKnown = certain.highest > 0;
  return { lowest, lowestPositive, ...(isKnown ? certain : all), isCertain: isKnown };
}

const NOTHING = { highest: 0, peak: 0 };

/** One range for all that has been looked at: what is certain goes before what is not. */
export function joinExtents(one: Extent, other: Extent): Extent {
  const top =
    one.isCertain === other.isCertain ? (one.highest < other.highest ? other : one) : one.isCertain ? one : other;
  return {
    ...top,
    lowest: Math.min(one.lowest, other.lowest),
    lowestPositive: Math.min(one.lowestPositive, other.lowestPositive),
  };
}

/** From the smallest to the largest value; of a logarithmic range at most five decades below the largest. */
export function rangeOf({ lowest, lowestPositive, highest }: Extent, isLogarithmic: boolean): ColorRange {
  if (highest === 0) return { kind: 'linear', low: 0, high: 1 };
  if (!isLogarithmic) return { kind: 'linear', low: lowest, high: highest };
  return { kind: 'logarithmic', low: Math.max(lowestPositive, highest / 10 ** DECADES_MAX), high: highest };
}

/** As far below 0 as above it, up to the largest difference that is known. */
export function differenceRangeOf({ values, errors }: Pick<Grid, 'values' | 'errors'>): ColorRange {
  const isAnyKnown = errors.some((error) => !Number.isNaN(error));
  let most = 0;
  for (const [bin, value] of values.entries())
    if (!isAnyKnown || !Number.isNaN(errors[bin])) most = Math.max(most, Math.abs(value));
  return { kind: 'difference', low: -most || -1, high: most || 1 };
}

/** Bins that are coloured before the page may answer to its user. */
const BINS_AT_ONCE = 131_072;

/**
 * Paints a plane, one pixel a bin, the second axis upwards, some rows at a time.
 * @param isWanted - asked before each part
 * @returns whether all of it was painted
 */
export async function paint(
  context: CanvasRenderingContext2D,
  grid: Grid,
  range: ColorRange,
  isWanted: () => boolean,
): Promise<boolean> {
  const [nx, ny] = [grid.axes[0]?.centres.length ?? 1, grid.axes[1]?.centres.length ?? 1];
  const rows = Math.max(1, Math.floor(BINS_AT_ONCE / nx));
  for (let top = 0; top < ny; top += rows) {
    if (top > 0) await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return false;
    const count = Math.min(rows, ny - top);
    const pixels = new Uint32Array(nx * count);
    for (let row = 0; row < count; row++)
      colorRow(grid.values, (ny - 1 - top - row) * nx, pixels.subarray(row * nx, (row + 1) * nx), range);
    context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), nx, count), 0, top);
  }
  return true;
}

/** Colours of values from a bin on, RGBA; NaN and what is below the range are its lowest; of γ, NaN has none. */
function colorRow(values: Float64Array, from: number, pixels: Uint32Array, range: ColorRange): void {
  const table = TABLES[range.kind];
  const isLogarithmic = range.kind === 'logarithmic';
  const low = isLogarithmic ? Math.log(range.low) : range.low;
  const shades = (SHADES - 1) / ((isLogarithmic ? Math.log(range.high) : range.high) - low);
  for (let i = 0; i < pixels.length; i++) {
    const value = values[from + i] ?? 0;
    if (range.kind === 'gamma' && Number.isNaN(value)) continue;
    const at = ((isLogarithmic ? Math.log(value) : value) - low) * shades;
    pixels[i] = table[at > 0 ? Math.min(SHADES - 1, Math.round(at)) : 0] ?? 0;
  }
}

/** The colours of a range as CSS, evenly from the lowest to the highest. */
export function colorsOf({ kind }: ColorRange): string[] {
  return (kind === 'difference' || kind === 'gamma' ? COOL_WARM : VIRIDIS).map(([r, g, b]) => `rgb(${r}, ${g}, ${b})`);
}
