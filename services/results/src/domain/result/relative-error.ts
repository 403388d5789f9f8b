import { fail } from '../errors.js';
import type { NumberPage, Numbers } from '../page/number-page.js';
import { viewPage } from '../page/page-view.js';
import type { ResultStore } from '../ports.js';

/**
 * Mean relative standard error over the bins above half of the page's maximum. Read twice, a piece at a time. Undefined: there is no
 * such bin, or an error is not known.
 */
export async function relativeErrorOf(page: NumberPage): Promise<number | undefined> {
  if (!page.hasErrors) return undefined;
  let maximum = 0;
  for await (const piece of page.values()) for (const value of piece) maximum = Math.max(maximum, value);
  let [sum, count] = [0, 0];
  const errors: AsyncIterator<Numbers> = page.errors()[Symbol.asyncIterator]();
  for await (const piece of page.values()) {
    const next = await errors.next(); // both arrays come in the same pieces
    const ofPiece = next.done === true ? undefined : next.value;
    for (const [bin, value] of piece.entries()) {
      if (value <= maximum / 2) continue;
      sum += (ofPiece?.[bin] ?? Number.NaN) / value;
      count++;
    }
  }
  return Number.isFinite(sum) && count > 0 ? sum / count : undefined;
}

/**
 * The largest {@link relativeErrorOf} of the pages of a job's final results; undefined: there are none, or one is not known.
 * @param pages - no page number: all of the estimator
 * @throws ServiceError JOB_NOT_FOUND, CHANGED_WHILE_READ
 */
export async function measureError(
  results: Pick<ResultStore, 'open'>,
  jobId: string,
  { estimatorName, pageNumber }: { readonly estimatorName: string; readonly pageNumber?: number | undefined },
): Promise<number | undefined> {
  const job = await results.open(jobId);
  if (job === undefined) throw fail('JOB_NOT_FOUND');
  let largest: number | undefined;
  for (const source of job.results?.pages ?? []) {
    const isWanted =
      'page' in source &&
      source.page.estimatorName === estimatorName &&
      (pageNumber === undefined || source.page.pageNumber === pageNumber);
    if (!isWanted) continue;
    const error = await relativeErrorOf(viewPage(source, []));
    if (error === undefined) return undefined;
    largest = Math.max(largest ?? 0, error);
  }
  return largest;
}
