import { invalidField } from '../errors.js';
import type { QuotaOverride, UsageStore, UsageSubject } from './usage-ports.js';

/** More is no bound that anybody means. */
const QUOTA_MAX = 1e15;
const RUNNING_TASKS_MAX = 1_000_000;

/**
 * Sets what each of some users, or groups together, may have in place of the settings of the service; it holds from the next submission and the next
 * round of the dispatcher on. What is null is as the settings say.
 * @throws ServiceError REQUEST_INVALID
 */
export async function setQuota(
  { usage }: { readonly usage: Pick<UsageStore, 'putQuota'> },
  subjects: readonly UsageSubject[],
  quota: QuotaOverride,
): Promise<void> {
  const check = (field: string, value: number | null, most: number, isWhole: boolean) => {
    if (value === null) return;
    if (!(value >= 0 && value <= most) || (isWhole && !Number.isInteger(value))) {
      throw invalidField(field, `must be ${isWhole ? 'a whole number' : 'a number'} from 0 to ${most}; 0: no bound`);
    }
  };
  check('/processor_seconds_month', quota.cpuSecondsMonth, QUOTA_MAX, false);
  check('/stored_bytes', quota.storedBytes, QUOTA_MAX, true);
  check('/running_tasks', quota.runningTasks, RUNNING_TASKS_MAX, true);
  if (subjects.some(({ kind }) => kind === 'group')) {
    const ofUsers = { '/stored_bytes': quota.storedBytes, '/running_tasks': quota.runningTasks };
    for (const [field, value] of Object.entries(ofUsers))
      if (value !== null) throw invalidField(field, 'is a quota of users, not of groups');
  }
  await usage.putQuota(subjects, quota);
}
