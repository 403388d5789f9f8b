import type { TaskOutput, TaskPage } from '@tally/merge';

/** Per-primary values of a linear page, or quotients of a ratio page. */
export function valuesOf(output: TaskOutput, page: TaskPage): Float64Array {
  const [first = new Float64Array(0), second = new Float64Array(0)] = page.moments;
  if (page.kind === 'ratio') return first.map((numerator, i) => (second[i] === 0 ? 0 : numerator / (second[i] ?? 1)));
  return page.kind === 'linear' ? first.map((sum) => sum / output.primaries) : first;
}

/** The page of an output by its quantity's name. */
export function findPage(output: TaskOutput, estimator: string, page: string): TaskPage {
  const found = output.pages.find(({ estimatorName, pageName }) => estimatorName === estimator && pageName === page);
  if (found === undefined) throw new Error(`There is no page ${estimator}/${page}.`);
  return found;
}

/** Variance of a linear page's values from its batches (docs/engine.md, "Merging"). */
export function variancesOf(output: TaskOutput, page: TaskPage): Float64Array {
  const [sum = new Float64Array(0), squares = new Float64Array(0)] = page.moments;
  const n = output.primaries;
  return squares.map((square, i) => {
    const mean = (sum[i] ?? 0) / n;
    return Math.max(0, square / n - mean * mean) / (output.batches - 1);
  });
}

/** A depth curve on equal bins that begins at depth 0. */
export class DepthCurve {
  readonly peakBin: number;
  readonly peak: number;

  constructor(
    readonly values: Float64Array,
    readonly binCm: number,
  ) {
    this.peak = Math.max(...values);
    this.peakBin = values.indexOf(this.peak);
  }

  at(depthCm: number): number {
    return this.values[Math.floor(depthCm / this.binCm)] ?? Number.NaN;
  }

  /** Depth of the peak, from a parabola through the highest bins' smoothed values, cm. */
  get peakDepth(): number {
    const w = Math.max(2, Math.round(0.1 / this.binCm));
    let best = 0;
    let bestSum = -1;
    for (let i = w; i < this.values.length - w; i++) {
      let sum = 0;
      for (let k = -w; k <= w; k++) sum += this.values[i + k] ?? 0;
      if (sum > bestSum) {
        bestSum = sum;
        best = i;
      }
    }
    return (best + 0.5) * this.binCm;
  }

  /** Depth behind the peak where the curve falls to a fraction of it, cm. */
  range(fraction: number): number {
    const level = fraction * this.peak;
    let i = this.values.length - 1;
    while (i > 0 && (this.values[i] ?? 0) < level) i--;
    const here = this.values[i] ?? 0;
    const next = this.values[i + 1] ?? 0;
    return (i + 0.5 + (here - level) / (here - next)) * this.binCm;
  }

  /** Mean over [from, to) cm. */
  mean(from: number, to: number): number {
    const part = this.values.subarray(Math.round(from / this.binCm), Math.round(to / this.binCm));
    return part.reduce((sum, value) => sum + value, 0) / part.length;
  }
}
