import { jobs } from '@tally/contracts';
import { createGrpcClient, type GrpcClientOptions, type GrpcConnection, hasReason } from '@tally/service-kit';
import type { Jobs } from '../domain/ports.js';
import { fromBatchReport, fromTaskIdentity, fromTaskUpdate, toJobState } from './mappers.js';

/** The jobs service over gRPC. */
export function createJobsClient(options: GrpcClientOptions): Jobs & GrpcConnection {
  const client = createGrpcClient(jobs.JobsServiceService, options);
  return {
    async getState(jobId) {
      const answer = await unlessNotFound(client.reportBatch({ jobId, tasks: [], wantsState: true }));
      return answer && toJobState(answer);
    },
    async reportBatch(jobId, report) {
      const answer = await unlessNotFound(client.reportBatch(fromBatchReport(jobId, report)));
      return answer?.isOpen ?? false;
    },
    async updateTask(task, update) {
      return (await client.updateTask(fromTaskUpdate(task, update))).isApplied;
    },
    async isOutputWanted(task) {
      const request = { ...fromTaskIdentity(task), celeryId: '', contentHash: '' };
      return (await client.getWorkerTarget(request)).isWanted;
    },
    async reportTaskOutput(task) {
      const request = { ...fromTaskIdentity(task), contentHash: '' };
      return (await client.reportWorkerOutput(request)).isApplied;
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

/** Undefined where jobs does not know the job (any more). */
async function unlessNotFound<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (err) {
    if (hasReason(err, 'JOB_NOT_FOUND')) return undefined;
    throw err;
  }
}
