import { type Sql, sql } from '@tally/service-kit';
import type { JobId, Platform } from '../domain/job.js';
import { isTerminal, type State } from '../domain/job-state.js';
import { EXTERNAL_PREFIX } from '../domain/work.js';
import type { WorkerStore } from '../domain/worker/worker-ports.js';
import type { Database } from './database.js';
import { loadTaskTally } from './task-tally.js';

export function createWorkerStore(database: Database): WorkerStore {
  return {
    findJob: (jobRef, keyHours) => findJob(database, jobRef, keyHours),
    findTarget: (jobId, taskId, attemptName) => findTarget(database, jobId, taskId, attemptName),
  };
}

/** Largest value of a bigint column. */
const ID_MAX = 2n ** 63n - 1n;

async function findJob(database: Database, jobRef: string, keyHours: number) {
  const isKey = /^\d{1,19}$/.test(jobRef) && BigInt(jobRef) <= ID_MAX;
  const isNamed = isKey ? sql`id = ${BigInt(jobRef)}` : sql`job_id = ${jobRef.replaceAll('\0', '')}`;
  return database.row(sql<{ readonly jobId: JobId; readonly isOver: boolean }>`
    SELECT job_id AS "jobId", coalesce(closed_at < now() - ${keyHours}::float8 * interval '1 hour', false) AS "isOver"
    FROM jobs WHERE ${isNamed}`);
}

interface TargetJob {
  readonly jobKey: bigint;
  readonly state: State;
  readonly endedBy: string | null;
  readonly platform: Platform;
}
interface TargetTask {
  readonly state: State;
  /** The named attempt has been followed by another one. */
  readonly isReplaced: boolean;
}

async function findTarget(
  database: Database,
  jobId: JobId,
  taskId: number | undefined,
  attemptName: string | undefined,
) {
  const job = await database.row(sql<TargetJob>`
    SELECT id AS "jobKey", state, end_update_hash AS "endedBy", platform FROM jobs WHERE job_id = ${jobId}`);
  if (job === undefined) return undefined;
  const { endedBy, platform } = job;
  const isOpen = !isTerminal(job.state);
  const target = { isWanted: isOpen, endedBy, tally: await loadTaskTally(database, job.jobKey) };
  if (taskId === undefined) return target;
  const task = await database.row(findTask(job.jobKey, taskId, attemptName));
  if (task === undefined) return 'noTask';
  if (platform === 'batch') {
    const isOfCanceled = job.state === 'CANCELED' && task.state !== 'FAILED';
    return { ...target, isWanted: isOfCanceled || (isOpen && !isGivenUp(task.state)) };
  }
  return { ...target, isWanted: isOpen && !isGivenUp(task.state) && !task.isReplaced };
}

const isGivenUp = (state: State) => state === 'FAILED' || state === 'CANCELED';

/** `isReplaced`: as judgeAttempt of domain/work.ts says. */
function findTask(jobKey: bigint, taskId: number, attemptName = ''): Sql<TargetTask> {
  return sql`
    SELECT state, ${attemptName} <> '' AND current_attempt_id <> ALL(names) AND EXISTS (
      SELECT 1 FROM attempts WHERE task_key = tasks.id AND attempts.id = ANY(names)) AS "isReplaced"
    FROM tasks, LATERAL (SELECT ARRAY[${attemptName}, ${EXTERNAL_PREFIX} || tasks.id || ':' || ${attemptName}] AS names) named
    WHERE job_key = ${jobKey} AND task_id = ${taskId}`;
}
