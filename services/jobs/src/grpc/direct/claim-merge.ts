import type { jobs } from '@tally/contracts';
import { claimMerge } from '../../domain/direct/claim-merge.js';
import type { MergeOrder, StateStore } from '../../domain/ports.js';
import { readMergeId, readRunnerId, toDuration, toProtoTarget } from '../mappers.js';

/** ClaimMerge of jobs_service.proto. */
export function claimMergeRpc(ports: { states: StateStore; leaseMs: number; heartbeatMs: number }) {
  return async ({ mergeId, runnerId }: jobs.ClaimMergeRequest): Promise<jobs.ClaimMergeResponse> => {
    return toClaimedMerge(await claimMerge(ports, readMergeId(mergeId), readRunnerId(runnerId)), ports);
  };
}

export function toClaimedMerge(
  { jobId, taskIds, isPartial, isStopped, number, target }: MergeOrder,
  { leaseMs, heartbeatMs }: { readonly leaseMs: number; readonly heartbeatMs: number },
): jobs.ClaimMergeResponse {
  return {
    jobId,
    taskIds: [...taskIds],
    isPartial,
    isStopped,
    number,
    target: target === null ? undefined : toProtoTarget(target),
    lease: toDuration(leaseMs),
    heartbeat: toDuration(heartbeatMs),
  };
}
