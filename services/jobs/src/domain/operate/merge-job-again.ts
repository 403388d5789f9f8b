import type { ServiceError } from '@tally/service-kit';
import type { Draft } from '../change.js';
import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import type { State } from '../job-state.js';
import { moveJob, requireMoved } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { RetentionStore } from '../retention/retention-ports.js';
import type { JobRow } from '../snapshot.js';
import { openMerge } from '../work.js';

/**
 * Merges once more what the tasks of an ended job have delivered: after a merge that failed, or when results were lost. The earlier results
 * stay until then.
 * @throws ServiceError JOB_NOT_FOUND, JOB_NOT_MERGEABLE
 */
export async function mergeJobAgain(
  {
    states,
    retention,
  }: { readonly states: Pick<StateStore, 'changeJob'>; readonly retention: Pick<RetentionStore, 'hasLostResults'> },
  jobId: JobId,
): Promise<State> {
  if (await retention.hasLostResults(jobId)) {
    throw fail('JOB_NOT_MERGEABLE', { message: 'A rule of retention has removed what its tasks delivered' });
  }
  const outcome = await states.changeJob({ jobId }, 'tally', (draft) => decideMergeAgain(draft, jobId));
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

export function decideMergeAgain(draft: Draft, jobId: JobId): State | ServiceError {
  const job = draft.findJob(jobId);
  if (job === undefined) return fail('JOB_NOT_FOUND');
  const refusal = findRefusal(draft, job);
  if (refusal !== undefined) return fail('JOB_NOT_MERGEABLE', { message: refusal });
  requireMoved(`job ${job.jobKey} has ended but cannot be merged again`, moveJob(draft, job.jobKey, 'mergeRepeated'));
  draft.putJob({ ...draft.job(job.jobKey), failure: null });
  openMerge(draft, job.jobKey, { isExternal: false, dueAt: draft.now });
  return draft.job(job.jobKey).state;
}

function findRefusal(draft: Draft, { jobKey, state, endedBy }: JobRow): string | undefined {
  if (state !== 'COMPLETED' && state !== 'FAILED') {
    return `Only a job that is COMPLETED or FAILED can be merged again; it is ${state}`;
  }
  if (endedBy !== null) return 'An external worker has merged it: the outputs of its tasks are not here';
  return draft.deliveredTasks(jobKey).length === 0 ? 'None of its tasks has delivered' : undefined;
}
