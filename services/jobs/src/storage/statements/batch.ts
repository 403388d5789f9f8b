import { type Sql, sql } from '@tally/service-kit';
import type { BatchJob } from '../../domain/batch/batch-ports.js';
import type { JobId, UserId } from '../../domain/job.js';
import type { State } from '../../domain/job-state.js';

/** A task, with its job. */
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

/** A batch job with its tasks of the same moment, a row each. */
export const findBatchJob = (jobId: JobId): Sql<OrderRow> => sql`
  SELECT owner_id AS "ownerId", cluster_name AS "clusterName", coalesce(scheduler_options, '') AS "schedulerOptionsJson",
    simulator, input_type AS "inputType", seed::text AS seed, jobs.state, stopped_at IS NOT NULL AS "isStopped", task_id AS "taskId",
    requested_primaries AS primaries, first_history AS "firstHistory", tasks.state AS "taskState"
  FROM jobs JOIN tasks ON job_key = jobs.id
  WHERE job_id = ${jobId} AND platform = 'batch' ORDER BY task_id`;
