import { type Sql, sql } from '@tally/service-kit';
import type { JobId } from '../../../domain/job.js';
import { OPEN_STATES, type State } from '../../../domain/job-state.js';
import type { AllJobsQuery, OperatedJob } from '../../../domain/operate/operator-ports.js';
import type { RunnerId } from '../../../domain/task.js';
import { JOB_COLUMNS, type JobRow } from '../job-row.js';

/** Of the partial index jobs_open. */
export const IS_OPEN = sql`jobs.state IN ('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING')`;

/** Open attempts that a worker has, by the partial index attempts_leases. */
export const HELD_ATTEMPTS = sql`(SELECT task_key, runner_id FROM attempts
  WHERE ended_at IS NULL AND lease_expires_at > '-infinity') held`;

const jobsOfRunner = (runnerId: RunnerId) => sql`
  SELECT tasks.job_key FROM ${HELD_ATTEMPTS} JOIN tasks ON tasks.id = held.task_key WHERE held.runner_id = ${runnerId}`;

const isOpenOnly = (states: readonly State[]) =>
  states.length > 0 && states.every((state) => OPEN_STATES.some((open) => open === state));

/** A condition is part of the text only where it is asked for: each combination is planned for itself. */
function conditionsOf(query: AllJobsQuery): Sql {
  const { beforeKey, ownerId, jobId, requestId, states, platform, clusterName, runnerId, groupId } = query;
  const given = [
    beforeKey === undefined ? [] : [sql`jobs.id < ${beforeKey}`],
    ownerId === undefined ? [] : [sql`jobs.owner_id = ${ownerId}`],
    jobId === undefined ? [] : [sql`jobs.job_id = ${jobId}`],
    requestId === undefined ? [] : [sql`jobs.request_id = ${requestId}`],
    states.length === 0 ? [] : [sql`jobs.state = ANY(${[...states]})`],
    isOpenOnly(states) ? [IS_OPEN] : [],
    platform === undefined ? [] : [sql`jobs.platform = ${platform}`],
    clusterName === undefined ? [] : [sql`jobs.cluster_name = ${clusterName}`],
    groupId === undefined ? [] : [sql`jobs.group_id = ${groupId}`],
    runnerId === undefined ? [] : [sql`jobs.id IN (${jobsOfRunner(runnerId)})`],
  ].flat();
  return given.reduce((all, one) => sql`${all} AND ${one}`, sql`true`);
}

/** A job with what its tasks come to. */
export type OperatedRow = JobRow & Omit<OperatedJob, keyof JobRow>;

/** The newest jobs of all users that match. */
export const listAllJobs = (query: AllJobsQuery): Sql<OperatedRow> => sql<OperatedRow>`
  SELECT ${JOB_COLUMNS}, jobs.owner_id AS "ownerId", jobs.request_id AS "requestId", jobs.executable, counted.*, at_work."runnerIds"
  FROM (SELECT * FROM jobs WHERE ${conditionsOf(query)} ORDER BY id DESC LIMIT ${query.pageSize}) jobs
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE state = 'PENDING')::int AS "pendingTaskCount",
      count(*) FILTER (WHERE state = 'RUNNING')::int AS "runningTaskCount",
      count(*) FILTER (WHERE state = 'FAILED')::int AS "failedTaskCount"
    FROM tasks WHERE job_key = jobs.id OFFSET 0) counted
  CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(DISTINCT runner_id), '{}') AS "runnerIds"
    FROM (SELECT current_attempt_id FROM tasks WHERE job_key = jobs.id AND state = 'RUNNING' OFFSET 0) task
    CROSS JOIN LATERAL (
      SELECT runner_id FROM attempts WHERE id = task.current_attempt_id AND runner_id IS NOT NULL OFFSET 0) attempt) at_work
  ORDER BY jobs.id DESC`;

/** Tasks of a job that have not delivered. */
export const listUndelivered = (jobId: JobId): Sql<{ readonly taskId: number }> => sql<{ readonly taskId: number }>`
  SELECT task_id AS "taskId" FROM tasks
  WHERE job_key = (SELECT id FROM jobs WHERE job_id = ${jobId}) AND (state <> 'COMPLETED' OR NOT has_output)
  ORDER BY task_id`;
