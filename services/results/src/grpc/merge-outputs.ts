import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { type MergeOutputsPorts, mergeOutputs } from '../domain/output/merge-outputs.js';
import { measureError } from '../domain/result/relative-error.js';
import { parseJobId } from './mappers.js';

/** MergeOutputs. */
export function mergeOutputsRpc(ports: MergeOutputsPorts) {
  return async (request: results.MergeOutputsRequest): Promise<results.MergeOutputsResponse> => {
    const { taskIds, isPartial, isStopped = false, mergeNumber: number, errorPages } = request;
    const bytesMax = request.bytesMax === undefined ? undefined : Number(request.bytesMax);
    const order = { jobId: parseJobId(request.jobId), taskIds, isPartial, isStopped, number, bytesMax };
    const isMerged = await mergeOutputs(ports, order, currentContext()?.signal);
    if (!isMerged || errorPages === undefined) return { isMerged };
    return { isMerged, relativeError: await measureError(ports.results, order.jobId, errorPages) };
  };
}
