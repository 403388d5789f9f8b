/** Relative error from which on a value may be wrong by a factor. */
const UNCERTAIN = 0.2;

/** Whether a value is known well enough to set a scale: its standard error is known, and below a fifth of it. */
export function isCertain(value: number, error: number | null | undefined): boolean {
  return Math.abs(error ?? Number.POSITIVE_INFINITY) <= UNCERTAIN * Math.abs(value);
}

/**
 * The bin of the largest value: of the certain ones where there are any. What one history left in a bin, of a ratio above all, is no peak.
 * @param errors - null or NaN: not known; empty: none is
 */
export function peakBin(values: ArrayLike<number>, errors: ArrayLike<number | null>): number {
  let [certain, peak] = [-1, 0];
  for (let bin = 0; bin < values.length; bin += 1) {
    const value = values[bin] ?? 0;
    if (value > (values[peak] ?? 0)) peak = bin;
    if (value > (values[certain] ?? 0) && isCertain(value, errors[bin])) certain = bin;
  }
  return certain === -1 ? peak : certain;
}

/**
 * Up to where an axis has to reach: the largest value with its error, of the certain ones where there are any. Noise behind the range of a beam, or
 * a ratio in a bin that one history reached, says nothing about the scale.
 * @param errors - null or NaN: not known; empty: none is
 */
export function axisTop(values: ArrayLike<number>, errors: ArrayLike<number | null>): number {
  let [certain, all] = [0, 0];
  for (let bin = 0; bin < values.length; bin += 1) {
    const [value, error] = [values[bin] ?? 0, errors[bin] ?? Number.NaN];
    const top = Number.isNaN(error) ? value : value + error;
    if (top > all) all = top;
    if (top > certain && isCertain(value, error)) certain = top;
  }
  return certain || all;
}
