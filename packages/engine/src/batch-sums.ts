import { MOMENTS, type TaskPage } from '@tally/merge';

import type { PageLayout } from './page-layout.js';

/**
 * Adds batches into the moments of one page. Batches must come in their order: then the sums are the same to the
 * last bit however many threads computed them.
 */
export class BatchSums {
  private readonly moments: readonly Float64Array[];

  constructor(readonly layout: PageLayout) {
    this.moments = MOMENTS[layout.header.kind].map(() => new Float64Array(layout.bins));
  }

  /** `sums`: the transport module's numbers of a batch of `primaries` histories. */
  add(sums: Float64Array, primaries: number): void {
    if (this.layout.header.kind === 'ratio') this.addRatio(sums, primaries);
    else if (this.layout.header.kind === 'linear') this.addLinear(sums, primaries);
  }

  private addLinear(sums: Float64Array, primaries: number): void {
    const [sum, squares] = this.moments;
    const { offset, factors } = this.layout;
    if (sum === undefined || squares === undefined || factors === undefined) return;
    const { first, spatialBins, differential } = factors;
    for (let d = 0; d < differential.length; d++) {
      for (let s = 0; s < spatialBins; s++) {
        const i = s + spatialBins * d;
        const raw = sums[offset + i] ?? 0;
        if (raw === 0) continue;
        const value = raw * (first[s % first.length] ?? 1) * (differential[d] ?? 1);
        sum[i] = (sum[i] ?? 0) + value;
        squares[i] = (squares[i] ?? 0) + (value * value) / primaries;
      }
    }
  }

  private addRatio(sums: Float64Array, primaries: number): void {
    const [numerator, denominator, numeratorSquares, denominatorSquares, cross] = this.moments;
    const { offset, bins } = this.layout;
    if (numerator === undefined || denominator === undefined || numeratorSquares === undefined) return;
    if (denominatorSquares === undefined || cross === undefined) return;
    for (let i = 0; i < bins; i++) {
      const a = sums[offset + i] ?? 0;
      const d = sums[offset + bins + i] ?? 0;
      if (d === 0 && a === 0) continue;
      numerator[i] = (numerator[i] ?? 0) + a;
      denominator[i] = (denominator[i] ?? 0) + d;
      numeratorSquares[i] = (numeratorSquares[i] ?? 0) + (a * a) / primaries;
      denominatorSquares[i] = (denominatorSquares[i] ?? 0) + (d * d) / primaries;
      cross[i] = (cross[i] ?? 0) + (a * d) / primaries;
    }
  }

  page(): TaskPage {
    return { ...this.layout.header, moments: this.moments };
  }
}
