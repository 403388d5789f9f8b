/** One of the two quantities of a product: its sum over what has been added so far, and over the part to be added. */
interface Factor {
  readonly sum: Float64Array;
  readonly partSum: Float64Array;
}

/** Rounding of one addition or multiplication, relative. */
const EPSILON = Number.EPSILON / 2;

/**
 * Per bin, Σ_b n_b(x̄_b − x̄)(ȳ_b − ȳ) over all batches b added so far, x̄ and ȳ being the overall means.
 *
 * Simulators give raw sums, Σ x_b·y_b/n_b. Subtracting X·Y/N from their grand total would cancel almost all digits
 * when batches differ little. So each task is centred about its own mean first, and tasks are combined by the update
 * of Chan, Golub and LeVeque (1983), which only adds. What is left of the subtraction within a task is set to zero
 * where it is not larger than the rounding of the raw sums: batches that are equal have no spread.
 */
export class CenteredProducts {
  readonly #total: Float64Array;

  constructor(bins: number) {
    this.#total = new Float64Array(bins);
  }

  /** Adds a task. The sums of `x` and `y` must not yet contain it; `raw` is its Σ x_b·y_b/n_b. */
  add(
    before: { readonly primaries: number },
    part: { readonly primaries: number; readonly batches: number },
    x: Factor,
    y: Factor,
    raw: Float64Array,
  ): void {
    const [n, m] = [before.primaries, part.primaries];
    // Each of the raw sums is rounded once per batch.
    const rounding = 4 * (part.batches + 1) * EPSILON;
    const weight = n === 0 ? 0 : (n / (n + m)) * m;
    for (let bin = 0; bin < raw.length; bin += 1) {
      const [partX, partY] = [x.partSum[bin] ?? 0, y.partSum[bin] ?? 0];
      const product = (partX / m) * partY;
      const centered = (raw[bin] ?? 0) - product;
      const isRounding = Math.abs(centered) <= rounding * Math.abs(product);
      const shift =
        weight === 0 ? 0 : weight * (partX / m - (x.sum[bin] ?? 0) / n) * (partY / m - (y.sum[bin] ?? 0) / n);
      this.#total[bin] = (this.#total[bin] ?? 0) + (isRounding ? 0 : centered) + shift;
    }
  }

  at(bin: number): number {
    return this.#total[bin] ?? 0;
  }
}
