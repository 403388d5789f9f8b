/** Rounding of one addition or multiplication, relative. */
const EPSILON = Number.EPSILON / 2;
/** Roundings that the sum of a simulator's batches may have had; beyond so many batches they do not add up one way. */
const ROUNDINGS_MAX = 1_000;
/** 2²⁷ + 1: cuts a float64 into two halves whose products are exact (Dekker 1971). */
const SPLITTER = 134_217_729;

/**
 * A sum for each bin, of twice the length of a float64 (Dekker 1971, Knuth's TwoSum). Of numbers that are whole multiples of
 * one power of two, as the built-in engine gives them, it is exact up to 2¹⁰⁵ times that power, and so does not depend on
 * their order or grouping (ADR 13); of others it is rounded at the 32nd digit.
 */
export class LongSums {
  /** The sums as float64; not finite where one of the numbers was not. */
  readonly sums: Float64Array;
  /** What that leaves of the sums. */
  readonly remainders: Float64Array;

  constructor(bins: number) {
    this.sums = new Float64Array(bins);
    this.remainders = new Float64Array(bins);
  }

  /** Sets what a bin has been nothing of before: a number that a float64 and what that leaves of it tell. */
  startAt(bin: number, number: number, remainder: number): void {
    this.sums[bin] = number;
    if (remainder !== 0) this.remainders[bin] = remainder;
  }

  /** Adds a number to a bin, told as a float64 and what that leaves of it. */
  addAt(bin: number, added: number, remainder: number): void {
    const before = this.sums[bin] ?? 0;
    const sum = before + added;
    const shift = sum - before;
    // a sum of zero leaves nothing; and where nothing is left nothing is written: such memory takes none
    const left = before === 0 ? 0 : (this.remainders[bin] ?? 0);
    const rest = left + remainder + (before - (sum - shift) + (added - shift));
    const rounded = sum + rest;
    this.sums[bin] = rounded;
    const newlyLeft = rest - (rounded - sum);
    if (newlyLeft !== left) this.remainders[bin] = newlyLeft;
  }

  /** Adds a number to each bin. */
  add(part: Float64Array, remainders: Float64Array | undefined): void {
    for (let bin = 0; bin < this.sums.length; bin += 1) this.addAt(bin, part[bin] ?? 0, remainders?.[bin] ?? 0);
  }

  at(bin: number): number {
    return this.sums[bin] ?? 0;
  }

  remainderAt(bin: number): number {
    return this.remainders[bin] ?? 0;
  }
}

/**
 * Σ_b n_b(x̄_b − x̄)(ȳ_b − ȳ) = Σ x_b·y_b/n_b − X·Y/N of a bin, x̄ and ȳ being the overall means. The difference is taken in
 * twice the length; where it is not larger than the rounding of the sums themselves it is 0: batches that are equal have no
 * spread.
 */
export function centeredProduct(
  { products, x, y }: { readonly products: LongSums; readonly x: LongSums; readonly y: LongSums },
  bin: number,
  { primaries, batches }: { readonly primaries: number; readonly batches: number },
): number {
  const [highX, highY] = [x.at(bin), y.at(bin)];
  const product = highX * highY;
  const rest = productRest(highX, highY, product) + (highX * y.remainderAt(bin) + x.remainderAt(bin) * highY);
  const mean = product / primaries;
  const multiple = mean * primaries;
  const restOfMean = (product - multiple - productRest(mean, primaries, multiple) + rest) / primaries;
  const centered = products.at(bin) - mean + (products.remainderAt(bin) - restOfMean);
  const rounding = 4 * (Math.min(batches, ROUNDINGS_MAX) + 1) * EPSILON;
  return Math.abs(centered) <= rounding * Math.abs(mean) ? 0 : centered;
}

/** What the product of two numbers, rounded, leaves of it. */
function productRest(x: number, y: number, product: number): number {
  const [bigX, bigY] = [upperHalf(x), upperHalf(y)];
  const [smallX, smallY] = [x - bigX, y - bigY];
  return bigX * bigY - product + bigX * smallY + smallX * bigY + smallX * smallY;
}

function upperHalf(x: number): number {
  const multiple = SPLITTER * x;
  return multiple - (multiple - x);
}
