/** One task's share of a page. */
export interface PagePart {
  /** Histories behind the moments. */
  readonly primaries: number;
  /** Batches behind the sums of squares. */
  readonly batches: number;
  /** As in `TaskPage`. */
  readonly moments: readonly Float64Array[];
  /** As in `TaskPage`. */
  readonly remainders?: readonly Float64Array[] | undefined;
}
