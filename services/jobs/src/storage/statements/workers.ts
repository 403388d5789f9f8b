import { type Sql, sql } from '@tally/service-kit';
import type { JobId, Platform } from '../../domain/job.js';
import type { State } from '../../domain/job-state.js';
import { EXTERNAL_PREFIX } from '../../domain/work.js';
import { type TallyRow, taskTally } from './task-tally.js';

/** The id of a job by its key. */
export const findJobId = (jobKey: bigint): Sql<{ readonly jobId: JobId }> => sql`
  SELECT job_id AS "jobId" FROM jobs WHERE id = ${jobKey}`;

type TargetRow = TallyRow & {
  readonly state: State;
  readonly endedBy: string | null;
  readonly platform: Platform;
  /** Null: the job has no such task. */
  readonly taskState: State | null;
  /** The named attempt has been followed by another one. */
  readonly isReplaced: boolean | null;
};

/** A job to which a worker delivers, with its tally and, of a number, the task; none where its update key is over. */
export const findTarget = (
  jobId: JobId,
  taskId: number | null,
  attemptName: string,
  keyHours: number,
): Sql<TargetRow> => sql`
  SELECT jobs.state, end_update_hash AS "endedBy", platform, task.state AS "taskState", task."isReplaced", tally.*
  FROM jobs CROSS JOIN LATERAL (${taskTally(sql`jobs.id`)}) tally
  LEFT JOIN LATERAL (${findTask(sql`jobs.id`, taskId, attemptName)}) task ON true
  WHERE job_id = ${jobId} AND coalesce(closed_at >= now() - ${keyHours}::float8 * interval '1 hour', true)`;

/** `isReplaced`: as judgeAttempt of domain/work.ts says. OFFSET: else the planner may join it with all tasks there are. */
function findTask(jobKey: Sql, taskId: number | null, attemptName: string): Sql {
  return sql`
  SELECT state, ${attemptName} <> '' AND current_attempt_id <> ALL(names) AND EXISTS (
    SELECT 1 FROM attempts WHERE task_key = tasks.id AND attempts.id = ANY(names)) AS "isReplaced"
  FROM tasks, LATERAL (SELECT ARRAY[${attemptName}, ${EXTERNAL_PREFIX} || tasks.id || ':' || ${attemptName}] AS names) named
  WHERE job_key = ${jobKey} AND task_id = ${taskId} OFFSET 0`;
}
