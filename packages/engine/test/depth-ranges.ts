import type { DepthCurve } from './curve.js';

/** Half-value depth and practical range of an electron beam, cm: where the tangent of the falling part meets the photons' tail. */
export interface ElectronRanges {
  readonly r50: number;
  readonly practical: number;
}

/** Mean of the bins around each, up to `reach` on either side. */
function smooth(values: Float64Array, reach: number): Float64Array {
  return values.map((_, i) => {
    const part = values.subarray(Math.max(0, i - reach), i + reach + 1);
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  });
}

/** Straight line y = a + b·x through points, by least squares. */
function fitLine(points: readonly (readonly [x: number, y: number])[]): { a: number; b: number } {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const b =
    points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return { a: meanY - b * meanX, b };
}

/** The ranges of a depth dose that ends well behind them: the mean of its last tenth is the tail. */
export function electronRanges({ values, binCm }: DepthCurve): ElectronRanges {
  const broad = smooth(values, Math.round(values.length / 30));
  const peak = Math.max(...broad);
  const curve = smooth(values, 2);
  const behind = Array.from(curve, (dose, i): [number, number] => [(i + 0.5) * binCm, dose]).slice(broad.indexOf(peak));
  const after = behind.findIndex(([, dose]) => dose < 0.5 * peak);
  const [[x0, y0], [x1, y1]] = [behind[after - 1] ?? [0, 0], behind[after] ?? [0, 0]];
  const falling = fitLine(behind.filter(([, dose]) => dose > 0.3 * peak && dose < 0.7 * peak));
  const last = values.subarray(Math.round(0.9 * values.length));
  const tail = last.reduce((sum, dose) => sum + dose, 0) / last.length;
  return {
    r50: x0 + ((y0 - 0.5 * peak) / (y0 - y1)) * (x1 - x0),
    practical: (tail - falling.a) / falling.b,
  };
}
