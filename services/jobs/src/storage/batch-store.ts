import { sql } from '@tally/service-kit';
import type { BatchJob, BatchStore } from '../domain/batch/batch-ports.js';
import type { UserId } from '../domain/job.js';
import { isTerminal, type State } from '../domain/job-state.js';
import type { Database } from './database.js';

interface OrderRow extends Pick<BatchJob, 'simulator' | 'inputType'> {
  readonly seed: string;
  readonly ownerId: UserId;
  readonly clusterName: string;
  readonly schedulerOptionsJson: Uint8Array;
  readonly state: State;
  readonly isStopped: boolean;
  readonly taskId: number;
  readonly primaries: bigint;
  readonly firstHistory: bigint;
  readonly taskState: State;
}

export function createBatchStore(database: Database): BatchStore {
  return {
    findBatchJob: async (jobId) => {
      const rows = await database.rows(sql<OrderRow>`
        SELECT owner_id AS "ownerId", cluster_name AS "clusterName", coalesce(scheduler_options, '') AS "schedulerOptionsJson",
          simulator, input_type AS "inputType", seed::text AS seed, jobs.state, stopped_at IS NOT NULL AS "isStopped", task_id AS "taskId",
          requested_primaries AS primaries, first_history AS "firstHistory", tasks.state AS "taskState"
        FROM jobs JOIN tasks ON job_key = jobs.id
        WHERE job_id = ${jobId} AND platform = 'batch' ORDER BY task_id`);
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
