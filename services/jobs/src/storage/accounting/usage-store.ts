import type { UsageStore } from '../../domain/usage/usage-ports.js';
import type { Database } from '../database.js';
import {
  deleteQuota,
  findQuota,
  listQuotas,
  putQuota,
  usageByDay,
  usageByMonth,
  usageOfMonth,
  usageOfRunning,
} from '../statements/accounting/usage.js';

const NOTHING_RUNS = { runningTaskCount: 0, runningCpuMs: 0 };

export const createUsageStore = (database: Database): UsageStore => ({
  listUsage: (query) => database.rows(usageByDay(query)),
  listMonths: (fromMonth, toMonth) => database.rows(usageByMonth(fromMonth, toMonth)),
  readCurrent: async (subject) => {
    const running = subject.kind === 'user' ? usageOfRunning(subject.userId) : undefined;
    const [month, now] = await Promise.all([
      database.row(usageOfMonth(subject)),
      running === undefined ? undefined : database.row(running),
    ]);
    if (month === undefined) throw new Error('a sum without its row');
    return { ...month, ...(now ?? NOTHING_RUNS) };
  },
  findQuota: (subject) => database.row(findQuota(subject)),
  listQuotas: () => database.rows(listQuotas()),
  putQuota: async (subjects, quota) => {
    const isSet = Object.values(quota).some((value) => value !== null);
    await database.run(isSet ? putQuota(subjects, quota) : deleteQuota(subjects));
  },
});
