import { ByteReader } from '../../output/byte-reader.js';

/** Tags that are read; the others are skipped. */
export const TAG = {
  primaries: 0xaa00,
  geometryType: 0xe000,
  start: 0xe002,
  stop: 0xe003,
  bins: 0xe004,
  zones: 0xe007,
  grid: 0xe008,
  axisUnits: 0xe009,
  pageCount: 0xee02,
  rescale: 0xee03,
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
  differentialUnits: 0xddd5,
  filter: 0xddf0,
  data: 0xddbb,
  // of BDO2016, which has no pages
  oldGeometryType: 0xdd00,
  oldBins: 0xdd01,
  oldParticle: 0xdd02,
  oldType: 0xdd03,
  oldParticleZ: 0xdd04,
  oldParticleA: 0xdd05,
  oldDifferentialBins: 0xdd07,
  oldDifferentialType: 0xdd08,
  oldFirstZone: 0xdd09,
  oldStart: 0xdd0c,
  oldStop: 0xdd0d,
  oldDifferentialLower: 0xdd0e,
  oldDifferentialUpper: 0xdd0f,
} as const;

const KNOWN_TAGS: ReadonlySet<number> = new Set(Object.values(TAG));

/** One item of the file: numbers or text. */
export interface BdoToken {
  readonly numbers: readonly number[];
  readonly text: string;
}

/** Items by tag. */
export type BdoTokens = Map<number, BdoToken>;

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
/** No item that is kept, but for the data, has as many. */
const NUMBERS_MAX = 65_536;

/** Whether a file is one of items, as those since 2016 are. */
export function hasBdoMagic(bytes: Uint8Array): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, MAGIC_BYTES)) === MAGIC;
}

/** @throws OutputError `UNREADABLE` when the file does not begin as such a file does */
export function openBdo(bytes: Uint8Array, fileName: string): ByteReader {
  const head = new ByteReader(bytes, fileName);
  if (head.text(MAGIC_BYTES) !== MAGIC) head.fail(`does not begin with ${MAGIC}`);
  const order = head.text(ORDER_BYTES);
  if (order !== 'II' && order !== 'MM') head.fail(`has at byte ${MAGIC_BYTES} the byte order ${JSON.stringify(order)}`);
  const reader = new ByteReader(bytes, fileName, order === 'II');
  reader.skip(MAGIC_BYTES + ORDER_BYTES + VERSION_BYTES);
  return reader;
}

export function readTokenHead(reader: ByteReader): BdoTokenHead {
  const tag = reader.uint64();
  const type = reader.text(TYPE_BYTES);
  return { tag, type, count: reader.uint64() };
}

/** @returns `undefined` for an item that is not known: a file may have any number of them. @throws OutputError `UNREADABLE` */
export function readToken(reader: ByteReader, { tag, type, count }: BdoTokenHead): BdoToken | undefined {
  const [, letter = '', size] = /^[<>|=]?([a-zA-Z])(\d{1,9})$/.exec(type) ?? [];
  if (size === undefined) return failAt(reader, `an item of the type ${JSON.stringify(type)}`);
  const sizeBytes = Number(size);
  const read = numberReader(reader, letter, sizeBytes);
  if (!KNOWN_TAGS.has(tag) || (letter !== 'S' && (read === undefined || count > NUMBERS_MAX))) {
    reader.skip(count * sizeBytes);
    return undefined;
  }
  if (letter === 'S' || read === undefined) return { numbers: [], text: reader.text(sizeBytes * count) };
  return { numbers: Array.from({ length: count }, read), text: '' };
}

/** The data of a page. @throws OutputError `UNREADABLE` */
export function readData(reader: ByteReader, { type, count }: BdoTokenHead): Float64Array {
  if (/^[<>|=]?f8$/.test(type)) return reader.float64s(count);
  if (/^[<>|=]?f4$/.test(type)) return reader.float32s(count);
  return failAt(reader, `data of the type ${JSON.stringify(type)}, not <f8`);
}

/** The first number of an item; undefined where there is none. */
export function numberOf(tokens: BdoTokens, tag: number): number | undefined {
  return tokens.get(tag)?.numbers[0];
}

/** @throws OutputError `UNREADABLE`, naming the byte */
export function failAt(reader: ByteReader, what: string): never {
  return reader.fail(`has before byte ${reader.offset} ${what}`);
}

function numberReader(reader: ByteReader, letter: string, sizeBytes: number): (() => number) | undefined {
  switch (`${letter}${sizeBytes}`) {
    case 'f8':
      return () => reader.float64();
    case 'f4':
      return () => reader.float32();
    case 'i8':
      return () => reader.int64();
    case 'u8':
      return () => reader.uint64();
    case 'i4':
      return () => reader.int32();
    default:
      return undefined;
  }
}
