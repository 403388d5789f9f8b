import type { jobs } from '@tally/contracts';
import { type ExchangePorts, exchangeTasks } from '../domain/direct/exchange-tasks.js';
import type { WorkOrder } from '../domain/task.js';
import {
  readAttemptId,
  readExecutables,
  readProgress,
  readRunnerId,
  readTaskEnd,
  toDuration,
  toProtoInputType,
  toProtoSimulator,
} from './mappers.js';

/** ExchangeTasks of jobs_service.proto. */
export async function exchangeTasksRpc(
  ports: ExchangePorts & { readonly heartbeatMs: number },
  request: jobs.ExchangeTasksRequest,
): Promise<jobs.ExchangeTasksResponse> {
  const { wanted, isApplied, orders } = await exchangeTasks(ports, readRunnerId(request.runnerId), {
    progress: request.progress.map((said) => ({
      attemptId: readAttemptId(said.attemptId),
      progress: readProgress(said),
    })),
    ends: request.ends.map(({ attemptId, ...end }) => ({ attemptId: readAttemptId(attemptId), end: readTaskEnd(end) })),
    claims: request.claims.map(readAttemptId),
    executables: readExecutables(request.executables),
  });
  return {
    mustStop: wanted.map((answer) => answer === 'stop'),
    mustFinish: wanted.map((answer) => answer === 'finish'),
    isApplied: [...isApplied],
    ...toClaims(orders),
    lease: toDuration(ports.leaseMs),
    heartbeat: toDuration(ports.heartbeatMs),
  };
}

function toClaims(orders: readonly (WorkOrder | undefined)[]) {
  const indices = new Map<string, number>();
  const jobs: jobs.ClaimedJob[] = [];
  const claims = orders.map((order): jobs.ClaimOutcome => {
    if (order === undefined) return {};
    const { jobId, simulator, inputType, seed, ...rest } = order;
    const jobIndex = indices.get(jobId) ?? jobs.length;
    if (jobIndex === jobs.length) {
      indices.set(jobId, jobIndex);
      jobs.push({ jobId, simulator: toProtoSimulator(simulator), inputType: toProtoInputType(inputType), seed });
    }
    return { order: { jobIndex, ...rest } };
  });
  return { claims, jobs };
}
