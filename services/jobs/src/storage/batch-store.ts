import type { BatchStore } from '../domain/batch/batch-ports.js';
import { isTerminal } from '../domain/job-state.js';
import type { Database } from './database.js';
import { findBatchJob } from './statements/batch.js';

export function createBatchStore(database: Database): BatchStore {
  return {
    findBatchJob: async (jobId) => {
      const rows = await database.rows(findBatchJob(jobId));
      const [first] = rows;
      if (first === undefined) return undefined;
      const { ownerId, clusterName, schedulerOptionsJson, simulator, inputType, seed, state, isStopped } = first;
      const target = { ownerId, clusterName, schedulerOptionsJson };
      const tasks = rows.map(({ taskId, primaries, firstHistory, taskState }) => ({
        taskId,
        primaries,
        firstHistory,
        state: taskState,
      }));
      return { target, simulator, inputType, seed: BigInt(seed), isOpen: !isTerminal(state), isStopped, tasks };
    },
  };
}
