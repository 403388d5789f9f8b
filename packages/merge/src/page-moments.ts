import { MergeError } from './merge-error.js';
import { BYTES_PER_NUMBER, decodeNumbers, encodeNumbers } from './number-bytes.js';
import { type Axis, MOMENTS, type PageHeader, type PageKind } from './task-output.js';

/** Numbers in each array of a page: the product of its axis sizes, 1 without axes; of a list, times its records. */
export function countBins(page: CountedPage): number {
  return page.axes.reduce((product, axis) => product * axis.centers.length, page.recordCount ?? 1);
}

/** What says how many numbers a page has. */
export interface CountedPage extends Pick<PageHeader, 'recordCount'> {
  readonly axes: readonly Pick<Axis, 'centers'>[];
}

/** Bytes that the moments of one page take: all its arrays, one after the other, in the order of `MOMENTS[kind]`. */
export function pageSizeBytes(kind: PageKind, bins: number): number {
  return MOMENTS[kind].length * bins * BYTES_PER_NUMBER;
}

/**
 * The moments of one page as little-endian float64, array after array, as files, messages and database rows hold them.
 * @throws MergeError `INVALID_PART` when the number of arrays or their lengths do not fit `kind` and `bins`
 */
export function encodeMoments(kind: PageKind, bins: number, moments: readonly Float64Array[]): Uint8Array<ArrayBuffer> {
  checkMoments(kind, bins, moments);
  const bytes = new Uint8Array(pageSizeBytes(kind, bins));
  for (const [index, array] of moments.entries()) bytes.set(encodeNumbers(array), index * bins * BYTES_PER_NUMBER);
  return bytes;
}

/**
 * The inverse of {@link encodeMoments}; the arrays are copies, `bytes` may be reused and need not be aligned.
 * @throws MergeError `TRUNCATED` when `bytes` is too short, `MALFORMED` when it is too long
 */
export function decodeMoments(kind: PageKind, bins: number, bytes: Uint8Array): Float64Array<ArrayBuffer>[] {
  const expectedBytes = pageSizeBytes(kind, bins);
  if (bytes.byteLength !== expectedBytes) {
    throw new MergeError(
      bytes.byteLength < expectedBytes ? 'TRUNCATED' : 'MALFORMED',
      `a ${kind} page of ${bins} bins takes ${expectedBytes} bytes, not ${bytes.byteLength}`,
    );
  }
  const arrayBytes = bins * BYTES_PER_NUMBER;
  return MOMENTS[kind].map((_, index) => decodeNumbers(bytes.subarray(index * arrayBytes, (index + 1) * arrayBytes)));
}

/** @throws MergeError `INVALID_PART` when the number of arrays or their lengths do not fit `kind` and `bins` */
export function checkMoments(kind: PageKind, bins: number, moments: readonly Float64Array[]): void {
  const names = MOMENTS[kind];
  if (moments.length !== names.length) {
    throw new MergeError('INVALID_PART', `a ${kind} page has ${names.length} arrays, not ${moments.length}`);
  }
  for (const [index, array] of moments.entries()) {
    if (array.length !== bins) {
      throw new MergeError('INVALID_PART', `${names[index]} has ${array.length} numbers for ${bins} bins`);
    }
  }
}
