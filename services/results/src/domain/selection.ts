import { fail } from './errors.js';

/** A closed range of page numbers; it may be empty (last before first) or reach beyond what there is. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

/** Which pages are wanted: of one estimator or of all; in one of the ranges, or all if there is none. */
export interface PageSelection {
  readonly estimatorName: string | undefined;
  readonly ranges: readonly PageRange[];
}

export const ALL_PAGES: PageSelection = { estimatorName: undefined, ranges: [] };

const RANGES_MAX = 1_000;

/** @throws ServiceError SELECTION_INVALID; ESTIMATOR_NOT_FOUND for a name that no estimator can have */
export function checkSelection(selection: PageSelection): void {
  if (selection.ranges.length > RANGES_MAX) throw fail('SELECTION_INVALID');
  if (selection.estimatorName?.includes('\0')) throw fail('ESTIMATOR_NOT_FOUND');
}
