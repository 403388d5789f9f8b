import type { Draft } from '../change.js';
import type { JobId } from '../job.js';
import { isTerminal } from '../job-state.js';
import { moveTasks } from '../move-state.js';
import { endJobIfDone } from '../work.js';

/** A job whose input results does not take cannot run: it fails with the reason. One that has ended meanwhile stays as it is. */
export function decideRefusal(
  draft: Draft,
  jobId: JobId,
  message: string,
  { workerLeaseMs }: { readonly workerLeaseMs: number },
): void {
  const job = draft.findJob(jobId);
  if (job === undefined || isTerminal(job.state)) return;
  moveTasks(draft, job.jobKey, 'failed', { failure: `DECK_INVALID: ${message}` });
  endJobIfDone(draft, job.jobKey, { missing: 'lost', workerLeaseMs });
}
