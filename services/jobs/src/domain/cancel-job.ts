import type { Draft } from './change.js';
import type { JobId } from './job.js';
import type { State } from './job-state.js';
import { moveJob, moveTasks } from './move-state.js';
import { requireFound } from './owned.js';
import type { JobQuery, JobStore, StateStore } from './ports.js';
import { closeWork } from './work.js';

/**
 * Cancels a job of the acting user. Pending tasks never start; running ones are told to stop by the answer to their
 * next heartbeat, or by their cluster's scheduler, so the intent survives everybody's restart. A terminal job stays as it
 * is.
 * @returns the state after the call
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function cancelJob(
  { jobs, states }: { readonly jobs: JobStore; readonly states: StateStore },
  query: JobQuery,
): Promise<State> {
  const state = await states.changeJob(query, 'all', (draft) => decideCancel(draft, query.jobId));
  return requireFound(jobs, query, state);
}

/** Undefined: there is no such job. */
export function decideCancel(draft: Draft, jobId: JobId): State | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined || !moveJob(draft, job.jobKey, 'canceled')) return job?.state;
  moveTasks(draft, job.jobKey, 'canceled');
  closeWork(draft, job.jobKey);
  const { lastTaskId: lastTask } = draft.tally(job.jobKey);
  if (job.platform === 'batch') draft.addDuty({ jobId, kind: 'cancel', lastTask });
  return 'CANCELED';
}
