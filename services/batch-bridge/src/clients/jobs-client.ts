import { jobs } from '@tally/contracts';
import { createGrpcClient, type GrpcClientOptions, type GrpcConnection, hasReason } from '@tally/service-kit';
import type { Jobs } from '../domain/ports.js';
import { fromBatchReport, fromTaskUpdate, toBatchOrder } from './mappers.js';

/** The jobs service over gRPC. */
export function createJobsClient(options: GrpcClientOptions): Jobs & GrpcConnection {
  const client = createGrpcClient(jobs.JobsServiceService, options);
  const credentialOf = ({ jobId, updateKey }: { readonly jobId: string; readonly updateKey: string }) => ({
    jobRef: jobId,
    updateKey,
  });
  return {
    async getBatchOrder(jobId) {
      const order = await unlessGone(client.getBatchOrder({ jobId }));
      return order && toBatchOrder(order);
    },
    async reportBatch(jobId, report) {
      const answer = await unlessGone(client.reportBatch(fromBatchReport(jobId, report)));
      return answer?.isOpen ?? false;
    },
    async updateTask(update) {
      return (await client.updateTask(fromTaskUpdate(credentialOf(update), update))).isApplied;
    },
    async isOutputWanted(of) {
      const request = { credential: credentialOf(of), taskId: of.taskId, celeryId: '', contentHash: '' };
      return (await client.getWorkerTarget(request)).isWanted;
    },
    async reportTaskOutput(of) {
      const request = { credential: credentialOf(of), taskId: of.taskId, contentHash: '' };
      return (await client.reportWorkerOutput(request)).isApplied;
    },
    checkReady: () => client.checkReady(),
    close: () => client.close(),
  };
}

/** Undefined where jobs does not know the job (any more). */
async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (err) {
    if (hasReason(err, 'JOB_NOT_FOUND')) return undefined;
    throw err;
  }
}
