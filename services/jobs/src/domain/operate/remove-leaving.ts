import { decideCancel } from '../cancel-job.js';
import type { Draft } from '../change.js';
import { decideDelete } from '../delete-job.js';
import type { JobId } from '../job.js';
import type { JobData, StateStore } from '../ports.js';
import { processAll } from '../upkeep/process-due.js';
import type { Leaving, LeavingStore } from './operator-ports.js';

/** Of one round, at most. */
const OWNERS_MAX = 20;
const JOBS_MAX = 100;

export interface LeavingPorts {
  readonly leaving: LeavingStore;
  readonly states: Pick<StateStore, 'changeJob'>;
  readonly jobData: Pick<JobData, 'updateOwner'>;
}

/**
 * One round over users who leave: what they have goes, or is given to another user. May be done by several copies at once, and be cut off
 * anywhere. One whose data cannot be given does not hold up the others.
 */
export async function removeLeaving(ports: LeavingPorts): Promise<void> {
  await processAll(await ports.leaving.listDue(OWNERS_MAX), (leaving) => leave(ports, leaving));
}

async function leave(ports: LeavingPorts, { ownerId, newOwnerId }: Leaving): Promise<void> {
  const { leaving } = ports;
  const jobs = await leaving.listJobs(ownerId, JOBS_MAX);
  if (newOwnerId === null) await removeJobs(ports, ownerId, jobs);
  else await giveJobs(ports, { ownerId, newOwnerId }, jobs);
  if (jobs.length === JOBS_MAX) return; // there may be more
  await (newOwnerId === null ? leaving.removeProjects(ownerId) : leaving.giveProjects(ownerId, newOwnerId));
  await leaving.removeRest(ownerId);
}

type LeavingJobs = Awaited<ReturnType<LeavingStore['listJobs']>>;

/** A job is first cancelled, and goes in the same change. */
async function removeJobs({ states }: LeavingPorts, ownerId: bigint, jobs: LeavingJobs): Promise<void> {
  const decide = (draft: Draft, jobId: JobId) => {
    decideCancel(draft, jobId);
    decideDelete(draft, jobId);
  };
  for (const { jobId } of jobs) await states.changeJob({ jobId, ownerId }, 'all', (draft) => decide(draft, jobId));
}

/**
 * results is told first: while a job is here, it is found again, and what results has been told already changes nothing. Jobs run on clusters
 * under the account of who leaves, which nobody else can use.
 */
async function giveJobs(
  { leaving, states, jobData }: LeavingPorts,
  { ownerId, newOwnerId }: { readonly ownerId: bigint; readonly newOwnerId: bigint },
  jobs: LeavingJobs,
): Promise<void> {
  if (jobs.length === 0) return;
  for (const { jobId } of jobs.filter(({ isOpenOnCluster }) => isOpenOnCluster))
    await states.changeJob({ jobId, ownerId }, 'all', (draft) => decideCancel(draft, jobId));
  const jobIds = jobs.map(({ jobId }) => jobId);
  await jobData.updateOwner(jobIds, ownerId, newOwnerId);
  await leaving.giveJobs(ownerId, newOwnerId, jobIds);
}
