import { invalidField } from '../errors.js';
import type { UserId } from '../job.js';
import type { ProjectQuotas } from '../project/project-ports.js';
import type { SubmissionQuotas } from '../submit/quotas.js';
import type { UsageStore } from '../usage/usage-ports.js';
import type { Belongings, LeavingStore, OwnedTotals } from './operator-ports.js';

export interface HandOverPorts {
  readonly leaving: Pick<LeavingStore, 'addHandOver' | 'readTotals' | 'countBelongings'>;
  readonly usage: Pick<UsageStore, 'findQuota'>;
  readonly quotas: SubmissionQuotas & ProjectQuotas & { readonly storedBytesPerUserMax: number };
}

/** A user has more than his quota, by the name of GET /limits. */
export interface QuotaExcess {
  readonly name: string;
  readonly limit: number;
  readonly used: number;
}

export interface HandOver extends Belongings {
  /** Quotas above which the new owner has then. */
  readonly excesses: readonly QuotaExcess[];
  /** That results may keep of him; 0: no bound. */
  readonly storedBytesMax: number;
}

/**
 * Has all that a user has given to another, from now on. What is above a quota of the new owner is given all the same, and said.
 * @throws ServiceError REQUEST_INVALID
 */
export async function handOver(
  { leaving, usage, quotas }: HandOverPorts,
  ownerId: UserId,
  newOwnerId: UserId,
): Promise<HandOver> {
  if (ownerId <= 0n) throw invalidField('/owner_id', 'is not a user');
  if (newOwnerId <= 0n || newOwnerId === ownerId) throw invalidField('/new_owner_id', 'must be another user');
  const [totals, quota] = await Promise.all([
    leaving.readTotals(ownerId, newOwnerId),
    usage.findQuota({ kind: 'user', userId: newOwnerId }),
  ]);
  await leaving.addHandOver(ownerId, newOwnerId);
  const belongings = await leaving.countBelongings(ownerId);
  return {
    ...belongings,
    excesses: excessesOf(quotas, totals),
    storedBytesMax: quota?.storedBytes ?? quotas.storedBytesPerUserMax,
  };
}

function excessesOf(quotas: HandOverPorts['quotas'], totals: OwnedTotals): QuotaExcess[] {
  const all: readonly QuotaExcess[] = [
    { name: 'open_jobs_per_user_max', limit: quotas.openJobsPerUserMax, used: totals.openJobCount },
    { name: 'open_tasks_per_user_max', limit: quotas.openTasksPerUserMax, used: totals.openTaskCount },
    { name: 'queued_primaries_per_user_max', limit: quotas.queuedPrimariesPerUserMax, used: totals.queuedPrimaries },
    { name: 'projects_per_user_max', limit: quotas.projectsPerUserMax, used: totals.projectCount },
    { name: 'project_bytes_per_user_max', limit: quotas.projectBytesPerUserMax, used: totals.storedBytes },
  ];
  return all.filter(({ limit, used }) => limit > 0 && used > limit);
}
