/**
 * Why bytes or pages could not be taken.
 * - `FOREIGN`: the bytes are not a task output of this format.
 * - `TRUNCATED`: the bytes end before what their header announces.
 * - `MALFORMED`: the format's, but its content contradicts itself or the types.
 * - `HEADER_MISMATCH`: a part does not belong to the page it is merged into.
 * - `INVALID_PART`: a part's numbers of primaries, batches or bins are impossible.
 * - `NO_SUCH_AXIS`: a part of a page is asked for along an axis, or at a bin, that the page does not have.
 * - `NOT_SUMMABLE`: sums over bins are asked for of numbers that are none.
 */
export type MergeErrorReason =
  | 'FOREIGN'
  | 'TRUNCATED'
  | 'MALFORMED'
  | 'HEADER_MISMATCH'
  | 'INVALID_PART'
  | 'NO_SUCH_AXIS'
  | 'NOT_SUMMABLE';

/** The one error this package throws on bad input. */
export class MergeError extends Error {
  readonly reason: MergeErrorReason;

  constructor(reason: MergeErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MergeError';
    this.reason = reason;
  }
}
