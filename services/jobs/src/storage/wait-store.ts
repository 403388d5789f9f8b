import type { WaitStore } from '../domain/direct/wait-ports.js';
import type { Quotas } from '../domain/submit/quotas.js';
import type { Database } from './database.js';
import { countRunners, listWaits } from './statements/waits.js';

/** @param quotas - running tasks of a user, at most; 0: no bound */
export function createWaitStore(database: Database, quotas: Pick<Quotas, 'runningTasksPerUserMax'>): WaitStore {
  return {
    countRunners: async () =>
      (await database.row(countRunners())) ?? { runnerCount: 0, drainingCount: 0, takenCount: 0 },
    listWaits: (reasons, afterMs, limit) =>
      database.rows(listWaits(reasons, { afterMs, limit, runningMax: quotas.runningTasksPerUserMax })),
  };
}
