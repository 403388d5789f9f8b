import { decideCancel } from '../cancel-job.js';
import type { Draft } from '../change.js';
import { decideDelete } from '../delete-job.js';
import type { JobId } from '../job.js';
import type { StateStore } from '../ports.js';
import type { LeavingStore } from './operator-ports.js';

/** Of one round, at most. */
const OWNERS_MAX = 20;
const JOBS_MAX = 100;

/**
 * One round over users who leave: their open jobs are cancelled, then jobs with their data go, and when there is none, the rest. May be done by
 * several copies at once.
 */
export async function removeLeaving({
  leaving,
  states,
}: {
  readonly leaving: LeavingStore;
  readonly states: Pick<StateStore, 'changeJob'>;
}): Promise<void> {
  for (const ownerId of await leaving.listDue(OWNERS_MAX)) {
    const jobIds = await leaving.listJobs(ownerId, JOBS_MAX);
    for (const jobId of jobIds)
      await states.changeJob({ jobId, ownerId }, 'all', (draft) => decideRemoval(draft, jobId));
    if (jobIds.length < JOBS_MAX) await leaving.removeRest(ownerId);
  }
}

/** A job is first cancelled, and goes in the same change. */
function decideRemoval(draft: Draft, jobId: JobId): void {
  decideCancel(draft, jobId);
  decideDelete(draft, jobId);
}
