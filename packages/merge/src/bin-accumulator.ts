import { centeredProduct, LongSums } from './long-sums.js';
import { joinNumbers } from './number-bytes.js';
import type { PagePart } from './page-part.js';
import type { PageKind } from './task-output.js';

/** Values and standard errors of all bins of a page. */
export interface BinEstimates {
  readonly values: Float64Array;
  /** NaN where no error is known. */
  readonly errors: Float64Array;
  readonly nonFinite: number;
}

/** The running state of a page while tasks are added. */
export interface BinAccumulator {
  add(part: PagePart): void;
  /** `scale`: factor on values and, without its sign, on errors. */
  finish(scale: number): BinEstimates;
}

/** How the numbers of a page of this kind combine; see `PageKind`. A list has as many bins as its parts have. */
export function accumulateBins(kind: PageKind, bins: number): BinAccumulator {
  switch (kind) {
    case 'linear':
      return accumulateMeans(bins, (part) => part.batches);
    case 'average':
      return accumulateMeans(bins, () => 1);
    case 'ratio':
      return accumulateRatios(bins);
    case 'counter':
      return accumulateCounts(bins);
    case 'map':
      return keepFirst(bins);
    case 'list':
      return concatenate();
  }
}

/** x̂ = Σsum/Σn; Var(x̂) = Σ_b n_b(x̄_b−x̂)² / ((K−1)·N), over the K batches of all tasks. */
function accumulateMeans(bins: number, countBatches: (part: PagePart) => number): BinAccumulator {
  const [sum, squares] = [new LongSums(bins), new LongSums(bins)];
  const totals = { primaries: 0, batches: 0 };
  return {
    add(part) {
      if (part.primaries === 0) return;
      addAll([sum, squares], part);
      totals.primaries += part.primaries;
      totals.batches += countBatches(part);
    },
    finish(scale) {
      return estimateBins(bins, scale, (bin) => {
        const total = sum.at(bin);
        if (!Number.isFinite(total)) return NOT_FINITE;
        if (totals.primaries === 0) return EMPTY;
        const rawSpread = centeredProduct({ products: squares, x: sum, y: sum }, bin, totals);
        const spread = dropRounding(rawSpread, total, totals.primaries);
        // Nothing was ever scored here: how far from zero the truth may be is unknown.
        if (total === 0 && spread === 0) return EMPTY;
        const value = total / totals.primaries;
        return { value, error: standardError(spread, totals), isFinite: Number.isFinite(rawSpread) };
      });
    },
  };
}

/** x̂ = Σa/Σd; Var(x̂) = Σ_b n_b(ā_b − x̂·d̄_b)² / ((K−1)·N·d̄²), which is the delta method written out. */
function accumulateRatios(bins: number): BinAccumulator {
  const [numerator, denominator] = [new LongSums(bins), new LongSums(bins)];
  const [squaresA, squaresD, products] = [new LongSums(bins), new LongSums(bins), new LongSums(bins)];
  const totals = { primaries: 0, batches: 0 };
  return {
    add(part) {
      if (part.primaries === 0) return;
      addAll([numerator, denominator, squaresA, squaresD, products], part);
      totals.primaries += part.primaries;
      totals.batches += part.batches;
    },
    finish(scale) {
      return estimateBins(bins, scale, (bin) => {
        const [a, d] = [numerator.at(bin), denominator.at(bin)];
        if (!Number.isFinite(a) || !Number.isFinite(d)) return NOT_FINITE;
        if (d === 0) return EMPTY;
        const value = a / d;
        if (!Number.isFinite(value)) return NOT_FINITE;
        const spreadA = centeredProduct({ products: squaresA, x: numerator, y: numerator }, bin, totals);
        const spreadD = centeredProduct({ products: squaresD, x: denominator, y: denominator }, bin, totals);
        const spreadAD = centeredProduct({ products, x: numerator, y: denominator }, bin, totals);
        const rawSpread = spreadA + value * value * spreadD - 2 * value * spreadAD;
        if (!reachesEnoughBatches(d, spreadD, totals)) {
          return { value, error: Number.NaN, isFinite: Number.isFinite(rawSpread) };
        }
        const spread = dropRounding(rawSpread, a, totals.primaries);
        const error = standardError(spread, totals) / Math.abs(d / totals.primaries);
        return { value, error, isFinite: Number.isFinite(rawSpread) };
      });
    },
  };
}

/**
 * Whether enough batches contribute to a denominator for their scatter to mean something: in a bin that a single history
 * reached, every batch agrees with the ratio, and its error would come out as zero. Counted is the effective number of
 * batches, K/(1 + relative variance between batches) = (Σd)²·K/(N·Σd²/n) (Kish 1965), which is K where all contribute alike.
 */
function reachesEnoughBatches(
  sum: number,
  spread: number,
  { primaries, batches }: { primaries: number; batches: number },
): boolean {
  const effective = batches / (1 + (spread / sum) * (primaries / sum));
  return effective >= Math.min(EFFECTIVE_BATCHES_MIN, (batches + 1) / 2);
}

function accumulateCounts(bins: number): BinAccumulator {
  const sum = new LongSums(bins);
  return {
    add: (part) => addAll([sum], part),
    finish: (scale) => estimateBins(bins, scale, (bin) => withoutError(sum.at(bin))),
  };
}

function keepFirst(bins: number): BinAccumulator {
  let first: Float64Array | undefined;
  return {
    add(part) {
      first ??= part.moments[0]?.slice();
    },
    finish: (scale) => estimateBins(bins, scale, (bin) => withoutError(first?.[bin] ?? 0)),
  };
}

function concatenate(): BinAccumulator {
  const parts: Float64Array[] = [];
  return {
    add: (part) => parts.push((part.moments[0] ?? NO_NUMBERS).slice()),
    finish(scale) {
      const records = joinNumbers(parts);
      return estimateBins(records.length, scale, (bin) => withoutError(records[bin] ?? 0));
    },
  };
}

/** Never used: the page merger has checked that a part has the arrays of its kind. */
const NO_NUMBERS = new Float64Array(0);

/** Relative rounding that simulators may add up over millions of histories. */
const ROUNDING_MAX = 1e-9;

/** Below so many contributing batches the error of a ratio says nothing; of few batches, half way from one to all do. */
const EFFECTIVE_BATCHES_MIN = 5;

interface BinEstimate {
  readonly value: number;
  readonly error: number;
  readonly isFinite: boolean;
}

const EMPTY: BinEstimate = { value: 0, error: Number.NaN, isFinite: true };
const NOT_FINITE: BinEstimate = { value: 0, error: Number.NaN, isFinite: false };

function withoutError(value: number): BinEstimate {
  return Number.isFinite(value) ? { value, error: Number.NaN, isFinite: true } : NOT_FINITE;
}

function estimateBins(bins: number, scale: number, estimate: (bin: number) => BinEstimate): BinEstimates {
  const values = new Float64Array(bins);
  const errors = new Float64Array(bins);
  let nonFinite = 0;
  for (let bin = 0; bin < bins; bin += 1) {
    const { value, error, isFinite } = estimate(bin);
    const [scaled, scaledError] = [value * scale, error * Math.abs(scale)];
    values[bin] = Number.isFinite(scaled) ? scaled : 0;
    errors[bin] = Number.isFinite(scaled) && Number.isFinite(scaledError) ? scaledError : Number.NaN;
    if (!isFinite || !Number.isFinite(scaled)) nonFinite += 1;
  }
  return { values, errors, nonFinite };
}

/** A spread below zero is rounding when it is small against the sum, and else a contradiction: then it is unknown. */
function dropRounding(spread: number, sum: number, primaries: number): number {
  if (spread >= 0) return spread;
  return -spread <= ROUNDING_MAX * sum * (sum / primaries) ? 0 : Number.NaN;
}

/** Standard error of a mean; NaN with fewer than two batches. */
function standardError(spread: number, totals: { primaries: number; batches: number }): number {
  return totals.batches < 2 ? Number.NaN : Math.sqrt(spread / ((totals.batches - 1) * totals.primaries));
}

function addAll(sums: readonly LongSums[], { moments, remainders }: PagePart): void {
  for (const [index, sum] of sums.entries()) sum.add(moments[index] ?? NO_NUMBERS, remainders?.[index]);
}
