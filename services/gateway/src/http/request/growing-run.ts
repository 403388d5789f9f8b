/** Numbers of one list in turn; null, NaN and infinities are NaN. */
export type NumberRun = Float64Array;

/** More numbers than these are kept where they can grow in place, 8 MiB. */
const MOVED_NUMBERS_MAX = 1_048_576;
/** How much a large run grows at a time, bytes. */
const STEP_BYTES = 4 * 1024 * 1024;
const { BYTES_PER_ELEMENT } = Float64Array;

/** ES2024, and in Node 20: memory that grows in place; what it has not grown to takes addresses only. */
type ResizableMemory = ArrayBuffer & { resize(byteLength: number): void };
const ResizableBuffer = ArrayBuffer as unknown as new (
  byteLength: number,
  options: { maxByteLength: number },
) => ResizableMemory;

/** Numbers that come list by list. A large array that moved to grow would be held twice, and copied at once. */
export class GrowingRun {
  #numbers = new Float64Array(0);
  #length = 0;
  #memory: ResizableMemory | undefined;

  /** @param numbersMax - never more come */
  constructor(private readonly numbersMax: number) {}

  add(numbers: Float64Array): void {
    const length = this.#length + numbers.length;
    if (length > this.#numbers.length) this.#grow(length);
    this.#numbers.set(numbers, this.#length);
    this.#length = length;
  }

  /** All of them. */
  numbers(): NumberRun {
    return this.#numbers.subarray(0, this.#length);
  }

  #grow(length: number): void {
    if (this.#memory === undefined && length <= MOVED_NUMBERS_MAX) {
      this.#numbers = moved(this.numbers(), new Float64Array(Math.max(2 * this.#numbers.length, length)));
      return;
    }
    const maxByteLength = this.numbersMax * BYTES_PER_ELEMENT;
    const byteLength = Math.min(maxByteLength, length * BYTES_PER_ELEMENT + STEP_BYTES);
    if (this.#memory === undefined) {
      this.#memory = new ResizableBuffer(byteLength, { maxByteLength });
      this.#numbers = moved(this.numbers(), new Float64Array(this.#memory));
    } else {
      this.#memory.resize(byteLength); // the array goes as far as its memory
    }
  }
}

function moved(numbers: Float64Array, to: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  to.set(numbers);
  return to;
}
