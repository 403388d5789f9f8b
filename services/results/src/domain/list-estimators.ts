import { type Estimator, groupByEstimator } from './estimator.js';
import { type Reader, requireJob } from './job-access.js';
import type { InputStore } from './ports.js';
import { openResults, type ReadableResultsPorts } from './readable-results.js';
import type { StoredResults } from './result.js';
import { ALL_PAGES } from './selection.js';

/**
 * What results a job has by now, without the numbers.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, RESULTS_UNAVAILABLE
 */
export async function listEstimators(
  ports: ReadableResultsPorts & { readonly inputs: InputStore },
  jobId: string,
  reader: Reader,
): Promise<{ header: StoredResults; pageCount: number; estimators: Estimator[] }> {
  await requireJob(ports.inputs, jobId, reader);
  const results = await openResults(ports, jobId);
  const pages = await results.listPages(ALL_PAGES);
  return {
    header: results.header,
    pageCount: pages.length,
    estimators: groupByEstimator(pages.map((page) => page.summary)),
  };
}
