/**
 * What a physicist reads off a depth-dose curve, in the curve's own unit of depth. R80 and R90: depths behind the peak where it
 * has fallen to 80 % and 90 % of the largest value, by linear interpolation between bin centres (R80 is the range of ICRU report
 * 78, 2007; it is that of half of the protons, Gottschalk 2011). Undefined: it does not fall so far within the curve.
 */
export interface DepthDose {
  readonly peakDepth: number;
  readonly r80: number | undefined;
  readonly r90: number | undefined;
  /** From 80 % to 20 % of the peak, behind it. */
  readonly fallOff: number | undefined;
  readonly peakToEntrance: number;
  /** Mean relative standard error of the bins above half of the peak; undefined: not known for any. */
  readonly relativeError: number | undefined;
}

/** Depth behind the peak where the curve has fallen to a level; linear between bin centres. */
function depthBehindPeak(
  depths: ArrayLike<number>,
  doses: ArrayLike<number>,
  peakIndex: number,
  level: number,
): number | undefined {
  for (let bin = peakIndex + 1; bin < doses.length; bin += 1) {
    const [before = 0, after = 0] = [doses[bin - 1], doses[bin]];
    if (after > level) continue;
    const [from = 0, to = 0] = [depths[bin - 1], depths[bin]];
    return from + ((before - level) / (before - after)) * (to - from);
  }
  return undefined;
}

/**
 * Peak depth, R80, R90, distal fall-off and peak-to-entrance ratio of a curve over ascending depths, and its mean error near the
 * peak. The entrance is the mean of the bins in the first `entranceDepth`.
 * @param errors - standard errors; null, NaN or missing where they are not known
 * @returns undefined for a curve of nothing
 */
export function readDepthDose(
  depths: ArrayLike<number>,
  doses: ArrayLike<number>,
  errors: ArrayLike<number | null> = [],
  entranceDepth = 0.5,
): DepthDose | undefined {
  let peakIndex = 0;
  for (let bin = 1; bin < doses.length; bin += 1) if ((doses[bin] ?? 0) > (doses[peakIndex] ?? 0)) peakIndex = bin;
  const peak = doses[peakIndex] ?? 0;
  if (!(peak > 0)) return undefined;
  const entrance: number[] = [];
  const known: number[] = [];
  for (let bin = 0; bin < doses.length; bin += 1) {
    const dose = doses[bin] ?? 0;
    const error = errors[bin] ?? Number.NaN;
    if ((depths[bin] ?? 0) - (depths[0] ?? 0) < entranceDepth) entrance.push(dose);
    if (dose > peak / 2 && !Number.isNaN(error)) known.push(error / dose);
  }
  const [r80, r90, r20] = [0.8, 0.9, 0.2].map((part) => depthBehindPeak(depths, doses, peakIndex, part * peak));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    peakDepth: depths[peakIndex] ?? Number.NaN,
    r80,
    r90,
    fallOff: r80 === undefined || r20 === undefined ? undefined : r20 - r80,
    peakToEntrance: peak / mean(entrance),
    relativeError: known.length === 0 ? undefined : mean(known),
  };
}
