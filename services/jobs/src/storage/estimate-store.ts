import type { ExecutableName } from '../domain/executable.js';
import type { EstimateStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { listRuns, listWaiting } from './statements/estimates.js';

export function createEstimateStore(database: Database): EstimateStore {
  return {
    listWaiting: async (ownerId) => {
      const rows = await database.rows(listWaiting(ownerId));
      return rows.map(({ executable, ...row }) => ({
        ...row,
        executable: (executable ?? undefined) as ExecutableName | undefined,
      }));
    },
    listRuns: (work) => database.rows(listRuns(work)),
  };
}
