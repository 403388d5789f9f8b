/** Bytes of little-endian numbers and of texts, one after the other. */
export class ByteBuilder {
  private readonly parts: Buffer[] = [];

  /** Text filled up with `fill`, or cut, to so many bytes. */
  text(text: string, sizeBytes: number, fill = '\0'): this {
    this.parts.push(Buffer.from(text.slice(0, sizeBytes).padEnd(sizeBytes, fill), 'latin1'));
    return this;
  }

  int32(...values: number[]): this {
    this.parts.push(Buffer.from(Int32Array.from(values).buffer));
    return this;
  }

  int64(...values: number[]): this {
    this.parts.push(Buffer.from(BigInt64Array.from(values, BigInt).buffer));
    return this;
  }

  float32(...values: number[]): this {
    this.parts.push(Buffer.from(Float32Array.from(values).buffer));
    return this;
  }

  float64(...values: number[]): this {
    this.parts.push(Buffer.from(Float64Array.from(values).buffer));
    return this;
  }

  bytes(bytes: Uint8Array): this {
    this.parts.push(Buffer.from(bytes));
    return this;
  }

  build(): Buffer {
    return Buffer.concat(this.parts);
  }
}
