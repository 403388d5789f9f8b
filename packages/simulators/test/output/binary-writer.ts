/** Writes binary files byte by byte as the layout tables say: written apart from the readers. */
export class BinaryWriter {
  private readonly parts: Buffer[] = [];

  i32(...values: number[]): this {
    return this.each(values, 4, (buffer, value) => buffer.writeInt32LE(value));
  }

  f32(...values: number[]): this {
    return this.each(values, 4, (buffer, value) => buffer.writeFloatLE(value));
  }

  f64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) => buffer.writeDoubleLE(value));
  }

  u64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) => buffer.writeBigUInt64LE(BigInt(value)));
  }

  i64(...values: number[]): this {
    return this.each(values, 8, (buffer, value) => buffer.writeBigInt64LE(BigInt(value)));
  }

  /** Text in so many bytes, filled up with `fill`. */
  text(text: string, sizeBytes: number, fill = '\0'): this {
    this.parts.push(Buffer.from(text.padEnd(sizeBytes, fill), 'latin1'));
    return this;
  }

  /** A Fortran record around what `write` writes. */
  record(write: (payload: BinaryWriter) => void): this {
    const payload = new BinaryWriter();
    write(payload);
    const bytes = payload.bytes();
    this.i32(bytes.length);
    this.parts.push(bytes);
    return this.i32(bytes.length);
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
