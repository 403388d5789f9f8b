import { ByteReader } from './byte-reader.js';

const FLOAT_BYTES = 4;

/** How lengths stand around records: of 32 or 64 bits, in either order of bytes, as compiler and machine have it. */
interface Layout {
  readonly lengthBytes: 4 | 8;
  readonly isLittleEndian: boolean;
}

const USUAL: Layout = { lengthBytes: 4, isLittleEndian: true };
const LAYOUTS: readonly Layout[] = [
  USUAL,
  { lengthBytes: 4, isLittleEndian: false },
  { lengthBytes: 8, isLittleEndian: true },
  { lengthBytes: 8, isLittleEndian: false },
];

/** Reads a Fortran sequential unformatted file: each record stands between two equal lengths. */
export class FortranRecords {
  private readonly reader: ByteReader;
  private readonly layout: Layout;
  /** Number of the last record read, from 1, and where it begins. */
  private record = 0;
  private start = 0;

  constructor(
    bytes: Uint8Array,
    readonly fileName: string,
  ) {
    this.layout = LAYOUTS.find((layout) => beginsWithRecord(bytes, layout)) ?? USUAL;
    this.reader = new ByteReader(bytes, fileName, this.layout.isLittleEndian);
  }

  get hasMore(): boolean {
    return this.reader.remainingBytes > 0;
  }

  /** Of the last record read, for messages. */
  get place(): string {
    return `record ${this.record} (byte ${this.start})`;
  }

  /** @throws OutputError `UNREADABLE`, naming file, record and byte */
  fail(message: string): never {
    return this.reader.fail(`${this.place}: ${message}`);
  }

  /** The next record. @throws OutputError `UNREADABLE` */
  next(): ByteReader {
    const { lengthBytes, isLittleEndian } = this.layout;
    this.record += 1;
    this.start = this.reader.offset;
    if (this.reader.remainingBytes < lengthBytes) this.fail('is missing');
    const sizeBytes = this.length();
    if (sizeBytes < 0 || sizeBytes + lengthBytes > this.reader.remainingBytes) {
      this.fail(`is cut short: it should have ${sizeBytes} bytes, and the file ends`);
    }
    const payload = this.reader.take(sizeBytes);
    if (this.length() !== sizeBytes) this.fail('ends with another length than it begins with');
    return new ByteReader(payload, this.fileName, isLittleEndian);
  }

  /** The next record, of so many 32-bit reals and nothing else. @throws OutputError `UNREADABLE` */
  float32s(count: number): Float64Array {
    const record = this.next();
    if (record.remainingBytes !== count * FLOAT_BYTES) {
      this.fail(`has ${record.remainingBytes} bytes and not ${count} numbers`);
    }
    return record.float32s(count);
  }

  private length(): number {
    return this.layout.lengthBytes === 4 ? this.reader.int32() : this.reader.int64();
  }
}

/** Whether a file begins with a whole record, whatever is in it. */
export function beginsWithFortranRecord(bytes: Uint8Array): boolean {
  return LAYOUTS.some((layout) => beginsWithRecord(bytes, layout));
}

function beginsWithRecord(bytes: Uint8Array, { lengthBytes, isLittleEndian }: Layout): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lengthAt = (at: number): bigint =>
    lengthBytes === 4 ? BigInt(view.getInt32(at, isLittleEndian)) : view.getBigInt64(at, isLittleEndian);
  if (bytes.length < 2 * lengthBytes) return false;
  const sizeBytes = lengthAt(0);
  if (sizeBytes < 0n || sizeBytes > BigInt(bytes.length - 2 * lengthBytes)) return false;
  return lengthAt(lengthBytes + Number(sizeBytes)) === sizeBytes;
}
