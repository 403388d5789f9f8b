import type { Draft } from './change.js';
import { fail } from './errors.js';
import type { JobId } from './job.js';
import { isTerminal } from './job-state.js';
import { requireFound } from './owned.js';
import type { JobQuery, JobStore, StateStore } from './ports.js';

/**
 * Removes a terminal job of the acting user here at once, and its data in results, and what is left on a cluster, by
 * intents that are tried until they are done.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER, JOB_NOT_TERMINAL
 */
export async function deleteJob(
  { jobs, states }: { readonly jobs: JobStore; readonly states: StateStore },
  query: JobQuery,
): Promise<void> {
  const outcome = await states.changeJob(query, 'tally', (draft) => decideDelete(draft, query.jobId));
  if ((await requireFound(jobs, query, outcome)) === 'notTerminal') throw fail('JOB_NOT_TERMINAL');
}

/** Undefined: there is no such job. */
export function decideDelete(draft: Draft, jobId: JobId): 'deleted' | 'notTerminal' | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  if (!isTerminal(job.state)) return 'notTerminal';
  draft.deleteJob(job.jobKey);
  draft.addDuty({ jobId, kind: 'remove' });
  if (job.platform === 'batch') draft.addDuty({ jobId, kind: 'delete' });
  return 'deleted';
}
