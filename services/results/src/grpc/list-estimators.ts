import type { results } from '@tally/contracts';
import { listEstimators } from '../domain/result/list-estimators.js';
import { parseJobId, toEstimatorPage, toResultsHeader } from './mappers.js';
import { currentReader } from './reader.js';

/** ListEstimators. */
export function listEstimatorsRpc(ports: Parameters<typeof listEstimators>[0]) {
  return async (request: results.ListEstimatorsRequest): Promise<results.ListEstimatorsResponse> => {
    const { header, pageCount, estimators } = await listEstimators(ports, parseJobId(request.jobId), currentReader());
    return {
      header: toResultsHeader(header, pageCount),
      estimators: estimators.map(({ name, pages }) => ({ name, pages: pages.map(toEstimatorPage) })),
    };
  };
}
