/*
 * The shortest decimal that reads back as the same float64; of several the nearest, and of two as near the even one (ECMA-262,
 * Number::toString).
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): of the decimals of one length that lie in the
 * rounding interval of a float64, at most ten are candidates; a product with a 128-bit power of ten decides. Names as
 * in the paper: v = c·2^q, its neighbours' midpoints left (cbl) and right (cbr) of cb = 4c, all scaled by 10^-k to 4·2^h.
 *
 * Nearly all are decided by fewer digits of that product ({@link findDecimals}). Those of a list are found before any is written: so
 * the processor works at several at once, where a number that is found and written takes it one step after the other.
 */
import { DECIMALS, POWERS, SCALES } from './layout';

/** Least exponent of ten in the table of powers. */
const POWER_MIN: i32 = -292;

const FRACTION_BITS: u64 = 52;
const FRACTION: u64 = (u64(1) << FRACTION_BITS) - 1;
const EXPONENT_BIAS: i32 = 1075;
/** Exponent of what is not finite. */
const EXPONENT_LIMIT: i32 = 0x7ff;

/**
 * A decimal in memory, of 17 digits, the first of which may be zeros: the last 16 as two numbers below 10^8, the first one, and the
 * power of ten of the last.
 */
export const DECIMAL_BYTES: usize = 16;
export const MIDDLE: usize = 0;
const LOW: usize = 4;
export const FIRST: usize = 8;
export const POWER: usize = 12;
/** So many have room at `DECIMALS`. */
export const DECIMALS_MAX: i32 = 64;

const EIGHT_DIGITS: u32 = 100000000;

/** Where the power of ten of an exponent from `POWER_MIN` on lies: its high 64 bits, then the low ones. */
function powerOfTen(k: i32): usize {
  return POWERS + (usize(k - POWER_MIN) << 4);
}

/** ⌊log2 10^k⌋: exact in the range of float64. */
function binaryExponent(k: i32): i32 {
  return (k * 1741647) >> 19;
}

/** High 64 bits of a product. */
function multiplyHigh(a: u64, b: u64): u64 {
  const aLow = a & 0xffffffff,
    aHigh = a >> 32;
  const bLow = b & 0xffffffff,
    bHigh = b >> 32;
  const middle = aHigh * bLow + ((aLow * bLow) >> 32);
  const other = aLow * bHigh + (middle & 0xffffffff);
  return aHigh * bHigh + (middle >> 32) + (other >> 32);
}

/** ⌊value / 10⌋ and ⌊value / 10^8⌋ by ⌈2^67 / 10⌉ and ⌈2^90 / 10^8⌉: a division of 64 bits takes several times as long. */
function divideByTen(value: u64): u64 {
  return multiplyHigh(value, 0xcccccccccccccccd) >> 3;
}
function divideByHundredMillion(value: u64): u64 {
  return multiplyHigh(value, 0xabcc77118461cefd) >> 26;
}

/** ⌊p / 2^128⌋ of a product p of 192 bits, with a sticky last bit: odd where something was cut off. */
function roundToOdd(high: u64, middle: u64): u64 {
  return high | u64(middle > 1);
}

/** Distances to v within ten of its last digits are in units of 2^-60 of one. */
const DIGIT_BITS: u64 = 60;
const DIGIT: u64 = u64(1) << DIGIT_BITS;
const TEN_DIGITS: u64 = 10 * DIGIT;
/**
 * Two distances that are no nearer to each other than this compare as the exact ones do: what is left out of v is below 2^33 of the
 * 2^64 that a quarter has in the product, 2^27 here, and less than 2 more are cut off it and its neighbour.
 */
const CUT: u64 = u64(1) << 28;
/** ⌊2^25 / 10^8 · 2^33⌋: with it ⌊s / 10^8⌋ or one less for s below 10^17, without a product of 128 bits. */
const HUNDRED_MILLIONTH: u64 = 2882303761;

/**
 * Prepares {@link findDecimals}: for each exponent of a float64 the power of ten (its high 96 bits), its exponent, and the shift of c.
 * The powers of ten must be there.
 */
export function fillScales(): void {
  for (let exponent = 1; exponent < EXPONENT_LIMIT; exponent++) {
    const q = exponent - EXPONENT_BIAS;
    // ⌊log10 2^q⌋: exact in the range of float64
    const k = (q * 1262611) >> 22;
    const power = powerOfTen(-k);
    const scale = scaleOf(exponent);
    store<u64>(scale, load<u64>(power), SCALE_HIGH);
    store<u32>(scale, load<u32>(power, 12), SCALE_LOW);
    store<i16>(scale, i16(k), SCALE_POWER);
    store<u16>(scale, u16(q + binaryExponent(-k) + 3), SCALE_SHIFT);
  }
}

const SCALE_HIGH: usize = 0;
const SCALE_LOW: usize = 8;
const SCALE_POWER: usize = 12;
const SCALE_SHIFT: usize = 14;

function scaleOf(exponent: i32): usize {
  return SCALES + (usize(exponent) << 4);
}

/** A decimal that {@link findDecimals} leaves for later. */
const UNDECIDED: i32 = i32.MIN_VALUE;

/**
 * Finds the decimals of `count` numbers that lie at `from`, {@link DECIMALS_MAX} at most, and leaves them at `DECIMALS`, without
 * signs. What is 0 or not finite has no digit.
 */
export function findDecimals(from: usize, count: i32): void {
  let isUndecided = false;
  let to = DECIMALS;
  const stop = from + (usize(count) << 3);
  for (let number = from; number < stop; number += 8, to += DECIMAL_BYTES) {
    const bits = load<u64>(number);
    const fraction = bits & FRACTION;
    const exponent = i32(bits >> FRACTION_BITS) & EXPONENT_LIMIT;
    const c = fraction | (u64(1) << FRACTION_BITS);
    // a whole number below 2^53 is its own shortest form
    if (u32(EXPONENT_BIAS - exponent) <= u32(ctz(c))) {
      storeDecimal(c >> u64(EXPONENT_BIAS - exponent), 0, to);
      continue;
    }
    // powers of two, whose neighbour below is nearer, and what has no exponent of its own
    if (fraction == 0 || u32(exponent - 1) >= u32(EXPONENT_LIMIT - 1)) {
      store<i32>(to, UNDECIDED, POWER);
      isUndecided = true;
      continue;
    }
    const scale = scaleOf(exponent);
    const gHigh = load<u64>(scale, SCALE_HIGH);
    const shift = load<u16>(scale, SCALE_SHIFT);
    // of g·cb·2^h the whole quarters and 64 bits behind them, as in multiplyHigh
    const x = c << shift;
    const xLow = x & 0xffffffff,
      xHigh = x >> 32;
    const gLowHalf = gHigh & 0xffffffff,
      gHighHalf = gHigh >> 32;
    const lowest = xLow * gLowHalf;
    const between = xHigh * gLowHalf + (lowest >> 32);
    const other = xLow * gHighHalf + (between & 0xffffffff);
    const below = xHigh * load<u32>(scale, SCALE_LOW);
    const behind = ((other << 32) | (lowest & 0xffffffff)) + below;
    const quarters = xHigh * gHighHalf + (between >> 32) + (other >> 32) + u64(behind < below);
    // s, its last digit, and what v is above the multiple of ten below it
    const s = quarters >> 2;
    const top = u32(((s >> 25) * HUNDRED_MILLIONTH) >> 33);
    const low = u32(s) - top * EIGHT_DIGITS;
    const tens = 10 * (low / 10);
    const rest = (u64(low - tens) << DIGIT_BITS) | ((quarters << 62) >> 4) | (behind >> 6);
    // half of the rounding interval; the multiple of ten that is nearer, if it lies inside, or else the nearest digit
    const half = gHigh >> (7 - shift);
    const distance = min<u64>(rest, TEN_DIGITS - rest);
    const rounded = rest + DIGIT / 2;
    if (distance - half + CUT < 2 * CUT || (((rounded + CUT) & (DIGIT - 1)) < 2 * CUT && distance >= half)) {
      store<i32>(to, UNDECIDED, POWER);
      isUndecided = true;
      continue;
    }
    const multiple = select<u32>(10, 0, rest > TEN_DIGITS / 2);
    const digit = select<u32>(multiple, u32(rounded >> DIGIT_BITS), distance < half);
    storeParts(top, tens + digit, load<i16>(scale, SCALE_POWER), to);
  }
  if (isUndecided) findUndecided(from, stop);
}

function findUndecided(from: usize, stop: usize): void {
  let to = DECIMALS;
  for (; from < stop; from += 8, to += DECIMAL_BYTES) {
    if (load<i32>(to, POWER) == UNDECIDED) findRareDecimal(load<u64>(from), to);
  }
}

/** Stores `top`·10^8 + `low`, of 17 digits at most, or 10^17; `low` is below 2·10^8. */
function storeParts(top: u32, low: u32, power: i32, to: usize): void {
  const isOver = u32(low >= EIGHT_DIGITS);
  let high = top + isOver;
  if (high == 10 * EIGHT_DIGITS) {
    high = EIGHT_DIGITS;
    power++;
  }
  const first = high / EIGHT_DIGITS;
  store<u32>(to, high - first * EIGHT_DIGITS, MIDDLE);
  store<u32>(to, low - select<u32>(EIGHT_DIGITS, 0, isOver), LOW);
  store<u32>(to, first, FIRST);
  store<i32>(to, power, POWER);
}

/** Stores a decimal of 17 digits at most. */
export function storeDecimal(value: u64, power: i32, to: usize): void {
  const top = divideByHundredMillion(value);
  storeParts(u32(top), u32(value) - u32(top) * EIGHT_DIGITS, power, to);
}

function findRareDecimal(bits: u64, to: usize): void {
  const fraction = bits & FRACTION;
  const exponent = i32(bits >> FRACTION_BITS) & EXPONENT_LIMIT;
  const isNormal = exponent != 0;
  if (exponent == EXPONENT_LIMIT || (fraction == 0 && !isNormal)) return storeDecimal(0, 0, to);
  const c = isNormal ? fraction | (u64(1) << FRACTION_BITS) : fraction;
  const q = isNormal ? exponent - EXPONENT_BIAS : 1 - EXPONENT_BIAS;
  findExactly(c, q, fraction == 0 && exponent > 1, to);
}

/** Finds the decimal of c·2^q with all digits of the product. */
function findExactly(c: u64, q: i32, isCloserBelow: bool, to: usize): void {
  const isOdd = c & 1;
  const cb = c << 2;
  // ⌊log10 2^q⌋, or of ¾·2^q where the neighbour below is nearer: exact in the range of float64
  const k: i32 = (q * 1262611 - (isCloserBelow ? 524031 : 0)) >> 22;
  const h = u64(q + binaryExponent(-k) + 1);
  const power = powerOfTen(-k);
  const gHigh = load<u64>(power),
    gLow = load<u64>(power, 8);
  // g·cb·2^h, of 192 bits, and what its neighbours are away from it: g·2^(h+1), below half of that where it is closer there
  const x = cb << h;
  const carry = multiplyHigh(gLow, x);
  const p0 = gLow * x,
    p1 = gHigh * x + carry;
  const p2 = multiplyHigh(gHigh, x) + u64(p1 < carry);
  const up = h + 1,
    down = up - u64(isCloserBelow);
  const d1 = (gHigh << down) | (gLow >> (64 - down));
  const d0 = gLow << down;
  const borrow = u64(p0 < d0),
    below = p1 - d1;
  const lower = roundToOdd(p2 - (gHigh >> (64 - down)) - u64(p1 < d1) - u64(below < borrow), below - borrow) + isOdd;
  const vb = roundToOdd(p2, p1);
  const u1 = (gHigh << up) | (gLow >> (64 - up));
  const u0 = gLow << up;
  const carried = u64(p0 + u0 < u0),
    above = p1 + u1;
  const upper =
    roundToOdd(p2 + (gHigh >> (64 - up)) + u64(above < u1) + u64(above + carried < carried), above + carried) - isOdd;
  const s = vb >> 2;
  if (s >= 10) {
    const tens = divideByTen(s);
    const isDownInside = lower <= 40 * tens,
      isUpInside = 40 * tens + 40 <= upper;
    if (isDownInside != isUpInside) return storeDecimal(tens + u64(isUpInside), k + 1, to);
  }
  const isDownInside = lower <= 4 * s,
    isUpInside = 4 * s + 4 <= upper;
  if (isDownInside != isUpInside) return storeDecimal(s + u64(isUpInside), k, to);
  const middle = 4 * s + 2;
  storeDecimal(s + u64(vb > middle || (vb == middle && (s & 1) != 0)), k, to);
}
