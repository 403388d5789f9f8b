import type { jobs } from '@tally/contracts';
import { type ClaimPorts, claimInTurn } from '../../domain/direct/claim-in-turn.js';
import { readAttemptId, readRunnerId, toDuration, toProtoInputType, toProtoSimulator } from '../mappers.js';

/** ClaimTask of jobs_service.proto. */
export function claimTaskRpc(ports: ClaimPorts & { readonly heartbeatMs: number }) {
  return async ({ attemptId, runnerId }: jobs.ClaimTaskRequest): Promise<jobs.ClaimTaskResponse> => {
    const order = await claimInTurn(ports, readAttemptId(attemptId), readRunnerId(runnerId));
    return {
      ...order,
      simulator: toProtoSimulator(order.simulator),
      inputType: toProtoInputType(order.inputType),
      lease: toDuration(ports.leaseMs),
      heartbeat: toDuration(ports.heartbeatMs),
    };
  };
}
