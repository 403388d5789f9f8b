import type { jobs } from '@tally/contracts';
import { claimMerge } from '../../domain/direct/claim-merge.js';
import type { StateStore } from '../../domain/ports.js';
import { readMergeId, readRunnerId, toDuration, toProtoTarget } from '../mappers.js';

/** ClaimMerge of jobs_service.proto. */
export function claimMergeRpc(ports: { states: StateStore; leaseMs: number; heartbeatMs: number }) {
  return async ({ mergeId, runnerId }: jobs.ClaimMergeRequest): Promise<jobs.ClaimMergeResponse> => {
    const { jobId, taskIds, isPartial, isStopped, number, target } = await claimMerge(
      ports,
      readMergeId(mergeId),
      readRunnerId(runnerId),
    );
    return {
      jobId,
      taskIds: [...taskIds],
      isPartial,
      isStopped,
      number,
      target: target === null ? undefined : toProtoTarget(target),
      lease: toDuration(ports.leaseMs),
      heartbeat: toDuration(ports.heartbeatMs),
    };
  };
}
