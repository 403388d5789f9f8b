import type { JobId } from '../domain/job.js';
import { isTerminal, type State } from '../domain/job-state.js';
import type { WorkerStore } from '../domain/worker/worker-ports.js';
import type { Database } from './database.js';
import { readTaskTally } from './statements/task-tally.js';
import { findJobId, findTarget } from './statements/workers.js';

export function createWorkerStore(database: Database): WorkerStore {
  return {
    findJobId: (jobKey) => readJobId(database, jobKey),
    findTarget: (jobId, upload, keyHours) => readTarget(database, jobId, upload, keyHours),
  };
}

/** Largest value of a bigint column. */
const ID_MAX = 2n ** 63n - 1n;

async function readJobId(database: Database, jobKey: string): Promise<JobId | undefined> {
  if (jobKey.length > `${ID_MAX}`.length || BigInt(jobKey) > ID_MAX) return undefined;
  return (await database.row(findJobId(BigInt(jobKey))))?.jobId;
}

async function readTarget(
  database: Database,
  jobId: JobId,
  { taskId, attemptName = '' }: { readonly taskId: number | undefined; readonly attemptName: string | undefined },
  keyHours: number,
) {
  const row = await database.row(findTarget(jobId, taskId ?? null, attemptName, keyHours));
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
