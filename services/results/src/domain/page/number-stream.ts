import { BYTES_PER_NUMBER } from '@tally/merge';

/** Puts numbers together from bytes cut anywhere; all stay bytes, little-endian float64. */
export class NumberStream {
  readonly #carry = new Uint8Array(BYTES_PER_NUMBER);
  #carried = 0;

  /** The bytes of the numbers that are complete by now: those that came in, unless a number was cut. */
  push(bytes: Uint8Array): Uint8Array {
    if (this.#carried === 0 && bytes.byteLength % BYTES_PER_NUMBER === 0) return bytes;
    const joined = new Uint8Array(this.#carried + bytes.byteLength);
    joined.set(this.#carry.subarray(0, this.#carried));
    joined.set(bytes, this.#carried);
    const wholeBytes = joined.byteLength - (joined.byteLength % BYTES_PER_NUMBER);
    this.#carry.set(joined.subarray(wholeBytes));
    this.#carried = joined.byteLength - wholeBytes;
    return joined.subarray(0, wholeBytes);
  }
}
