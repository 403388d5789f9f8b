/*
 * One block of deflate data with dynamic Huffman codes (RFC 1951, 3.2.7) from a text of numbers: digits are noise in which no
 * string comes twice, so literals are coded one by one, and only repeated numbers, which the text knows of, as matches.
 */
import { BYTE_COUNTS, CODES, COUNTS, DISTANCE_CODES, LENGTH_CODES, PAIR_CODES, RUNS, TEXT } from './layout';
import { runsEnd, textEnd } from './text';

const MATCH_BYTES_MIN: usize = 3;
const MATCH_BYTES_MAX: usize = 258;
const END_OF_BLOCK: usize = 256;
const LENGTH_SYMBOL_MAX: usize = 285;

function count(symbol: usize): void {
  const at = COUNTS + (symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Symbol of a length (RFC 1951, 3.2.5). */
function lengthSymbol(length: usize): usize {
  if (length == MATCH_BYTES_MAX) return LENGTH_SYMBOL_MAX;
  if (length < 11) return 254 + length;
  const offset = u32(length - 3);
  const extra = 29 - clz(offset);
  return 257 + usize((extra << 2) + (offset >> extra));
}

/** Length of the next match of what is left of a run; 0: the rest is too short for one. */
function nextMatch(left: usize): usize {
  if (left < MATCH_BYTES_MIN) return 0;
  return left < MATCH_BYTES_MAX ? left : MATCH_BYTES_MAX;
}

/** Counts the symbols of the text, for its codes. */
export function countSymbols(): void {
  memory.fill(COUNTS, 0, (LENGTH_SYMBOL_MAX + 1) << 2);
  memory.fill(BYTE_COUNTS, 0, 4 << 10);
  let at = TEXT;
  for (let run = RUNS; run < runsEnd; run += 12) {
    at = countLiterals(at, load<u32>(run));
    const stop: usize = load<u32>(run, 4);
    for (let length = nextMatch(stop - at); length != 0; length = nextMatch(stop - at)) {
      count(lengthSymbol(length));
      at += length;
    }
  }
  countLiterals(at, textEnd());
  for (let byte: usize = 0; byte < 1024; byte += 4) {
    const counted = BYTE_COUNTS + byte;
    const sum = load<u32>(counted) + load<u32>(counted, 1024) + load<u32>(counted, 2048) + load<u32>(counted, 3072);
    store<u32>(COUNTS + byte, sum);
  }
  count(END_OF_BLOCK);
}

/** Four counts of each byte, so that the count of a digit need not wait for that of the same digit before it. */
function countLiterals(from: usize, to: usize): usize {
  let at = from;
  for (; at + 4 <= to; at += 4) {
    const four = load<u32>(at);
    const first = BYTE_COUNTS + (usize(four & 0xff) << 2),
      second = BYTE_COUNTS + (usize((four >> 8) & 0xff) << 2),
      third = BYTE_COUNTS + (usize((four >> 16) & 0xff) << 2),
      fourth = BYTE_COUNTS + (usize(four >> 24) << 2);
    store<u32>(first, load<u32>(first) + 1);
    store<u32>(second, load<u32>(second, 1024) + 1, 1024);
    store<u32>(third, load<u32>(third, 2048) + 1, 2048);
    store<u32>(fourth, load<u32>(fourth, 3072) + 1, 3072);
  }
  for (; at < to; at++) {
    const counted = BYTE_COUNTS + (usize(load<u8>(at)) << 2);
    store<u32>(counted, load<u32>(counted) + 1);
  }
  return to;
}

let bits: u64 = 0;
let bitCount: u64 = 0;
let out: usize = 0;

function put(code: u32): void {
  bits |= u64(code & 0xffffff) << bitCount;
  bitCount += u64(code >> 24);
}

/** Makes room for 56 bits. */
function flush(): void {
  store<u64>(out, bits);
  out += usize(bitCount >> 3);
  bits >>= bitCount & ~u64(7);
  bitCount &= 7;
}

function codeOf(byte: u32): u32 {
  return load<u32>(CODES + (usize(byte) << 2));
}

/** Codes of all pairs of bytes that have a code, each of at most nine bits. */
function makePairs(): void {
  for (let first: u32 = 0; first < 256; first++) {
    const before = codeOf(first);
    if (before == 0) continue;
    const length = before >> 24;
    for (let second: u32 = 0; second < 256; second++) {
      const behind = codeOf(second);
      if (behind == 0) continue;
      const code = (before & 0xffffff) | ((behind & 0xffffff) << length);
      store<u32>(PAIR_CODES + (usize(first | (second << 8)) << 2), code | ((length + (behind >> 24)) << 24));
    }
  }
}

function pairAt(at: usize): u32 {
  return load<u32>(PAIR_CODES + (usize(load<u16>(at)) << 2));
}

/** The loop that all bytes go through: what it changes is kept in locals. Six bytes have at most 54 bits, beside 7 of before. */
function putLiterals(from: usize, to: usize): usize {
  let own = bits,
    ownCount = bitCount,
    at = from,
    ownOut = out;
  for (; at + 6 <= to; at += 6) {
    const first = pairAt(at),
      second = pairAt(at + 2),
      third = pairAt(at + 4);
    own |= u64(first & 0xffffff) << ownCount;
    ownCount += u64(first >> 24);
    own |= u64(second & 0xffffff) << ownCount;
    ownCount += u64(second >> 24);
    own |= u64(third & 0xffffff) << ownCount;
    ownCount += u64(third >> 24);
    store<u64>(ownOut, own);
    ownOut += usize(ownCount >> 3);
    own >>= ownCount & ~u64(7);
    ownCount &= 7;
  }
  bits = own;
  bitCount = ownCount;
  out = ownOut;
  for (; at < to; at++) {
    put(codeOf(load<u8>(at)));
    flush();
  }
  return at;
}

/**
 * Writes the coded text at `from`, behind the `startCount` (at most 7) bits `startBits` that its first byte already has, the
 * end of the block, and an empty stored block, which ends at a byte. Returns where the data ends.
 */
export function encode(from: usize, startBits: u32, startCount: u32): usize {
  makePairs();
  bits = startBits;
  bitCount = startCount;
  out = from;
  let at = TEXT;
  for (let run = RUNS; run < runsEnd; run += 12) {
    at = putLiterals(at, load<u32>(run));
    const stop: usize = load<u32>(run, 4);
    const distance = load<u32>(DISTANCE_CODES + (usize(load<u32>(run, 8)) << 2));
    for (let length = nextMatch(stop - at); length != 0; length = nextMatch(stop - at)) {
      put(load<u32>(LENGTH_CODES + (length << 2)));
      put(distance);
      flush();
      at += length;
    }
  }
  putLiterals(at, textEnd());
  put(load<u32>(CODES + (END_OF_BLOCK << 2)));
  put(3 << 24); // not final, stored
  flush();
  if (bitCount > 0) {
    bitCount = 8;
    flush();
  }
  store<u32>(out, 0xffff0000);
  return out + 4;
}
