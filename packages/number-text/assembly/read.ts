/*
 * The numbers of a JSON list (RFC 8259, section 6), each as the float64 that is nearest to its decimal.
 *
 * D. Lemire, "Number parsing at a gigabyte per second" (Software: Practice and Experience 51, 2021): w·10^k is w times a power of
 * ten of 128 bits. The powers here are rounded up, so the product of 192 bits is too large by less than 2^64. Only a number whose
 * rounding depends on that is left to others, and one whose power is not in the table.
 */
import {
  binaryExponent,
  EXPONENT_BIAS,
  EXPONENT_LIMIT,
  FRACTION_BITS,
  multiplyHigh,
  POWER_MIN,
  powerOfTen,
} from './decimal';
import { EXPONENT, MINUS, PLUS, POINT, ZERO } from './digits';
import { NUMBERS, TEXT } from './layout';
import { BLANK, COMMA, LINE_FEED, RETURN, TAB } from './text';

/** Makes a small letter of a capital one. */
const SMALL: u8 = 0x20;

/** So many digits are below 2^64. */
const DIGITS_MAX: i32 = 19;
/** A longer exponent is as good as this one: no float64 has it. */
const EXPONENT_MAX: i32 = 9_999;
/** Greatest exponent of ten of a finite float64. */
const POWER_MAX: i32 = 308;
/** Of the 64 highest bits of a product, those that float64 rounds away, and the first of them. */
const CUT_BITS: u64 = 63 - FRACTION_BITS;
const CUT: u64 = (u64(1) << CUT_BITS) - 1;
const HALF: u64 = u64(1) << (CUT_BITS - 1);
/** No float64 that is read. */
const UNDECIDED: u64 = u64.MAX_VALUE;

/** Where reading has come to: behind the comma of the last number, or at the end of the text. */
let end: usize = TEXT;
/** The number that was read last. */
let bits: u64 = 0;

export function readEnd(): usize {
  return end;
}

/**
 * Reads numbers from the text of so many bytes at `TEXT` to `NUMBERS`: until there is no room for more, or one is cut off by the
 * end of the text (`isLast`: the last one ends with it), or something comes that is not read here.
 * @returns how many; {@link readEnd} is where the next one begins
 */
export function readNumbers(bytes: usize, isLast: bool): i32 {
  const stop = TEXT + bytes;
  store<u64>(stop, 0); // belongs to no number
  end = TEXT;
  let to = NUMBERS;
  while (to < TEXT) {
    const numberEnd = readNumber(skipBlanks(end));
    if (numberEnd == 0) break;
    const behind = skipBlanks(numberEnd);
    if (behind == stop) {
      if (!isLast) break;
    } else if (load<u8>(behind) != COMMA || (isLast && behind + 1 == stop)) break;
    store<u64>(to, bits);
    to += 8;
    end = min(behind + 1, stop);
    if (end == stop) break;
  }
  return i32((to - NUMBERS) >> 3);
}

function skipBlanks(from: usize): usize {
  let at = from;
  while (isBlank(load<u8>(at))) at += 1;
  return at;
}

function isBlank(sign: u8): bool {
  return sign == BLANK || sign == LINE_FEED || sign == RETURN || sign == TAB;
}

/** Whether all eight bytes are digits. */
function areDigits(eight: u64): bool {
  const high = 0xf0f0f0f0f0f0f0f0;
  return (eight & high) == 0x3030303030303030 && ((eight + 0x0606060606060606) & high) == 0x3030303030303030;
}

/** The number of eight digits, a byte each, the first in the lowest. */
function valueOfDigits(digits: u64): u64 {
  const pairs = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ff;
  const fours = (pairs * 100 + (pairs >> 16)) & 0x0000ffff0000ffff;
  return (fours * 10_000 + (fours >> 32)) & 0xffffffff;
}

/** Reads one number into {@link bits}; where it ends, 0: it is not read. */
function readNumber(from: usize): usize {
  let at = from;
  const isNegative = load<u8>(at) == MINUS;
  if (isNegative) at += 1;
  /** Its first significant digits, how many they are, and how many more there are. */
  let w: u64 = 0,
    kept: i32 = 0,
    dropped: i32 = 0;
  const start = at;
  let pointAt: usize = 0;
  for (;;) {
    if (kept <= DIGITS_MAX - 8) {
      const eight = load<u64>(at);
      if (areDigits(eight)) {
        const digits = eight & 0x0f0f0f0f0f0f0f0f;
        if (w != 0) kept += 8;
        else if (digits != 0) kept = 8 - i32(ctz(digits) >> 3);
        w = w * 100_000_000 + valueOfDigits(digits);
        at += 8;
        continue;
      }
    }
    const digit = u32(load<u8>(at)) - ZERO;
    if (digit < 10) {
      if (kept == DIGITS_MAX) dropped += 1;
      else {
        w = w * 10 + digit;
        if (w != 0) kept += 1;
      }
      at += 1;
    } else if (pointAt == 0 && load<u8>(at) == POINT) {
      pointAt = at;
      at += 1;
    } else break;
  }
  const wholeEnd = pointAt != 0 ? pointAt : at;
  // a digit before the point, and no zero before others; one behind it
  if (wholeEnd == start || (load<u8>(start) == ZERO && wholeEnd > start + 1) || at == pointAt + 1) return 0;
  let k = dropped - (pointAt != 0 ? i32(at - pointAt - 1) : 0);
  if ((load<u8>(at) | SMALL) == EXPONENT) {
    at += 1;
    const sign = load<u8>(at);
    if (sign == MINUS || sign == PLUS) at += 1;
    const digitsAt = at;
    let exponent: i32 = 0;
    for (let digit = u32(load<u8>(at)) - ZERO; digit < 10; digit = u32(load<u8>(at)) - ZERO) {
      exponent = min(10 * exponent + i32(digit), EXPONENT_MAX);
      at += 1;
    }
    if (at == digitsAt) return 0;
    k += sign == MINUS ? -exponent : exponent;
  }
  const size = scaled(w, k);
  if (size == UNDECIDED || (dropped > 0 && scaled(w + 1, k) != size)) return 0;
  bits = size | (u64(isNegative) << 63);
  return at;
}

/** The float64 nearest to w·10^k. */
function scaled(w: u64, k: i32): u64 {
  if (w == 0) return 0;
  if (k < POWER_MIN || k > POWER_MAX) return UNDECIDED;
  const power = powerOfTen(k);
  const gHigh = load<u64>(power),
    gLow = load<u64>(power, 8);
  const shift = clz(w);
  const x = w << shift;
  const low = gHigh * x;
  let middle = low + multiplyHigh(gLow, x);
  let high = multiplyHigh(gHigh, x) + u64(middle < low);
  let exponent = binaryExponent(k) + i32(CUT_BITS) + 1 - i32(shift) + EXPONENT_BIAS;
  if (high >> 63 == 0) {
    high = (high << 1) | (middle >> 63);
    middle <<= 1;
    exponent -= 1;
  }
  // the exact product lies below this one by less than 2 in `middle`: below the half, or on it, or above
  if ((high & CUT) == HALF && middle <= 2) return UNDECIDED;
  let fraction = high >> CUT_BITS;
  if ((high & CUT) >= HALF) fraction += 1;
  if (fraction >> (FRACTION_BITS + 1) != 0) {
    fraction >>= 1;
    exponent += 1;
  }
  if (exponent < 1 || exponent >= EXPONENT_LIMIT) return UNDECIDED;
  return (u64(exponent) << FRACTION_BITS) | (fraction & ((u64(1) << FRACTION_BITS) - 1));
}
