import { countBins, type PageHeader } from '@tally/merge';

/** Identity of a page within a job, beside its name. */
export interface PageKey {
  /** Position of the estimator in the project, from 0. */
  readonly estimatorIndex: number;
  /** From 1, within the estimator. */
  readonly pageNumber: number;
}

/** What a page is, without its numbers, with the place of its estimator in the project. */
export interface EstimatorPageHeader extends PageHeader, PageKey {}

/** A page as the metadata view shows it. */
export interface PageSummary extends PageKey {
  readonly estimatorName: string;
  readonly pageName: string;
  /** Bins along each axis, first axis first. */
  readonly sizes: readonly number[];
  /** Values and errors that were not finite; undefined until the results are final. */
  readonly nonFiniteCount?: number;
}

/** Bins along each axis. */
export function sizesOf(header: Pick<PageHeader, 'axes'>): number[] {
  return header.axes.map((axis) => axis.centers.length);
}

/** Numbers in each array of the page. */
export function binsOf(header: Pick<PageHeader, 'axes'>): number {
  return countBins(header.axes);
}

/** For messages to people. */
export function describePage(page: PageKey & { readonly estimatorName: string }): string {
  return `page ${page.pageNumber} of estimator "${page.estimatorName}"`;
}
