import type { jobs } from '@tally/contracts';
import type { Quotas } from '../domain/submit/quotas.js';

/** GetQuotas of jobs_service.proto. */
export function getQuotasRpc(quotas: Quotas) {
  return async (): Promise<jobs.GetQuotasResponse> => ({
    openJobsPerUserMax: BigInt(quotas.openJobsPerUserMax),
    openTasksPerUserMax: BigInt(quotas.openTasksPerUserMax),
    queuedPrimariesPerUserMax: BigInt(quotas.queuedPrimariesPerUserMax),
    runningTasksPerUserMax: BigInt(quotas.runningTasksPerUserMax),
    storedBytesPerUserMax: BigInt(quotas.storedBytesPerUserMax),
  });
}
