import type { EstimateStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { countSlotsAndWaiting, listRuns } from './statements/estimates.js';

export function createEstimateStore(database: Database): EstimateStore {
  return {
    load: async () => (await database.row(countSlotsAndWaiting())) ?? { slotCount: 0, waitingTaskCount: 0 },
    listRuns: (work) => database.rows(listRuns(work)),
  };
}
