import { call } from './client.js';
import { queryClient } from './queries.js';

/** Ends a job; what finished tasks delivered stays. */
export function cancelJob(jobId: string, isBatch: boolean) {
  const query = { job_id: jobId };
  return isBatch ? call('DELETE', '/jobs/batch', { query }) : call('DELETE', '/jobs/direct', { query });
}

/** Ends a job early and keeps what it has simulated. */
export function stopJob(jobId: string, isBatch: boolean) {
  const query = { job_id: jobId };
  return isBatch ? call('POST', '/jobs/batch/stop', { query }) : call('POST', '/jobs/direct/stop', { query });
}

function extendJob(jobId: string, isBatch: boolean, primaries: number) {
  const body = { job_id: jobId, primaries };
  return isBatch ? call('POST', '/jobs/batch/extend', { body }) : call('POST', '/jobs/direct/extend', { body });
}

/** A job that has completed. */
export interface EndedJob {
  readonly jobId: string;
  readonly isBatch: boolean;
}

/**
 * Further primaries for jobs that have completed; each by itself, so that one refusal leaves the others done.
 * @throws the first refusal
 */
export async function extendJobs(jobs: readonly EndedJob[], primaries: number): Promise<void> {
  const outcomes = await Promise.allSettled(jobs.map(({ jobId, isBatch }) => extendJob(jobId, isBatch, primaries)));
  await Promise.all(['simulations', 'status'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
