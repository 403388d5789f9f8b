import type { results } from '@tally/contracts';
import { currentContext } from '@tally/service-kit';
import { type MergeOutputsPorts, mergeOutputs } from '../domain/output/merge-outputs.js';
import { parseJobId } from './mappers.js';

/** MergeOutputs. */
export function mergeOutputsRpc(ports: MergeOutputsPorts) {
  return async (request: results.MergeOutputsRequest): Promise<results.MergeOutputsResponse> => {
    const { taskIds, isPartial } = request;
    const bytesMax = request.bytesMax === undefined ? undefined : Number(request.bytesMax);
    const order = { jobId: parseJobId(request.jobId), taskIds, isPartial, bytesMax };
    return { isMerged: await mergeOutputs(ports, order, currentContext()?.signal) };
  };
}
