/* The inside of a JSON string (RFC 8259, section 7): text escaped as JSON.stringify does it, and unescaped as JSON.parse does it. */
import { ZERO } from './digits';
import { NUMBERS } from './layout';
import { BLANK, extend, LINE_FEED, RETURN, TAB, textEnd } from './text';

const BACKSPACE: u8 = 0x08;
const FORM_FEED: u8 = 0x0c;
const QUOTE: u8 = 0x22;
const BACKSLASH: u8 = 0x5c;
const SLASH: u8 = 0x2f;
/** `\u00` */
const CODE: u32 = 0x3030755c;
const LETTER_A: u8 = 0x61;
const LETTER_U: u8 = 0x75;
/** U+FFFD, the replacement character. */
const REPLACEMENT: u32 = 0xfffd;

/** A bit for each of sixteen bytes that is to be escaped: below a blank, a quote or a backslash. All others stay, those of UTF-8, too. */
function escapedBits(sixteen: v128): i32 {
  const controls = i8x16.lt_u(sixteen, i8x16.splat(BLANK)),
    quotes = i8x16.eq(sixteen, i8x16.splat(QUOTE)),
    slashes = i8x16.eq(sixteen, i8x16.splat(BACKSLASH));
  return i8x16.bitmask(v128.or(controls, v128.or(quotes, slashes)));
}

/** Copies bytes up to the first that is to be escaped, at most 16 and not beyond `stop`; what it writes behind them is written over. */
function copyPlain(from: usize, stop: usize, at: usize): usize {
  const sixteen = v128.load(from);
  v128.store(at, sixteen);
  const bits = escapedBits(sixteen);
  return min<usize>(bits == 0 ? 16 : usize(ctz(bits)), stop - from);
}

/** Appends the text of so many bytes at `NUMBERS`: at most six bytes for each. */
export function appendEscaped(bytes: usize): void {
  const start = textEnd();
  let at = start;
  let from = NUMBERS;
  const stop = NUMBERS + bytes;
  while (from < stop) {
    const plain = copyPlain(from, stop, at);
    at += plain;
    from += plain;
    if (plain < 16 && from < stop) at = writeEscape(load<u8>(from++), at);
  }
  extend(at - start);
}

function writeEscape(byte: u8, at: usize): usize {
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

/**
 * Appends what the inside of a JSON string of so many bytes at `NUMBERS` says; no more bytes than it has. A surrogate without
 * its other half is U+FFFD, as where a string becomes UTF-8 (WHATWG Encoding, "USVString").
 * @returns how many bytes it has read: it stops before a quote, a control character, and an escape that is none or is cut off
 */
export function appendUnescaped(bytes: usize): usize {
  const start = textEnd();
  let at = start;
  let from = NUMBERS;
  const stop = NUMBERS + bytes;
  while (from < stop) {
    const plain = copyPlain(from, stop, at);
    at += plain;
    from += plain;
    if (plain == 16 || from == stop) continue;
    if (load<u8>(from) != BACKSLASH || from + 1 == stop) break;
    const letter = load<u8>(from, 1);
    if (letter == LETTER_U) {
      const end = appendCode(from, stop, at);
      if (end == 0) break;
      at = end;
      from = codeEnd;
      continue;
    }
    const byte = byteOf(letter);
    if (byte == 0) break;
    store<u8>(at, byte);
    at += 1;
    from += 2;
  }
  extend(at - start);
  return from - NUMBERS;
}

/** What a letter behind a backslash stands for; 0: nothing. */
function byteOf(letter: u8): u8 {
  if (letter == 0x6e) return LINE_FEED; // n
  if (letter == QUOTE || letter == BACKSLASH || letter == SLASH) return letter;
  if (letter == 0x74) return TAB; // t
  if (letter == 0x72) return RETURN; // r
  if (letter == 0x62) return BACKSPACE; // b
  return letter == 0x66 ? FORM_FEED : 0; // f
}

/** Up to where {@link appendCode} has read. */
let codeEnd: usize = 0;

/** Writes the character of the `\u` escape at `from`, or of two that are a pair. @returns where it ends; 0: it is none or is cut off */
function appendCode(from: usize, stop: usize, at: usize): usize {
  const code = readCode(from, stop);
  if (code < 0) return 0;
  codeEnd = from + 6;
  if ((code & 0xf800) != 0xd800) return writeCharacter(u32(code), at);
  const isAlone =
    codeEnd < stop && (load<u8>(codeEnd) != BACKSLASH || (codeEnd + 1 < stop && load<u8>(codeEnd, 1) != LETTER_U));
  if (code >= 0xdc00 || isAlone) return writeCharacter(REPLACEMENT, at);
  const low = readCode(codeEnd, stop);
  if (low < 0) return 0;
  if ((low & 0xfc00) != 0xdc00) return writeCharacter(REPLACEMENT, at);
  codeEnd += 6;
  return writeCharacter(0x10000 + (u32(code & 0x3ff) << 10) + u32(low & 0x3ff), at);
}

/** The four digits of the `\u` escape at `from`; -1: they are none or not all there. */
function readCode(from: usize, stop: usize): i32 {
  if (from + 6 > stop) return -1;
  let code: i32 = 0;
  for (let digit = from + 2; digit < from + 6; digit++) {
    const byte = i32(load<u8>(digit));
    const small = byte | 0x20;
    const value = byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
    if (value < 0) return -1;
    code = (code << 4) | value;
  }
  return code;
}

/** Writes UTF-8 (RFC 3629, section 3). @returns where it ends */
function writeCharacter(code: u32, at: usize): usize {
  if (code < 0x80) {
    store<u8>(at, u8(code));
    return at + 1;
  }
  const more: u32 = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  let rest = code;
  for (let place = more; place > 0; place--) {
    store<u8>(at + place, u8(0x80 | (rest & 0x3f)));
    rest >>= 6;
  }
  store<u8>(at, u8((0xff00 >> (more + 1)) | rest));
  return at + more + 1;
}
