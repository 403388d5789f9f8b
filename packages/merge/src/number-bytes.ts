import { MergeError } from './merge-error.js';

/** Bytes of one number in every file and message of task output. */
export const BYTES_PER_NUMBER = 8;

/** Whether this machine keeps numbers as files and messages do: their bytes can then be copied as they are. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Numbers as little-endian float64, bit for bit: the one form in which arrays leave memory. */
export function encodeNumbers(values: Float64Array): Uint8Array<ArrayBuffer> {
  if (IS_LITTLE_ENDIAN) return new Uint8Array(values.slice().buffer);
  const bytes = new Uint8Array(values.length * BYTES_PER_NUMBER);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < values.length; index += 1) {
    view.setFloat64(index * BYTES_PER_NUMBER, values[index] ?? 0, true);
  }
  return bytes;
}

/** {@link encodeNumbers} of numbers that nobody needs any more: where it can be, their own memory. */
export function takeNumberBytes(values: Float64Array): Uint8Array {
  return IS_LITTLE_ENDIAN ? new Uint8Array(values.buffer, values.byteOffset, values.byteLength) : encodeNumbers(values);
}

/**
 * The inverse of {@link encodeNumbers}; a copy: `bytes` may be reused and need not be aligned.
 * @throws MergeError `MALFORMED` when the bytes do not hold a whole count of numbers
 */
export function decodeNumbers(bytes: Uint8Array): Float64Array<ArrayBuffer> {
  if (bytes.byteLength % BYTES_PER_NUMBER !== 0) {
    throw new MergeError('MALFORMED', `${bytes.byteLength} bytes are no whole count of numbers`);
  }
  const values = new Float64Array(bytes.byteLength / BYTES_PER_NUMBER);
  if (IS_LITTLE_ENDIAN) {
    new Uint8Array(values.buffer).set(bytes);
    return values;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0; index < values.length; index += 1) {
    values[index] = view.getFloat64(index * BYTES_PER_NUMBER, true);
  }
  return values;
}

/** All numbers of some lists, one list behind the other. */
export function joinNumbers(lists: readonly Float64Array[]): Float64Array {
  const joined = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let length = 0;
  for (const list of lists) {
    joined.set(list, length);
    length += list.length;
  }
  return joined;
}
