import { type Sql, sql } from '@tally/service-kit';
import type { JobId, Platform } from '../domain/job.js';
import { isTerminal, type State } from '../domain/job-state.js';
import { EXTERNAL_PREFIX } from '../domain/work.js';
import type { WorkerStore } from '../domain/worker/worker-ports.js';
import type { Database } from './database.js';
import { readTaskTally, type TallyRow, taskTally } from './task-tally.js';

export function createWorkerStore(database: Database): WorkerStore {
  return {
    findJobId: (jobKey) => findJobId(database, jobKey),
    findTarget: (jobId, upload, keyHours) => findTarget(database, jobId, upload, keyHours),
  };
}

/** Largest value of a bigint column. */
const ID_MAX = 2n ** 63n - 1n;

async function findJobId(database: Database, jobKey: string): Promise<JobId | undefined> {
  if (jobKey.length > `${ID_MAX}`.length || BigInt(jobKey) > ID_MAX) return undefined;
  const row = await database.row(sql<{ readonly jobId: JobId }>`
    SELECT job_id AS "jobId" FROM jobs WHERE id = ${BigInt(jobKey)}`);
  return row?.jobId;
}

type TargetRow = TallyRow & {
  readonly state: State;
  readonly endedBy: string | null;
  readonly platform: Platform;
  /** Null: the job has no such task. */
  readonly taskState: State | null;
  /** The named attempt has been followed by another one. */
  readonly isReplaced: boolean | null;
};

async function findTarget(
  database: Database,
  jobId: JobId,
  { taskId, attemptName = '' }: { readonly taskId: number | undefined; readonly attemptName: string | undefined },
  keyHours: number,
) {
  const row = await database.row(sql<TargetRow>`
    SELECT jobs.state, end_update_hash AS "endedBy", platform, task.state AS "taskState", task."isReplaced", tally.*
    FROM jobs CROSS JOIN LATERAL (${taskTally(sql`jobs.id`)}) tally
    LEFT JOIN LATERAL (${findTask(sql`jobs.id`, taskId ?? null, attemptName)}) task ON true
    WHERE job_id = ${jobId} AND coalesce(closed_at >= now() - ${keyHours}::float8 * interval '1 hour', true)`);
  if (row === undefined) return undefined;
  const { state, endedBy, platform, taskState, isReplaced, ...tally } = row;
  const isOpen = !isTerminal(state);
  const target = { isWanted: isOpen, endedBy, tally: readTaskTally(tally) };
  if (taskId === undefined) return target;
  if (taskState === null) return 'noTask';
  if (platform === 'batch') {
    const isOfCanceled = state === 'CANCELED' && taskState !== 'FAILED';
    return { ...target, isWanted: isOfCanceled || (isOpen && !isGivenUp(taskState)) };
  }
  return { ...target, isWanted: isOpen && !isGivenUp(taskState) && isReplaced !== true };
}

const isGivenUp = (state: State) => state === 'FAILED' || state === 'CANCELED';

/** `isReplaced`: as judgeAttempt of domain/work.ts says. OFFSET: else the planner may join it with all tasks there are. */
const findTask = (jobKey: Sql, taskId: number | null, attemptName: string): Sql => sql`
  SELECT state, ${attemptName} <> '' AND current_attempt_id <> ALL(names) AND EXISTS (
    SELECT 1 FROM attempts WHERE task_key = tasks.id AND attempts.id = ANY(names)) AS "isReplaced"
  FROM tasks, LATERAL (SELECT ARRAY[${attemptName}, ${EXTERNAL_PREFIX} || tasks.id || ':' || ${attemptName}] AS names) named
  WHERE job_key = ${jobKey} AND task_id = ${taskId} OFFSET 0`;
