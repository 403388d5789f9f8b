import { countBins, type PageHeader, pageSizeBytes } from '@tally/merge';

/** Identity of a page within a job, beside its name. */
export interface PageKey {
  /** Position of the estimator in the project, from 0. */
  readonly estimatorIndex: number;
  /** Within the estimator; from 1, or as an external worker numbers its pages, from 0. */
  readonly pageNumber: number;
}

/** What a page is, without its numbers, with the place of its estimator in the project. */
export interface EstimatorPageHeader extends PageHeader, PageKey {
  /** Bins along a last axis that only numbers them, from 1. Outputs of tasks are stored with these bins in a list. */
  readonly numberedBins?: number;
}

/** A page as the metadata view shows it. */
export interface PageSummary extends PageKey {
  readonly estimatorName: string;
  readonly pageName: string;
  /** Bins along each axis, first axis first; of a list, columns and records. */
  readonly sizes: readonly number[];
  /** Values and errors that were not finite; undefined until the results are final. */
  readonly nonFiniteCount?: number;
}

/** Bins along each axis; of a list, columns and records. */
export function sizesOf({ kind, axes, recordCount = 0 }: Pick<PageHeader, 'kind' | 'axes' | 'recordCount'>): number[] {
  const sizes = axes.map((axis) => axis.centers.length);
  return kind === 'list' ? [...sizes, recordCount] : sizes;
}

/** Numbers in each array of the page. */
export function binsOf(header: Pick<EstimatorPageHeader, 'axes' | 'recordCount' | 'numberedBins'>): number {
  return countBins(header) * (header.numberedBins ?? 1);
}

/** A page as a task has it that stored so many bytes of it. */
export function ofTask<H extends PageHeader>(header: H, sizeBytes: number): H {
  if (header.kind !== 'list') return header;
  return { ...header, recordCount: sizeBytes / pageSizeBytes(header.kind, countBins({ axes: header.axes })) };
}

/** For messages to people. */
export function describePage(page: PageKey & { readonly estimatorName: string }): string {
  return `page ${page.pageNumber} of estimator "${page.estimatorName}"`;
}
