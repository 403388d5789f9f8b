// The moments of a bin: what its scores of all histories come to, their squares and products. They are rounded to a multiple
// of a power of two, and sums of such numbers are exact, and so do not depend on how histories are grouped (ADR 13):
// integers of 64 bits, which are moved to sums of twice the length of a float64 before they are full.

import { Page } from './page';

/** Scores, and their squares, count in these units: times the power of two that scores are measured in, and its square. */
const QUANTUM: f64 = 1 / <f64>((<u64>1) << 42);
/** Twice as many numbers below 2⁶ of the integers' units fit. */
export const HISTORIES_BETWEEN_MOVES: i32 = (1 << 14) - 1;
/** Rounds to whole quanta what is added to it: a float64 near it counts them in its low bits. */
const ROUNDER: f64 = QUANTUM * 6755399441055744;
/** Scores below it, and their squares, go into the integers. */
const LIMIT: f64 = 8;
/** Scores below so many of their units do so whatever their factor is, which is less than two beside its power of two. */
export const SMALL_SCORE: f64 = 0.5 * LIMIT;
/** A pair of `ROUNDER`, in memory: a loop makes a constant anew each time, and keeps what it has loaded. */
const rounderPair: StaticArray<f64> = [ROUNDER, ROUNDER];

function loadRounders(): v128 {
  return v128.load(changetype<usize>(rounderPair));
}

/** Adds a pair of scores and their squares, as integers, to the pairs at `to` and behind it. */
function addBoth(scores: v128, rounders: v128, to: usize): void {
  const sums = i64x2.sub(f64x2.add(scores, rounders), rounders);
  const squares = i64x2.sub(f64x2.add(f64x2.mul(scores, scores), rounders), rounders);
  v128.store(to, i64x2.add(v128.load(to), v128.shuffle<i64>(sums, squares, 0, 2)));
  const next = to + (1 << PAIR_SHIFT);
  v128.store(next, i64x2.add(v128.load(next), v128.shuffle<i64>(sums, squares, 1, 3)));
}

/** Largest power of two that is not above a positive number. */
export function powerBelow(value: f64): f64 {
  return reinterpret<f64>(reinterpret<u64>(value) & 0x7ff0000000000000);
}

/** Bytes of the integers of a pair, and of the sums that they are moved to: two, then what float64 leaves of each. */
export const PAIR_SHIFT: usize = 4;
export const LONG_SHIFT: usize = 5;

/** Some score was too large for the integers, and went into the sums. */
let isLong: bool = false;

/** Whether that is so of a score since the last call. */
export function takeLong(): bool {
  const was = isLong;
  isLong = false;
  return was;
}

/** What one sum comes to, and its square. */
export class Moments {
  private factors: Array<f64>;
  private differentialFactors: Array<f64>;
  /** The same factor in all bins. */
  isConstant: bool;
  // of the row at hand: what scores are multiplied with, and the power of two that they are measured in
  private scale: f64 = 1;
  private power: f64 = 1;
  /** Without factors. */
  isPure: bool;

  /** `unit`: a power of two near what a history scores in a bin. */
  constructor(
    public sum: i32,
    public unit: f64,
    page: Page,
  ) {
    const hasOwn = page.firstFactors.length > 0;
    this.isPure = !hasOwn;
    this.factors = hasOwn ? page.firstFactors : [1];
    this.differentialFactors = hasOwn ? page.differentialFactors : [1];
    this.isConstant = this.factors.length == 1 && this.differentialFactors.length == 1;
    this.setRow(0, 1);
  }

  /** Takes the factor from scores to the page's unit of a row of bins. */
  setRow(row: i32, rows: i32): void {
    const factor =
      this.factors[(row % rows) % this.factors.length] *
      this.differentialFactors[(row / rows) % this.differentialFactors.length];
    this.power = powerBelow(factor) * this.unit;
    this.scale = factor / this.power;
  }

  /** Adds what a history scored in `count` bins of the row. */
  @inline
  add(from: usize, width: usize, to: usize, stride: usize, long: usize, count: i32): void {
    const scale = this.scale;
    const power = this.power;
    const rounders = f64x2.splat(ROUNDER);
    for (; count > 0; count--) {
      const score = load<f64>(from) * scale;
      const near = f64x2.add(f64x2.replace_lane(f64x2.splat(score), 1, score * score), rounders);
      if (score < LIMIT) v128.store(to, i64x2.add(v128.load(to), i64x2.sub(near, rounders)));
      else addScore(long, f64x2.mul(f64x2.sub(near, rounders), f64x2(power, power * power)));
      from += width;
      to += stride;
      long += stride << 1;
    }
  }

  /** As `add`, of small scores. */
  @inline
  addSmall(from: usize, width: usize, to: usize, stride: usize, count: i32): void {
    const scales = f64x2.splat(this.scale);
    const rounders = loadRounders();
    for (; count > 0; count--) {
      const scores = f64x2.mul(v128.load64_splat(from), scales);
      const both = f64x2.replace_lane(scores, 1, f64x2.extract_lane(f64x2.mul(scores, scores), 0));
      v128.store(to, i64x2.add(v128.load(to), i64x2.sub(f64x2.add(both, rounders), rounders)));
      from += width;
      to += stride;
    }
  }

  /** As `addSmall` of an even number of bins that have nothing else. */
  @inline
  addTwins(from: usize, to: usize, count: i32): void {
    const scales = f64x2.splat(this.scale);
    const rounders = loadRounders();
    for (; count > 0; count -= 2) {
      addBoth(f64x2.mul(v128.load(from), scales), rounders, to);
      from += 16;
      to += 2 << PAIR_SHIFT;
    }
  }

  /** As `addSmall` of two sums, whose pairs lie side by side at `to`. */
  @inline
  static addTwoSmall(
    one: Moments,
    other: Moments,
    from: usize,
    width: usize,
    to: usize,
    stride: usize,
    count: i32,
  ): void {
    let a = from + ((<usize>one.sum) << 3);
    let b = from + ((<usize>other.sum) << 3);
    const scales = f64x2(one.scale, other.scale);
    const rounders = loadRounders();
    for (; count > 0; count--) {
      addBoth(f64x2.mul(v128.load64_lane(b, v128.load64_zero(a), 1), scales), rounders, to);
      a += width;
      b += width;
      to += stride;
    }
  }

  /** Moves a pair of integers to its sums. */
  static move(from: usize, to: usize, quanta: v128): void {
    const counts = v128.load(from);
    v128.store(from, i64x2.splat(0));
    addLong(to, to + REST, upperHalf(counts, quanta));
    addLong(to, to + REST, lowerHalf(counts, quanta));
  }

  /** Writes what a pair of integers and its sums, where there are any (else 0), come to; what float64 leaves of that at `rest`. */
  static write(from: usize, long: usize, to: usize, rest: usize, quanta: v128): void {
    const counts = v128.load(from);
    const upper = upperHalf(counts, quanta);
    const lower = lowerHalf(counts, quanta);
    if (long == 0) {
      const sum = f64x2.add(upper, lower);
      v128.store(to, sum);
      v128.store(rest, f64x2.sub(lower, f64x2.sub(sum, upper)));
      return;
    }
    v128.store(to, v128.load(long));
    v128.store(rest, v128.load(long + REST));
    addLong(to, rest, upper);
    addLong(to, rest, lower);
  }

  quanta(): v128 {
    return f64x2.mul(f64x2(this.power, this.power * this.power), f64x2.splat(QUANTUM));
  }
}

/** What the products of two sums come to, of two pairs of sums. */
export class Products {
  /** The second pair: until there is one, the first once more. */
  private c: i32;
  private d: i32;
  private secondUnitC: f64;
  private secondUnitD: f64;
  isFull: bool = false;

  constructor(
    private a: i32,
    private b: i32,
    private unitA: f64,
    private unitB: f64,
  ) {
    this.c = a;
    this.d = b;
    this.secondUnitC = unitA;
    this.secondUnitD = unitB;
  }

  addSecond(c: i32, d: i32, unitC: f64, unitD: f64): void {
    this.c = c;
    this.d = d;
    this.secondUnitC = unitC;
    this.secondUnitD = unitD;
    this.isFull = true;
  }

  @inline
  add(from: usize, width: usize, to: usize, stride: usize, long: usize, count: i32): void {
    const scalesA = f64x2(1 / this.unitA, 1 / this.secondUnitC);
    const scalesB = f64x2(1 / this.unitB, 1 / this.secondUnitD);
    const a = (<usize>this.a) << 3;
    const b = (<usize>this.b) << 3;
    const c = (<usize>this.c) << 3;
    const d = (<usize>this.d) << 3;
    const rounders = f64x2.splat(ROUNDER);
    const limits = f64x2.splat(LIMIT * LIMIT);
    for (; count > 0; count--) {
      const first = f64x2.mul(f64x2(load<f64>(from + a), load<f64>(from + c)), scalesA);
      const second = f64x2.mul(f64x2(load<f64>(from + b), load<f64>(from + d)), scalesB);
      const products = f64x2.mul(first, second);
      const near = f64x2.add(products, rounders);
      if (i64x2.all_true(f64x2.lt(products, limits))) {
        v128.store(to, i64x2.add(v128.load(to), i64x2.sub(near, rounders)));
      } else addScore(long, f64x2.mul(f64x2.sub(near, rounders), this.units()));
      from += width;
      to += stride;
      long += stride << 1;
    }
  }

  /** As `add`, of small scores. */
  @inline
  addSmall(from: usize, width: usize, to: usize, stride: usize, count: i32): void {
    const scales = f64x2.div(f64x2.splat(1), this.units());
    let a = from + ((<usize>this.a) << 3);
    let b = from + ((<usize>this.b) << 3);
    let c = from + ((<usize>this.c) << 3);
    let d = from + ((<usize>this.d) << 3);
    const rounders = loadRounders();
    for (; count > 0; count--) {
      const first = v128.load64_lane(c, v128.load64_zero(a), 1);
      const second = v128.load64_lane(d, v128.load64_zero(b), 1);
      const products = f64x2.mul(f64x2.mul(first, second), scales);
      v128.store(to, i64x2.add(v128.load(to), i64x2.sub(f64x2.add(products, rounders), rounders)));
      a += width;
      b += width;
      c += width;
      d += width;
      to += stride;
    }
  }

  private units(): v128 {
    return f64x2(this.unitA * this.unitB, this.secondUnitC * this.secondUnitD);
  }

  quanta(): v128 {
    return f64x2.mul(this.units(), f64x2.splat(QUANTUM));
  }
}

// integers in two halves, which are exact as float64
function upperHalf(counts: v128, quanta: v128): v128 {
  return f64x2.mul(toFloats(i64x2.shr_u(counts, 32)), f64x2.mul(quanta, f64x2.splat(4294967296)));
}

function lowerHalf(counts: v128, quanta: v128): v128 {
  return f64x2.mul(toFloats(v128.and(counts, i64x2.splat(0xffffffff))), quanta);
}

/** Of numbers below 2³²: the low bits of a float64 of 2⁵² count them. */
function toFloats(counts: v128): v128 {
  return f64x2.sub(v128.or(counts, i64x2.splat(0x4330000000000000)), f64x2.splat(4503599627370496));
}

/** From a pair of sums to what float64 leaves of them, bytes. */
const REST: usize = 16;

function addScore(at: usize, added: v128): void {
  isLong = true;
  addLong(at, at + REST, added);
}

/**
 * Adds a pair of whole numbers of quanta to a pair of sums: what they are as float64, and what that leaves of them. Exact
 * below 2¹⁰⁵ quanta (Knuth's TwoSum, then Dekker's).
 */
function addLong(at: usize, left: usize, added: v128): void {
  const high = v128.load(at);
  const sum = f64x2.add(high, added);
  const shift = f64x2.sub(sum, high);
  const lost = f64x2.add(f64x2.sub(high, f64x2.sub(sum, shift)), f64x2.sub(added, shift));
  const rest = f64x2.add(v128.load(left), lost);
  const rounded = f64x2.add(sum, rest);
  v128.store(at, rounded);
  v128.store(left, f64x2.sub(rest, f64x2.sub(rounded, sum)));
}
