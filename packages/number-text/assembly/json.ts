/* Text as the inside of a JSON string (RFC 8259, section 7), escaped as JSON.stringify does it. */
import { ZERO } from './decimal';
import { NUMBERS } from './layout';
import { BLANK, extend, LINE_FEED, RETURN, TAB, textEnd } from './text';

const BACKSPACE: u8 = 0x08;
const FORM_FEED: u8 = 0x0c;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
/** `\u00` */
const CODE: u32 = 0x3030755c;
const LETTER_A: u8 = 0x61;

const ONES: u64 = 0x0101010101010101;
const HIGHEST_BITS: u64 = 0x8080808080808080;

/** Whether one of eight bytes is to be escaped: below a blank, a quote or a backslash. All others stay, those of UTF-8, too. */
function hasEscaped(eight: u64): bool {
  const quotes = eight ^ (ONES * QUOTE),
    slashes = eight ^ (ONES * BACKSLASH);
  const controls = (eight - ONES * BLANK) & ~eight;
  return ((controls | ((quotes - ONES) & ~quotes) | ((slashes - ONES) & ~slashes)) & HIGHEST_BITS) != 0;
}

/** Appends the text of so many bytes at `NUMBERS`: at most six bytes for each. */
export function appendEscaped(bytes: usize): void {
  const start = textEnd();
  let at = start;
  let from = NUMBERS;
  const stop = NUMBERS + bytes;
  while (from < stop) {
    const eight = load<u64>(from);
    if (from + 8 <= stop && !hasEscaped(eight)) {
      store<u64>(at, eight);
      at += 8;
      from += 8;
      continue;
    }
    for (const next = min(from + 8, stop); from < next; from++) at = writeByte(load<u8>(from), at);
  }
  extend(at - start);
}

function writeByte(byte: u8, at: usize): usize {
  if (byte >= BLANK && byte != QUOTE && byte != BACKSLASH) {
    store<u8>(at, byte);
    return at + 1;
  }
  const letter = letterOf(byte);
  if (letter != 0) {
    store<u8>(at, BACKSLASH);
    store<u8>(at, letter, 1);
    return at + 2;
  }
  const digit = byte & 0xf;
  store<u32>(at, CODE);
  store<u8>(at, ZERO + (byte >> 4), 4);
  store<u8>(at, digit < 10 ? ZERO + digit : LETTER_A + digit - 10, 5);
  return at + 6;
}

/** What stands behind the backslash; 0: a code. */
function letterOf(byte: u8): u8 {
  if (byte == LINE_FEED) return 0x6e; // n
  if (byte == QUOTE || byte == BACKSLASH) return byte;
  if (byte == TAB) return 0x74; // t
  if (byte == RETURN) return 0x72; // r
  if (byte == BACKSPACE) return 0x62; // b
  return byte == FORM_FEED ? 0x66 : 0; // f
}
