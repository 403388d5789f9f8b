import type { NumberModule } from '@tally/number-text';
import { codeLengths, packedCodes } from './huffman.js';

/** Symbols of literals, end of block and lengths; symbols of distances. */
const SYMBOL_COUNT = 286;
const DISTANCE_COUNT = 16;
/** Longest code of the block: two of them in a row are looked up at once. */
const BITS_MAX = 9;
const MATCH_BYTES_MIN = 3;
const MATCH_BYTES_MAX = 258;
/** Texts of two numbers in a row are no further apart. */
const DISTANCE_MAX = 31;

/**
 * One block of deflate data of the module's text, which ends at a byte (RFC 1951; see packages/number-text/assembly/deflate.ts). Ten to thirty
 * times faster than zlib's level 1 and as small, for text of numbers; for other text larger.
 */
export function deflateText(module: NumberModule): Buffer {
  module.countSymbols();
  const counts = module.words.subarray(module.COUNTS.value / 4, module.COUNTS.value / 4 + SYMBOL_COUNT);
  const lengths = codeLengths(counts, BITS_MAX);
  const codes = packedCodes(lengths);
  module.words.set(codes, module.CODES.value / 4);
  module.words.set(lengthCodes(codes), module.LENGTH_CODES.value / 4);
  module.words.set(DISTANCE_CODES, module.DISTANCE_CODES.value / 4);
  const header = blockHeader(lengths);
  const from = module.DATA.value;
  const wholeBytes = header.bitCount >> 3;
  module.bytes.set(header.bytes, from);
  const rest = header.bitCount & 7;
  const end = module.encode(from + wholeBytes, rest === 0 ? 0 : (header.bytes[wholeBytes] ?? 0), rest);
  return Buffer.from(module.bytes.subarray(from, end));
}

/** Extra bits and least value of the codes of lengths (from symbol 257) and distances (RFC 1951, 3.2.5). */
function extraBits(index: number, group: number): number {
  return index < 2 * group ? 0 : Math.floor(index / group) - 1;
}

/** A code of a value and its extra bits, in the form of {@link packedCodes}. */
function withExtra(code: number, extra: number, value: number): number {
  const length = code >>> 24;
  return (code & 0xff_ffff) | (value << length) | ((length + extra) << 24);
}

function lengthCodes(codes: Uint32Array): Uint32Array {
  const packed = new Uint32Array(MATCH_BYTES_MAX + 1);
  let length = MATCH_BYTES_MIN;
  for (let index = 0; index < 28; index += 1) {
    const extra = extraBits(index, 4);
    for (let value = 0; value < 1 << extra; value += 1, length += 1) {
      packed[length] = withExtra(codes[257 + index] ?? 0, extra, value);
    }
  }
  packed[MATCH_BYTES_MAX] = codes[SYMBOL_COUNT - 1] ?? 0;
  return packed;
}

/** Every distance symbol has four bits: there are few matches, and one table does for all blocks. */
const DISTANCE_CODES = (() => {
  const codes = packedCodes(new Uint8Array(DISTANCE_COUNT).fill(4));
  const packed = new Uint32Array(DISTANCE_MAX + 1);
  for (let index = 0, distance = 1; distance <= DISTANCE_MAX; index += 1) {
    const extra = extraBits(index, 2);
    for (let value = 0; value < 1 << extra && distance <= DISTANCE_MAX; value += 1, distance += 1) {
      packed[distance] = withExtra(codes[index] ?? 0, extra, value);
    }
  }
  return packed;
})();

/** Order in which the lengths of the code of code lengths are sent (RFC 1951, 3.2.7). */
const CODE_LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
/** Every code length 0 … 15 has four bits; runs of them are not used. */
const CODE_LENGTH_CODES = packedCodes(new Uint8Array(16).fill(4));

/** Header of a block with dynamic codes that is not the last one (RFC 1951, 3.2.7): 162 bytes. */
function blockHeader(lengths: Uint8Array): { bytes: Uint8Array; bitCount: number } {
  const bytes = new Uint8Array(192);
  let bitCount = 0;
  /** At most eight bits. */
  const put = (value: number, length: number) => {
    const at = bitCount >> 3;
    const bits = (bytes[at] ?? 0) | (value << (bitCount & 7));
    bytes[at] = bits;
    bytes[at + 1] = bits >> 8;
    bitCount += length;
  };
  put(0b100, 3); // not final, dynamic codes
  put(SYMBOL_COUNT - 257, 5);
  put(DISTANCE_COUNT - 1, 5);
  put(CODE_LENGTH_ORDER.length - 4, 4);
  for (const symbol of CODE_LENGTH_ORDER) put(symbol < 16 ? 4 : 0, 3);
  const putLength = (length: number) => put((CODE_LENGTH_CODES[length] ?? 0) & 0xf, 4);
  for (const length of lengths) putLength(length);
  for (let distance = 0; distance < DISTANCE_COUNT; distance += 1) putLength(4);
  return { bytes, bitCount };
}
