import { sql } from '@tally/service-kit';
import type { Job } from '../domain/job.js';

/** Columns of a job as a {@link JobRow}. */
export const JOB_COLUMNS = sql<JobRow>`jobs.id AS "jobKey", jobs.job_id AS "jobId", jobs.title,
  jobs.platform, jobs.input_type AS "inputType", jobs.simulator, jobs.state,
  jobs.start_time AS "startTime", jobs.end_time AS "endTime", jobs.task_count AS "taskCount",
  jobs.seed::text AS seed, CASE WHEN jobs.state = 'FAILED' THEN jobs.failure END AS failure,
  jobs.cluster_name AS "clusterName", jobs.waiting_reason AS "waitingReason",
  jobs.stopped_at IS NOT NULL AS "isStopped", jobs.merged_primaries AS "simulatedPrimaries", jobs.convergence,
  jobs.submitted_task_count AS "submittedTaskCount", jobs.extensions`;

/**
 * Version of a job: another one after every change of it or of a task, from what PostgreSQL counts rows by. `xmin` is the number of
 * the transaction that made this version of a row, and grows with each (manual, "System Columns").
 */
export const JOB_VERSION = sql<{ readonly version: string }>`
  (SELECT jobs.xmin || '-' || count(*) || '-' || sum(tasks.xmin::text::bigint)
   FROM tasks WHERE tasks.job_key = jobs.id) AS version`;

/** A failure of some tasks is kept before the job has ended, but is not yet the job's. */
export interface JobRow extends Omit<Job, 'seed'> {
  readonly seed: string;
}

export const toJob = (row: JobRow): Job => ({ ...row, seed: BigInt(row.seed) });
