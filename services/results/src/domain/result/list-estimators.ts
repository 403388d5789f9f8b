import type { Reader } from '../job-access.js';
import { type Estimator, groupByEstimator } from '../page/estimator.js';
import { openResults, type ReadableResultsPorts } from './readable-results.js';
import type { StoredResults } from './result.js';

/**
 * What results a job has by now, without the numbers.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, RESULTS_UNAVAILABLE
 */
export async function listEstimators(
  ports: ReadableResultsPorts,
  jobId: string,
  reader: Reader,
): Promise<{ header: StoredResults; pageCount: number; estimators: Estimator[] }> {
  const { header, pages } = await openResults(ports, jobId, reader);
  return { header, pageCount: pages.length, estimators: groupByEstimator(pages.map(({ summary }) => summary)) };
}
