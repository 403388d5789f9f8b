import { BYTES_PER_NUMBER, decodeNumbers } from '@tally/merge';

/** Reads little-endian float64 from bytes cut anywhere. */
export class NumberStream {
  readonly #carry = new Uint8Array(BYTES_PER_NUMBER);
  #carried = 0;

  /** The numbers that are complete by now, bit for bit. */
  push(bytes: Uint8Array): Float64Array {
    if (this.#carried === 0 && bytes.byteLength % BYTES_PER_NUMBER === 0) return decodeNumbers(bytes);
    const joined = new Uint8Array(this.#carried + bytes.byteLength);
    joined.set(this.#carry.subarray(0, this.#carried));
    joined.set(bytes, this.#carried);
    const wholeBytes = joined.byteLength - (joined.byteLength % BYTES_PER_NUMBER);
    this.#carry.set(joined.subarray(wholeBytes));
    this.#carried = joined.byteLength - wholeBytes;
    return decodeNumbers(joined.subarray(0, wholeBytes));
  }
}
