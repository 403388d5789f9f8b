import type { jobs } from '@tally/contracts';
import { claimTask } from '../../domain/direct/claim-task.js';
import type { StateStore } from '../../domain/ports.js';
import { readAttemptId, readRunnerId, toDuration, toProtoInputType, toProtoSimulator } from '../mappers.js';

/** ClaimTask of jobs_service.proto. */
export function claimTaskRpc(ports: {
  readonly states: StateStore;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}) {
  return async ({ attemptId, runnerId }: jobs.ClaimTaskRequest): Promise<jobs.ClaimTaskResponse> => {
    const order = await claimTask(ports, readAttemptId(attemptId), readRunnerId(runnerId));
    return {
      ...order,
      simulator: toProtoSimulator(order.simulator),
      inputType: toProtoInputType(order.inputType),
      lease: toDuration(ports.leaseMs),
      heartbeat: toDuration(ports.heartbeatMs),
    };
  };
}
