/* The text of a decimal, in the form of ECMAScript (ECMA-262, Number::toString). */
import { FIRST, MIDDLE, POWER, storeDecimal } from './decimal';
import { DECIMALS } from './layout';

/** Larger and smaller numbers have an exponent. */
const POINT_MAX: i32 = 21;
const POINT_MIN: i32 = -5;

export const ZERO: u8 = 0x30;
const POINT: u8 = 0x2e;
const MINUS: u8 = 0x2d;
const PLUS: u8 = 0x2b;
const EXPONENT: u8 = 0x65;
/** `0.000000` */
const ZERO_POINT: u64 = 0x3030303030302e30;

/**
 * Writes a decimal whose parts lie at `from`, as decimal.ts lays them out, at `at`; returns where its text ends. At most 24 bytes with
 * its sign; 32 more may be overwritten.
 */
export function writeDecimal(from: usize, isNegative: bool, at: usize): usize {
  store<u8>(at, MINUS);
  at += usize(isNegative);
  const first = load<u32>(from, FIRST);
  const digits = sixteenDigits(v128.load64_zero(from, MIDDLE));
  let text = v128.or(digits, i8x16.splat(ZERO));
  /** A bit for each of the sixteen digits that is not 0. */
  const used = u32(i8x16.bitmask(i8x16.ne(digits, i8x16.splat(0))));
  const isFull = i32(first != 0);
  /** Zeros before the other digits: rarely any, but in whole numbers. */
  let leading: i32 = 0;
  if ((used & 1) == 0 && !isFull) {
    if (used == 0) {
      store<u8>(at, ZERO);
      return at + 1;
    }
    leading = i32(ctz(used));
    text = i8x16.swizzle(text, i8x16.add(PLACES, i8x16.splat(i8(leading))));
  }
  const known = 16 + isFull - leading;
  const count = 32 - i32(clz(used)) + isFull - leading;
  /** Digits before the decimal point; none or fewer than none: zeros behind it. */
  const point = known + load<i32>(from, POWER);
  const isBelowOne = point <= 0 && point >= POINT_MIN;
  if (isBelowOne) {
    store<u64>(at, ZERO_POINT);
    at += 2 - point;
  }
  store<u8>(at, ZERO + u8(first));
  v128.store(at + isFull, text);
  return isBelowOne ? at + count : placePoint(at, known, count, point);
}

/**
 * Completes a number whose `known` digits lie at `at`, of which zeros follow the first `count`, with more zeros, a decimal point or
 * an exponent.
 */
function placePoint(at: usize, known: i32, count: i32, point: i32): usize {
  const hasExponent = point > POINT_MAX || point < POINT_MIN;
  const whole = hasExponent ? 1 : point;
  if (whole > known) v128.store(at + known, i8x16.splat(ZERO));
  let stop = at + whole;
  if (count > whole) {
    v128.store(stop + 1, v128.load(stop));
    store<u8>(stop, POINT);
    stop = at + count + 1;
  }
  return hasExponent ? writeExponent(point - 1, stop) : stop;
}

/** Writes a whole number from 1 to 2^53; returns where its text ends. At most 16 bytes; 16 more may be overwritten. */
export function writeWhole(value: u64, at: usize): usize {
  storeDecimal(value, 0, DECIMALS);
  return writeDecimal(DECIMALS, false, at);
}

/** The two digits of a number below 100 as text, the first in the lower byte. */
export function pairDigits(value: u32): u16 {
  const tens = (value * 103) >> 10;
  return u16(0x3030 | tens | ((value - 10 * tens) << 8));
}

const PLACES = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

/**
 * The digits of two numbers below 10^8, in the two lowest lanes of 32 bits: a byte each, all divided at once in lanes, by factors that
 * are exact for numbers of that size: ⌈2^45 / 10^4⌉, ⌈2^19 / 100⌉, ⌈2^10 / 10⌉.
 */
function sixteenDigits(numbers: v128): v128 {
  const fours = i64x2.shr_u(i64x2.extmul_low_i32x4_u(numbers, i32x4.splat(i32(3518437209))), 45);
  const fourRests = i64x2.sub(i64x2.extend_low_i32x4_u(numbers), i32x4.mul(fours, i32x4.splat(10000)));
  const four = v128.or(fours, i64x2.shl(fourRests, 32));
  const twos = i32x4.shr_u(i32x4.mul(four, i32x4.splat(5243)), 19);
  const two = v128.or(twos, i32x4.shl(i32x4.sub(four, i32x4.mul(twos, i32x4.splat(100))), 16));
  const ones = i16x8.shr_u(i16x8.mul(two, i16x8.splat(103)), 10);
  return v128.or(ones, i16x8.shl(i16x8.sub(two, i16x8.mul(ones, i16x8.splat(10))), 8));
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
