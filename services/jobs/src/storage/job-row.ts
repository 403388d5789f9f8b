import { sql } from '@tally/service-kit';
import type { Job } from '../domain/job.js';

/** Columns of a job as a {@link JobRow}. */
export const JOB_COLUMNS = sql`simulations.id AS "simulationId", simulations.job_id AS "jobId", simulations.title,
  simulations.platform, simulations.input_type AS "inputType", simulations.simulator, simulations.state,
  simulations.start_time AS "startTime", simulations.end_time AS "endTime", simulations.task_count AS "taskCount",
  simulations.seed::text AS seed, CASE WHEN simulations.state = 'FAILED' THEN simulations.failure END AS failure,
  simulations.cluster_name AS "clusterName", simulations.waiting_reason AS "waitingReason"`;

/** A failure of some tasks is kept before the job has ended, but is not yet the job's. */
export interface JobRow extends Omit<Job, 'seed'> {
  readonly seed: string;
}

export const toJob = (row: JobRow): Job => ({ ...row, seed: BigInt(row.seed) });
