import { OutputError } from '../output-error.js';

const I32_BYTES = 4;
const I64_BYTES = 8;
const CHARS_MAX = 4096;

/** Reads a simulator's binary file from front to back. Everything is checked against what is there before it is taken. */
export class ByteReader {
  private readonly view: DataView;
  private position = 0;

  /** @param fileName - for errors */
  constructor(
    private readonly bytes: Uint8Array,
    readonly fileName: string,
    private readonly isLittleEndian = true,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where the next bytes are, from 0. */
  get offset(): number {
    return this.position;
  }

  get remainingBytes(): number {
    return this.bytes.byteLength - this.position;
  }

  /** @throws OutputError `UNREADABLE`, naming the file */
  fail(message: string): never {
    throw new OutputError('UNREADABLE', this.fileName, message);
  }

  /** The next bytes, not copied. @throws OutputError `UNREADABLE` when there are fewer */
  take(sizeBytes: number): Uint8Array {
    const start = this.advance(sizeBytes);
    return this.bytes.subarray(start, start + sizeBytes);
  }

  skip(sizeBytes: number): void {
    this.advance(sizeBytes);
  }

  int32(): number {
    return this.view.getInt32(this.advance(I32_BYTES), this.isLittleEndian);
  }

  float32(): number {
    return this.view.getFloat32(this.advance(I32_BYTES), this.isLittleEndian);
  }

  float64(): number {
    return this.view.getFloat64(this.advance(I64_BYTES), this.isLittleEndian);
  }

  /** An unsigned 64-bit number; one beyond 2⁵³ is as wrong as any that large. */
  uint64(): number {
    return this.safe(this.view.getBigUint64(this.advance(I64_BYTES), this.isLittleEndian));
  }

  int64(): number {
    return this.safe(this.view.getBigInt64(this.advance(I64_BYTES), this.isLittleEndian));
  }

  float32s(count: number): Float64Array {
    const start = this.advance(count * I32_BYTES);
    return Float64Array.from({ length: count }, (_, i) =>
      this.view.getFloat32(start + i * I32_BYTES, this.isLittleEndian),
    );
  }

  float64s(count: number): Float64Array {
    const start = this.advance(count * I64_BYTES);
    return Float64Array.from({ length: count }, (_, i) =>
      this.view.getFloat64(start + i * I64_BYTES, this.isLittleEndian),
    );
  }

  /** Text of so many bytes, up to its first NUL, trimmed; what is not UTF-8, and control characters, are replaced. */
  text(sizeBytes: number): string {
    const bytes = this.take(sizeBytes).subarray(0, CHARS_MAX);
    const end = bytes.indexOf(0);
    const text = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
    return text.replace(/\p{Cc}/gu, '\uFFFD').trim();
  }

  private safe(value: bigint): number {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : this.fail(`has the number ${value}, which is out of range`);
  }

  /** The position of the next bytes. The comparison holds for every number: NaN and what is negative fail too. */
  private advance(sizeBytes: number): number {
    const start = this.position;
    if (!(sizeBytes >= 0 && sizeBytes <= this.remainingBytes)) {
      this.fail(`is cut short: ${sizeBytes} bytes are missing at byte ${start}`);
    }
    this.position += sizeBytes;
    return start;
  }
}
