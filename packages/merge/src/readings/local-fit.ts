/** Bins of a curve: centres ascending, one value each. */
export interface Bins {
  readonly centers: ArrayLike<number>;
  readonly values: ArrayLike<number>;
}

/** Value and slope of a curve at a place. */
export interface LocalFit {
  readonly value: number;
  readonly slope: number;
}

/** Fewer bins do not determine a parabola and leave something to smooth. */
const BINS_MIN = 4;

/**
 * The parabola through the bins around a place, by least squares with weights 1 − (distance / halfWidth)² (Epanechnikov's kernel;
 * Cleveland, J. Am. Stat. Assoc. 74 (1979) 829, on local regression). A parabola keeps the height of a smooth peak, which a mean over the same bins
 * would lower. Undefined: fewer than four bins lie within `halfWidth`.
 */
export function fitLocally({ centers, values }: Bins, place: number, halfWidth: number): LocalFit | undefined {
  const powers = [0, 0, 0, 0, 0];
  const sums = [0, 0, 0];
  let count = 0;
  for (let bin = firstAtLeast(centers, place - halfWidth); bin < centers.length; bin += 1) {
    const distance = ((centers[bin] ?? 0) - place) / halfWidth;
    if (distance > 1) break;
    const weight = 1 - distance * distance;
    if (weight <= 0) continue;
    count += 1;
    let term = weight;
    for (let power = 0; power < 5; power += 1) {
      powers[power] = (powers[power] ?? 0) + term;
      if (power < 3) sums[power] = (sums[power] ?? 0) + term * (values[bin] ?? 0);
      term *= distance;
    }
  }
  if (count < BINS_MIN) return undefined;
  const [p0 = 0, p1 = 0, p2 = 0, p3 = 0, p4 = 0] = powers;
  const [t0 = 0, t1 = 0, t2 = 0] = sums;
  // Cramer's rule for the normal equations of the constant and the linear term
  const minors = [p2 * p4 - p3 * p3, p1 * p4 - p2 * p3, p1 * p3 - p2 * p2] as const;
  const determinant = p0 * minors[0] - p1 * minors[1] + p2 * minors[2];
  const constant = t0 * minors[0] - p1 * (t1 * p4 - t2 * p3) + p2 * (t1 * p3 - t2 * p2);
  const linear = p0 * (t1 * p4 - t2 * p3) - t0 * minors[1] + p2 * (p1 * t2 - p2 * t1);
  if (!(Math.abs(determinant) > 0)) return undefined;
  return { value: constant / determinant, slope: linear / determinant / halfWidth };
}

/** The first bin whose centre is not below a place. */
export function firstAtLeast(centers: ArrayLike<number>, place: number): number {
  let [low, high] = [0, centers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((centers[middle] ?? 0) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Means of the values within `halfWidth` of each bin: coarse, and steady where a curve is noisy. */
export function smooth({ centers, values }: Bins, halfWidth: number): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let bin = 0; bin < values.length; bin += 1) sums[bin + 1] = (sums[bin] ?? 0) + (values[bin] ?? 0);
  return Float64Array.from({ length: values.length }, (_, bin) => {
    const center = centers[bin] ?? 0;
    const from = firstAtLeast(centers, center - halfWidth);
    const to = Math.max(bin + 1, firstAtLeast(centers, center + halfWidth));
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from);
  });
}
