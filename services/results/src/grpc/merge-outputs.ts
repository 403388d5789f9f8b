import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { type MergeOutputsPorts, mergeOutputs } from '../domain/output/merge-outputs.js';
import { measureError } from '../domain/result/relative-error.js';
import { parseJobId } from './mappers.js';

/** MergeOutputs. */
export function mergeOutputsRpc(ports: MergeOutputsPorts) {
  return async (request: results.MergeOutputsRequest): Promise<results.MergeOutputsResponse> => {
    const { taskIds, isPartial, isStopped, mergeNumber: number, errorPages } = request;
    const order = { jobId: parseJobId(request.jobId), taskIds, isPartial, isStopped, number };
    await mergeOutputs(ports, order, currentContext()?.signal);
    if (errorPages === undefined) return {};
    return { relativeError: await measureError(ports.results, order.jobId, errorPages) };
  };
}
