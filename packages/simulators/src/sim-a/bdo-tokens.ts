import { ByteReader } from '../output/byte-reader.js';

/** Tags that are read; the others are skipped. */
export const TAG = {
  format: 0x0005,
  primaries: 0xaa00,
  geometryType: 0xe000,
  start: 0xe002,
  stop: 0xe003,
  bins: 0xe004,
  grid: 0xe008,
  pageCount: 0xee02,
  page: 0xdd30,
  pageNumber: 0xdd31,
  normalisation: 0xdd32,
  units: 0xdd37,
  dataUnit: 0xddbc,
  differentialScale: 0xddd0,
  differentialType: 0xddd1,
  differentialLower: 0xddd2,
  differentialUpper: 0xddd3,
  differentialBins: 0xddd4,
  data: 0xddbb,
} as const;

/** One item of the file: numbers or text. */
export interface BdoToken {
  readonly tag: number;
  readonly numbers: readonly number[];
  readonly text: string;
}

/** The tag, type and count of an item whose payload comes next. */
export interface BdoTokenHead {
  readonly tag: number;
  readonly type: string;
  readonly count: number;
}

const MAGIC = 'xSH12A';
const MAGIC_BYTES = 6;
const ORDER_BYTES = 2;
const VERSION_BYTES = 16;
const TYPE_BYTES = 8;
const NUMBER_BYTES = 8;
/** No item that is read, but for the data, has as many. */
const NUMBERS_MAX = 16;

/** @throws OutputError `UNREADABLE` when the file does not begin as such a file does */
export function openBdo(bytes: Uint8Array, fileName: string): ByteReader {
  const head = new ByteReader(bytes, fileName);
  if (head.text(MAGIC_BYTES) !== MAGIC) head.fail('is no BDO file (or one of before 2016, which is not read)');
  const order = head.text(ORDER_BYTES);
  if (order !== 'II' && order !== 'MM') head.fail(`has the byte order ${JSON.stringify(order)}`);
  const reader = new ByteReader(bytes, fileName, order === 'II');
  reader.skip(MAGIC_BYTES + ORDER_BYTES + VERSION_BYTES);
  return reader;
}

export function readTokenHead(reader: ByteReader): BdoTokenHead {
  const tag = reader.uint64();
  const type = reader.text(TYPE_BYTES);
  return { tag, type, count: reader.uint64() };
}

/** @throws OutputError `UNREADABLE` */
export function readToken(reader: ByteReader, { tag, type, count }: BdoTokenHead): BdoToken {
  const [, order, letter = '', size] = /^([<>|=]?)([ifS])(\d{1,9})$/.exec(type) ?? [];
  if (order === undefined) return reader.fail(`has an item of the unknown type ${JSON.stringify(type)}`);
  const sizeBytes = Number(size);
  if (letter === 'S') return { tag, numbers: [], text: reader.text(sizeBytes * count) };
  if (sizeBytes !== NUMBER_BYTES) return reader.fail(`has numbers of ${sizeBytes} bytes`);
  const read = letter === 'f' ? () => reader.float64() : () => reader.int64();
  const taken = Math.min(count, NUMBERS_MAX);
  const numbers = Array.from({ length: isKnown(tag) ? taken : 0 }, read);
  reader.skip((count - numbers.length) * sizeBytes);
  return { tag, numbers, text: '' };
}

/** The data of a page. @throws OutputError `UNREADABLE` */
export function readData(reader: ByteReader, { type, count }: BdoTokenHead): Float64Array {
  return /^[<>]?f8$/.test(type) ? reader.float64s(count) : reader.fail(`has data of the type ${JSON.stringify(type)}`);
}

/** Others are not kept: a file may have any number of them. */
export function isKnown(tag: number): boolean {
  return Object.values<number>(TAG).includes(tag);
}
