/* The text of lists of numbers. */
import { DECIMAL_BYTES, DECIMALS_MAX, findDecimals } from './decimal';
import { pairDigits, writeDecimal, writeWhole, ZERO } from './digits';
import { DECIMALS, NUMBERS, PREFIX, TEXT } from './layout';

const COMMA: u8 = 0x2c;
const LINE_FEED: u8 = 0x0a;
/** `null` */
const NULL: u32 = 0x6c6c756e;
const EXPONENT_BITS: u64 = 0x7ff0000000000000;

let end: usize = TEXT;

/** Starts a new text. */
export function clear(): void {
  end = TEXT;
}

/** Where the text ends. */
export function textEnd(): usize {
  return end;
}

/** Takes over text that was put at {@link textEnd}. */
export function extend(bytes: usize): void {
  end += bytes;
}

/**
 * Writes `count` numbers, a comma before each but the first of a list (`isFirst`). What is not finite becomes `0`, or `null`
 * where `hasNulls`.
 */
export function appendNumbers(count: i32, isFirst: bool, hasNulls: bool): void {
  let at = end;
  let from = NUMBERS;
  const stop = NUMBERS + (usize(count) << 3);
  let lastBytes: usize = 0;
  while (from < stop) {
    // numbers like the one before them are copied; the text of the first of a list has no comma
    const first = from;
    if (from > NUMBERS + usize(isFirst) * 8) {
      const bits = load<u64>(from - 8);
      while (from < stop && load<u64>(from) == bits) from += 8;
    }
    if (from > first) {
      const runEnd = at + ((from - first) >> 3) * lastBytes;
      repeat(at, runEnd, lastBytes);
      at = runEnd;
      continue;
    }
    // the others are found together
    const limit = min(stop, from + (usize(DECIMALS_MAX) << 3));
    do from += 8;
    while (from < limit && load<u64>(from) != load<u64>(from - 8));
    findDecimals(first, i32((from - first) >> 3));
    let decimal = DECIMALS;
    for (let number = first; number < from; number += 8, decimal += DECIMAL_BYTES) {
      const start = at;
      store<u8>(at, COMMA);
      if (number > NUMBERS || !isFirst) at++;
      at = writeNumber(load<u64>(number), decimal, hasNulls, at);
      lastBytes = at - start;
    }
  }
  end = at;
}

/**
 * Writes `count` whole numbers, `from`, `from` + 1 … up to 2^53 at most, a comma before each but the first of a list
 * (`isFirst`). `from` is at least 1.
 */
export function appendCounted(from: f64, count: i32, isFirst: bool): void {
  let at = end;
  let value = u64(from);
  const stop = value + u64(count);
  if (isFirst && value < stop) at = writeWhole(value++, at);
  for (; value < stop && value < 100; value++) {
    store<u8>(at, COMMA);
    at = writeWhole(value, at + 1);
  }
  // up to the next hundred all but the last two digits stay: with their comma at most 15 bytes
  while (value < stop) {
    const hundreds = value / 100;
    store<u8>(at, COMMA);
    const bytes = writeWhole(hundreds, at + 1) - at;
    const start = v128.load(at);
    const next = min(stop, 100 * (hundreds + 1));
    for (let pair = u32(value - 100 * hundreds); value < next; value++, pair++) {
      v128.store(at, start);
      store<u16>(at + bytes, pairDigits(pair));
      at += bytes + 2;
    }
  }
  end = at;
}

/**
 * Writes rows of numbers with a comma between any two, each row behind the text that lies at `PREFIX` and before a line feed.
 * What is not finite is left empty.
 */
export function appendRows(rows: i32, columns: i32, prefixBytes: usize): void {
  let at = end;
  let from = NUMBERS;
  for (let row = 0; row < rows; row++) {
    memory.copy(at, PREFIX, prefixBytes);
    at += prefixBytes;
    for (let column = 0; column < columns; column++, from += 8) {
      if (column > 0) store<u8>(at++, COMMA);
      const place = column % DECIMALS_MAX;
      if (place == 0) findDecimals(from, min(DECIMALS_MAX, columns - column));
      const bits = load<u64>(from);
      if (isFiniteNumber(bits)) at = writeDecimal(DECIMALS + usize(place) * DECIMAL_BYTES, bits >> 63 != 0, at);
    }
    store<u8>(at++, LINE_FEED);
  }
  end = at;
}

/** Fills what lies between with the `bytes` bytes before it, again and again: each copy is as long as what there is. */
function repeat(start: usize, stop: usize, bytes: usize): void {
  const source = start - bytes;
  for (let at = start; at < stop; ) {
    const size = min(at - source, stop - at);
    memory.copy(at, source, size);
    at += size;
  }
}

function writeNumber(bits: u64, decimal: usize, hasNulls: bool, at: usize): usize {
  if (isFiniteNumber(bits)) return writeDecimal(decimal, bits >> 63 != 0, at);
  if (hasNulls) {
    store<u32>(at, NULL);
    return at + 4;
  }
  store<u8>(at, ZERO);
  return at + 1;
}

function isFiniteNumber(bits: u64): bool {
  return (bits & EXPONENT_BITS) != EXPONENT_BITS;
}
