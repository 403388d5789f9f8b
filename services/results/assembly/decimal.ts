/*
 * The shortest decimal that reads back as the same float64, in the form of ECMAScript (ECMA-262, Number::toString).
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): of the decimals of one length that lie in the
 * rounding interval of a float64, at most ten are candidates; three products with a 128-bit power of ten decide. Names as
 * in the paper: v = c·2^q, its neighbours' midpoints left (cbl) and right (cbr) of cb = 4c, all scaled by 10^-k to 4·2^h.
 */
import { PAIRS, POWERS } from './layout';

/** Least exponent of ten in the table of powers. */
const POWER_MIN: i32 = -292;
/** ECMAScript writes larger and smaller numbers with an exponent. */
const POINT_MAX: i32 = 21;
const POINT_MIN: i32 = -6;

const FRACTION_BITS: u64 = 52;
const FRACTION: u64 = (u64(1) << FRACTION_BITS) - 1;
const EXPONENT_BIAS: i32 = 1075;

const ZERO: u8 = 0x30;
const POINT: u8 = 0x2e;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const EXPONENT: u8 = 0x65;

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

/** ⌊g·x / 2^128⌋ with a sticky last bit: odd where something was cut off. */
function roundToOdd(gHigh: u64, gLow: u64, x: u64): u64 {
  const carry = multiplyHigh(gLow, x);
  const low = gHigh * x + carry;
  const high = multiplyHigh(gHigh, x) + u64(low < carry);
  return high | u64(low > 1);
}

function putPair(at: usize, value: u32): void {
  store<u16>(at, load<u16>(PAIRS + (value << 1)));
}

function putEight(at: usize, value: u32): void {
  const high = value / 10000,
    low = value - high * 10000;
  const first = high / 100,
    third = low / 100;
  putPair(at, first);
  putPair(at + 2, high - first * 100);
  putPair(at + 4, third);
  putPair(at + 6, low - third * 100);
}

/** Digits of a number are put down here, right-aligned; 8 bytes more may be read. */
const DIGITS: usize = memory.data(32);
const DIGITS_END: usize = DIGITS + 24;

/** Writes a finite number at `at`; returns where its text ends. At most 24 bytes; 8 more may be overwritten. */
export function writeDecimal(value: f64, at: usize): usize {
  const bits = reinterpret<u64>(value);
  if (bits >> 63) store<u8>(at++, MINUS);
  const fraction = bits & FRACTION;
  const exponent = i32((bits >> FRACTION_BITS) & 0x7ff);
  if (bits << 1 == 0) {
    store<u8>(at, ZERO);
    return at + 1;
  }
  const c: u64 = exponent == 0 ? fraction : fraction | (u64(1) << FRACTION_BITS);
  const q: i32 = exponent == 0 ? 1 - EXPONENT_BIAS : exponent - EXPONENT_BIAS;
  // a whole number below 2^53 is its own shortest form
  if (q <= 0 && q > -53 && (c & ((u64(1) << u64(-q)) - 1)) == 0) return writeDigits(c >> u64(-q), 0, at);
  const isOdd = c & 1;
  const isCloserBelow = fraction == 0 && exponent > 1;
  const cb = c << 2;
  // ⌊log10 2^q⌋, or of ¾·2^q where the neighbour below is nearer; ⌊log2 10^-k⌋: exact in the range of float64
  const k: i32 = (q * 1262611 - (isCloserBelow ? 524031 : 0)) >> 22;
  const h = u64(q + ((-k * 1741647) >> 19) + 1);
  const power = POWERS + (usize(-k - POWER_MIN) << 4);
  const gHigh = load<u64>(power),
    gLow = load<u64>(power, 8);
  const lower = roundToOdd(gHigh, gLow, (cb - 2 + u64(isCloserBelow)) << h) + isOdd;
  const vb = roundToOdd(gHigh, gLow, cb << h);
  const upper = roundToOdd(gHigh, gLow, (cb + 2) << h) - isOdd;
  const s = vb >> 2;
  if (s >= 10) {
    const tens = s / 10;
    const isDownInside = lower <= 40 * tens,
      isUpInside = 40 * tens + 40 <= upper;
    if (isDownInside != isUpInside) return writeDigits(tens + u64(isUpInside), k + 1, at);
  }
  const isDownInside = lower <= 4 * s,
    isUpInside = 4 * s + 4 <= upper;
  if (isDownInside != isUpInside) return writeDigits(s + u64(isUpInside), k, at);
  const middle = 4 * s + 2;
  return writeDigits(s + u64(vb > middle || (vb == middle && (s & 1) != 0)), k, at);
}

/** Writes digits·10^power; digits has at most 17 digits and is not 0. */
function writeDigits(digits: u64, power: i32, at: usize): usize {
  const top = digits / 100000000;
  const highest = top / 100000000;
  putPair(DIGITS + 6, u32(highest));
  putEight(DIGITS + 8, u32(top - highest * 100000000));
  putEight(DIGITS + 16, u32(digits - top * 100000000));
  let first: usize = DIGITS + 6;
  while (load<u8>(first) == ZERO) first++;
  let end: usize = DIGITS_END;
  while (load<u8>(end - 1) == ZERO) end--;
  const count = i32(end - first);
  /** Digits before the decimal point; none or fewer than none: zeros behind it. */
  const point = i32(DIGITS_END - first) + power;
  if (point > POINT_MAX || point < POINT_MIN + 1) return writeScientific(first, count, point - 1, at);
  if (point <= 0) {
    store<u8>(at++, ZERO);
    store<u8>(at++, POINT);
    for (let zeros = point; zeros < 0; zeros++) store<u8>(at++, ZERO);
    copyDigits(first, at);
    return at + count;
  }
  copyDigits(first, at);
  if (point >= count) {
    for (let digit = count; digit < point; digit++) store<u8>(at + digit, ZERO);
    return at + point;
  }
  store<u8>(at + point, POINT);
  copyDigits(first + point, at + point + 1);
  return at + count + 1;
}

/** Copies up to 18 digits, and what lies behind them. */
function copyDigits(from: usize, to: usize): void {
  store<u64>(to, load<u64>(from));
  store<u64>(to, load<u64>(from, 8), 8);
  store<u16>(to, load<u16>(from, 16), 16);
}

function writeScientific(first: usize, count: i32, exponent: i32, at: usize): usize {
  store<u8>(at++, load<u8>(first));
  if (count > 1) {
    store<u8>(at, POINT);
    copyDigits(first + 1, at + 1);
    at += count;
  }
  store<u8>(at++, EXPONENT);
  store<u8>(at++, exponent < 0 ? MINUS : PLUS);
  const size = u32(exponent < 0 ? -exponent : exponent);
  if (size >= 100) store<u8>(at++, ZERO + u8(size / 100));
  if (size >= 10) store<u8>(at++, ZERO + u8((size / 10) % 10));
  store<u8>(at, ZERO + u8(size % 10));
  return at + 1;
}
