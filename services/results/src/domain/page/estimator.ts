import type { PageSummary } from './page.js';

/** An estimator: an output of the project. It is nothing but its name and its pages. */
export interface Estimator {
  readonly name: string;
  /** In ascending page number. */
  readonly pages: readonly PageSummary[];
}

/** Puts pages together by estimator. @param pages - in order of estimator and page number */
export function groupByEstimator(pages: readonly PageSummary[]): Estimator[] {
  const estimators = new Map<number, { name: string; pages: PageSummary[] }>();
  for (const page of pages) {
    const estimator = estimators.get(page.estimatorIndex) ?? { name: page.estimatorName, pages: [] };
    estimator.pages.push(page);
    estimators.set(page.estimatorIndex, estimator);
  }
  return [...estimators.values()];
}
