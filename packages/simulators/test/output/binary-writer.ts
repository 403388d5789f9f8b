/** Of numbers, and of the lengths around Fortran records. */
interface Layout {
  readonly isBigEndian?: boolean;
  readonly lengthBytes?: 4 | 8;
}

/** Writes binary files byte by byte as the layout tables say: written apart from the readers. */
export class BinaryWriter {
  private readonly parts: Buffer[] = [];

  constructor(private readonly layout: Layout = {}) {}

  i32(...values: number[]): this {
    return this.each(values, 4, (buffer, value) =>
      this.layout.isBigEndian === true ? buffer.writeInt32BE(value) : buffer.writeInt32LE(value),
    );
  }

  f32(...values: number[]): this {
    return this.each(values, 4, (buffer, value) =>
      this.layout.isBigEndian === true ? buffer.writeFloatBE(value) : buffer.writeFloatLE(value),
    );
  }

  f64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) =>
      this.layout.isBigEndian === true ? buffer.writeDoubleBE(value) : buffer.writeDoubleLE(value),
    );
  }

  u64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) =>
      this.layout.isBigEndian === true
        ? buffer.writeBigUInt64BE(BigInt(value))
        : buffer.writeBigUInt64LE(BigInt(value)),
    );
  }

  i64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) =>
      this.layout.isBigEndian === true ? buffer.writeBigInt64BE(BigInt(value)) : buffer.writeBigInt64LE(BigInt(value)),
    );
  }

  /** Text in so many bytes, filled up with `fill`. */
  text(text: string, sizeBytes: number, fill = '\0'): this {
    this.parts.push(Buffer.from(text.padEnd(sizeBytes, fill), 'latin1'));
    return this;
  }

  /** A Fortran record around what `write` writes. */
  record(write: (payload: BinaryWriter) => void): this {
    const payload = new BinaryWriter(this.layout);
    write(payload);
    const bytes = payload.bytes();
    const length = (): this => (this.layout.lengthBytes === 8 ? this.i64(bytes.length) : this.i32(bytes.length));
    length();
    this.parts.push(bytes);
    return length();
  }

  bytes(): Buffer {
    return Buffer.concat(this.parts);
  }

  private each(values: number[], size: number, write: (buffer: Buffer, value: number) => void): this {
    for (const value of values) {
      const buffer = Buffer.alloc(size);
      write(buffer, value);
      this.parts.push(buffer);
    }
    return this;
  }
}
