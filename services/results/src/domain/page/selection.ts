import { fail } from '../errors.js';
import type { PageSummary } from './page.js';

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

const RANGES_MAX = 1_000;

/** @throws ServiceError SELECTION_INVALID */
export function checkSelection(selection: PageSelection): void {
  if (selection.ranges.length > RANGES_MAX) throw fail('SELECTION_INVALID');
}

/** Whether the page is wanted. */
export function isSelected(page: Pick<PageSummary, 'estimatorName' | 'pageNumber'>, selection: PageSelection): boolean {
  const { estimatorName, ranges } = selection;
  if (estimatorName !== undefined && page.estimatorName !== estimatorName) return false;
  return ranges.length === 0 || ranges.some(({ first, last }) => first <= page.pageNumber && page.pageNumber <= last);
}
