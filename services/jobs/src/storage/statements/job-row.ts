import { sql } from '@tally/service-kit';
import type { Job } from '../../domain/job.js';

/** Labels of a job that has some. */
const LABELS = sql`json_build_object('revision', jobs.label_revision, 'tags', jobs.tags, 'hasNote', jobs.note IS NOT NULL,
  'isFavourite', jobs.is_favourite, 'isArchived', jobs.is_archived)`;

/** Columns of a job as a {@link JobRow}. */
export const JOB_COLUMNS = sql<JobRow>`jobs.id AS "jobKey", jobs.job_id AS "jobId", jobs.title,
  jobs.platform, jobs.input_type AS "inputType", jobs.simulator, jobs.state,
  jobs.start_time AS "startTime", jobs.end_time AS "endTime", jobs.task_count AS "taskCount",
  jobs.seed::text AS seed, CASE WHEN jobs.state = 'FAILED' THEN jobs.failure END AS failure,
  jobs.cluster_name AS "clusterName", jobs.waiting_reason AS "waitingReason",
  jobs.stopped_at IS NOT NULL AS "isStopped", jobs.merged_primaries AS "simulatedPrimaries", jobs.convergence,
  jobs.submitted_task_count AS "submittedTaskCount", jobs.extensions, jobs.description,
  jobs.on_unsupported AS "onUnsupported", jobs.scheduler_options AS "schedulerOptions",
  CASE WHEN jobs.sweep_id IS NOT NULL THEN json_build_object('sweepId', jobs.sweep_id, 'size', jobs.sweep_size) END AS sweep,
  CASE WHEN jobs.label_revision > 0 THEN ${LABELS} END AS labels`;

/** A failure of some tasks is kept before the job has ended, but is not yet the job's. */
export interface JobRow extends Omit<Job, 'seed'> {
  readonly seed: string;
}

export const toJob = (row: JobRow): Job => ({ ...row, seed: BigInt(row.seed) });
