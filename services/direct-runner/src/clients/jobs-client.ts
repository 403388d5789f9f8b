import { jobs } from '@tally/contracts';
import {
  type ClientOf,
  createGrpcClient,
  type GrpcClientOptions,
  type GrpcConnection,
  hasReason,
} from '@tally/service-kit';
import type { Jobs } from '../domain/ports.js';
import { fromExecutables, fromMergeEnd, fromMs, fromTaskEnd, toMergeOrder, toWorkOrder } from './mappers.js';

/** The jobs service over gRPC. `runnerId` is the name this runner claims under. */
export function createJobsClient(options: GrpcClientOptions, runnerId: string): Jobs & GrpcConnection {
  const client: ClientOf<typeof jobs.JobsServiceService> & GrpcConnection = createGrpcClient(
    jobs.JobsServiceService,
    options,
  );
  return {
    async claimTask(attemptId) {
      const order = await unlessRefused('ATTEMPT_NOT_CLAIMABLE', client.claimTask({ attemptId, runnerId }));
      return order && toWorkOrder(attemptId, order);
    },
    async reportTask(attemptId, { simulatedPrimaries, remainingMs }, timeoutMs) {
      const estimatedTime = remainingMs === undefined ? undefined : fromMs(remainingMs);
      const request = { attemptId, simulatedPrimaries: BigInt(simulatedPrimaries), estimatedTime };
      return (await client.reportTask(request, { timeoutMs })).mustStop;
    },
    async reportTaskEnd(attemptId, end, signal) {
      return (await client.reportTaskEnd({ attemptId, outcome: fromTaskEnd(end) }, { signal })).isApplied;
    },
    async claimMerge(mergeId) {
      const order = await unlessRefused('MERGE_NOT_CLAIMABLE', client.claimMerge({ mergeId, runnerId }));
      return order && toMergeOrder(mergeId, order);
    },
    async reportMerge(mergeId, timeoutMs) {
      return (await client.reportMerge({ mergeId, runnerId }, { timeoutMs })).mustStop;
    },
    async reportMergeEnd(mergeId, end, signal) {
      return (await client.reportMergeEnd({ mergeId, runnerId, outcome: fromMergeEnd(end) }, { signal })).isApplied;
    },
    async reportRunner(executables) {
      await client.reportRunner({ runnerId, executables: fromExecutables(executables) });
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

async function unlessRefused<T>(reason: string, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (err) {
    if (hasReason(err, reason)) return undefined;
    throw err;
  }
}
