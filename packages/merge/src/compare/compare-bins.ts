/** A page of one of two jobs: values and standard errors (NaN: unknown) of the same bins, first axis fastest. */
export interface ComparedPage {
  readonly values: Float64Array;
  readonly errors: Float64Array;
}

/** How two pages differ bin by bin, and all together. */
export interface BinComparison {
  /** a − b, and its error √(σ_a² + σ_b²): the jobs are independent. */
  readonly difference: ComparedPage;
  /** a / b, NaN where b is 0, and its error by first-order propagation: √(σ_a² + (a/b)² σ_b²) / |b|. */
  readonly ratio: ComparedPage;
  /**
   * χ² = Σ (a − b)² / (σ_a² + σ_b²) over the bins whose two errors are known and not both 0, and the number of these bins.
   * Bins of one page are correlated where a history reaches several of them, so that χ² scatters more than for independent ones.
   */
  readonly chiSquare: number;
  readonly degreesOfFreedom: number;
  /** Largest |a − b| of all bins. */
  readonly differenceMax: number;
}

/** Compares two pages of the same bins. */
export function compareBins(a: ComparedPage, b: ComparedPage): BinComparison {
  const bins = a.values.length;
  const [difference, ratio] = [emptyPage(bins), emptyPage(bins)];
  let [chiSquare, degreesOfFreedom, differenceMax] = [0, 0, 0];
  for (let bin = 0; bin < bins; bin += 1) {
    const [valueA, valueB] = [a.values[bin] ?? 0, b.values[bin] ?? 0];
    const [errorA, errorB] = [a.errors[bin] ?? Number.NaN, b.errors[bin] ?? Number.NaN];
    const delta = valueA - valueB;
    const variance = errorA * errorA + errorB * errorB;
    difference.values[bin] = delta;
    difference.errors[bin] = Math.sqrt(variance);
    const quotient = valueB === 0 ? Number.NaN : valueA / valueB;
    ratio.values[bin] = quotient;
    ratio.errors[bin] = Math.sqrt(errorA * errorA + quotient * quotient * errorB * errorB) / Math.abs(valueB);
    differenceMax = Math.max(differenceMax, Math.abs(delta));
    if (!(variance > 0)) continue;
    chiSquare += (delta * delta) / variance;
    degreesOfFreedom += 1;
  }
  return { difference, ratio, chiSquare, degreesOfFreedom, differenceMax };
}

function emptyPage(bins: number) {
  return { values: new Float64Array(bins), errors: new Float64Array(bins) };
}
