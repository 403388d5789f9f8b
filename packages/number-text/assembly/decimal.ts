/*
 * The shortest decimal that reads back as the same float64, in the form of ECMAScript (ECMA-262, Number::toString).
 *
 * Schubfach (R. Giulietti, "The Schubfach way to render doubles", 2020): of the decimals of one length that lie in the
 * rounding interval of a float64, at most ten are candidates; a product with a 128-bit power of ten decides. Names as
 * in the paper: v = c·2^q, its neighbours' midpoints left (cbl) and right (cbr) of cb = 4c, all scaled by 10^-k to 4·2^h.
 */
import { POWERS } from './layout';

/** Least exponent of ten in the table of powers. */
export const POWER_MIN: i32 = -292;
/** ECMAScript writes larger and smaller numbers with an exponent. */
const POINT_MAX: i32 = 21;
const POINT_MIN: i32 = -6;

export const FRACTION_BITS: u64 = 52;
const FRACTION: u64 = (u64(1) << FRACTION_BITS) - 1;
export const EXPONENT_BIAS: i32 = 1075;

export const ZERO: u8 = 0x30;
export const POINT: u8 = 0x2e;
export const MINUS: u8 = 0x2d;
export const PLUS: u8 = 0x2b;
export const EXPONENT: u8 = 0x65;

/** Where the power of ten of an exponent from `POWER_MIN` on lies: its high 64 bits, then the low ones. */
export function powerOfTen(k: i32): usize {
  return POWERS + (usize(k - POWER_MIN) << 4);
}

/** ⌊log2 10^k⌋: exact in the range of float64. */
export function binaryExponent(k: i32): i32 {
  return (k * 1741647) >> 19;
}

/** High 64 bits of a product. */
export function multiplyHigh(a: u64, b: u64): u64 {
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

/** `00000000` */
const ZEROS: u64 = 0x3030303030303030;
/** `0.000000` */
const ZERO_POINT: u64 = 0x3030303030302e30;

/** The eight digits of a number below 10^8, a byte each, the first in the lowest: all are divided at once, in lanes. */
function eightDigits(value: u32): u64 {
  const first = value / 10000;
  const fours = u64(first) | (u64(value - first * 10000) << 32);
  const hundreds = ((fours * 10486) >> 20) & 0x0000007f0000007f;
  const pairs = hundreds | ((fours - 100 * hundreds) << 16);
  const tens = ((pairs * 103) >> 10) & 0x000f000f000f000f;
  return tens | ((pairs - 10 * tens) << 8);
}

/** The two digits of a number below 100 as text, the first in the lower byte. */
export function pairDigits(value: u32): u16 {
  const tens = (value * 103) >> 10;
  return u16(0x3030 | tens | ((value - 10 * tens) << 8));
}

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
  if (q <= 0 && q > -53 && (c & ((u64(1) << u64(-q)) - 1)) == 0) return writeWhole(c >> u64(-q), at);
  const isOdd = c & 1;
  const isCloserBelow = fraction == 0 && exponent > 1;
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
    if (isDownInside != isUpInside) return writeDigits(tens + u64(isUpInside), k + 1, at);
  }
  const isDownInside = lower <= 4 * s,
    isUpInside = 4 * s + 4 <= upper;
  if (isDownInside != isUpInside) return writeDigits(s + u64(isUpInside), k, at);
  const middle = 4 * s + 2;
  return writeDigits(s + u64(vb > middle || (vb == middle && (s & 1) != 0)), k, at);
}

/** Writes a whole number from 1 to 2^53; returns where its text ends. At most 16 bytes; 8 more may be overwritten. */
export function writeWhole(value: u64, at: usize): usize {
  if (value >= 100000000) return writeDigits(value, 0, at);
  const digits = eightDigits(u32(value));
  const leading = ctz(digits) >> 3;
  store<u64>(at, (digits | ZEROS) >> (leading << 3));
  return at + 8 - usize(leading);
}

/** Writes digits·10^power; digits has at most 17 digits and is not 0. */
function writeDigits(digits: u64, power: i32, at: usize): usize {
  const top = divideByHundredMillion(digits);
  const high = u32(top),
    highest = high / 100000000;
  const middle = eightDigits(high - highest * 100000000),
    low = eightDigits(u32(digits - top * 100000000));
  // zeros before and behind the other digits of the seventeen
  const leading = highest != 0 ? 0 : middle != 0 ? 1 + i32(ctz(middle) >> 3) : 9 + i32(ctz(low) >> 3);
  const trailing = low != 0 ? i32(clz(low) >> 3) : middle != 0 ? 8 + i32(clz(middle) >> 3) : 16;
  const count = 17 - leading - trailing;
  /** Digits before the decimal point; none or fewer than none: zeros behind it. */
  const point = 17 - leading + power;
  if (point > POINT_MAX || point < POINT_MIN + 1) {
    const isLong = count > 1;
    putDigits(highest, middle, low, leading, at + usize(isLong));
    if (isLong) {
      store<u8>(at, load<u8>(at + 1));
      store<u8>(at + 1, POINT);
    }
    return writeExponent(point - 1, at + count + usize(isLong));
  }
  if (point <= 0) {
    store<u64>(at, ZERO_POINT);
    at += 2 - point;
    putDigits(highest, middle, low, leading, at);
    return at + count;
  }
  if (point >= count) {
    putDigits(highest, middle, low, leading, at);
    for (let digit = count; digit < point; digit++) store<u8>(at + digit, ZERO);
    return at + point;
  }
  putDigits(highest, middle, low, leading, at + 1);
  for (let digit = 0; digit < point; digit++) store<u8>(at + digit, load<u8>(at + digit + 1));
  store<u8>(at + point, POINT);
  return at + count + 1;
}

/** Writes seventeen digits without the leading zeros, and some bytes more. */
function putDigits(highest: u32, middle: u64, low: u64, leading: i32, at: usize): void {
  if (leading == 0) {
    store<u8>(at, ZERO + u8(highest));
    store<u64>(at, middle | ZEROS, 1);
    store<u64>(at, low | ZEROS, 9);
  } else if (leading < 9) {
    store<u64>(at, (middle | ZEROS) >> (u64(leading - 1) << 3));
    store<u64>(at + 9 - leading, low | ZEROS);
  } else {
    store<u64>(at, (low | ZEROS) >> (u64(leading - 9) << 3));
  }
}

function writeExponent(exponent: i32, at: usize): usize {
  store<u8>(at++, EXPONENT);
  store<u8>(at++, exponent < 0 ? MINUS : PLUS);
  const size = u32(exponent < 0 ? -exponent : exponent);
  if (size >= 100) store<u8>(at++, ZERO + u8(size / 100));
  if (size >= 10) store<u8>(at++, ZERO + u8((size / 10) % 10));
  store<u8>(at, ZERO + u8(size % 10));
  return at + 1;
}
