import { ByteReader } from './byte-reader.js';

const LENGTH_BYTES = 4;

/** Reads a Fortran sequential unformatted file: each record stands between two equal 32-bit lengths. */
export class FortranRecords {
  private readonly reader: ByteReader;
  /** Number of the last record read, from 1. */
  private record = 0;

  constructor(
    bytes: Uint8Array,
    readonly fileName: string,
  ) {
    this.reader = new ByteReader(bytes, fileName);
  }

  get hasMore(): boolean {
    return this.reader.remainingBytes > 0;
  }

  /** @throws OutputError `UNREADABLE`, naming file and record */
  fail(message: string): never {
    return this.reader.fail(`record ${this.record}: ${message}`);
  }

  /** The next record. @throws OutputError `UNREADABLE` */
  next(): ByteReader {
    this.record += 1;
    if (this.reader.remainingBytes < LENGTH_BYTES) this.fail('is missing');
    const sizeBytes = this.reader.int32();
    if (sizeBytes < 0 || sizeBytes + LENGTH_BYTES > this.reader.remainingBytes) this.fail('is cut short');
    const payload = this.reader.take(sizeBytes);
    if (this.reader.int32() !== sizeBytes) this.fail('ends with another length than it begins with');
    return new ByteReader(payload, this.fileName);
  }

  /** The next record, of so many 32-bit reals and nothing else. @throws OutputError `UNREADABLE` */
  float32s(count: number): Float64Array {
    const record = this.next();
    if (record.remainingBytes !== count * LENGTH_BYTES) {
      this.fail(`has ${record.remainingBytes} bytes and not ${count} numbers`);
    }
    return record.float32s(count);
  }
}
