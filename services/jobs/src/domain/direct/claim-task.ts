import type { Executables } from '@tally/simulators';
import { leaseEnd } from '../attempt.js';
import type { Draft } from '../change.js';
import { beginOn, canRun } from '../executable.js';
import { moveTask, startJob } from '../move-state.js';
import type { AttemptId, RunnerId, WorkOrder } from '../task.js';

export interface TaskClaim {
  readonly attemptId: AttemptId;
  readonly runnerId: RunnerId;
  readonly leaseMs: number;
  /** That the runner has. */
  readonly executables: Executables;
}

/**
 * Undefined: it is not there to be taken, or is not for this runner; its message is done then, and is published again when another runner
 * may take it.
 */
export function decideRunnerClaim(draft: Draft, claim: TaskClaim): WorkOrder | undefined {
  const { attemptId, executables } = claim;
  const job = findWaitingJob(draft, attemptId);
  const executable = job?.executable ?? null;
  if (executable !== null && !canRun(executable, executables)) {
    draft.parkMessage(attemptId);
    return undefined;
  }
  const order = decideClaim(draft, claim);
  // the first claim of a job, which locks its row, decides of which version all of its tasks are
  if (order !== undefined && job !== undefined && draft.isLocked(job.jobKey)) {
    const begun = executable === null ? null : beginOn(executable, executables);
    draft.putJob({ ...draft.job(job.jobKey), executable: begun, waitingReason: null });
  }
  return order;
}

/** The job of an attempt that nobody has; a runner that has one already keeps it. */
function findWaitingJob(draft: Draft, attemptId: AttemptId) {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null || attempt.runnerId !== null) return undefined;
  return draft.job(draft.task(attempt.taskKey).jobKey);
}

/** Gives an attempt to a worker and opens its lease; the same worker asking again gets the same. Undefined: it is not there to be taken. */
export function decideClaim(
  draft: Draft,
  { attemptId, runnerId, leaseMs }: Omit<TaskClaim, 'executables'>,
): WorkOrder | undefined {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null) return undefined;
  if (attempt.runnerId !== null && attempt.runnerId !== runnerId) return undefined;
  draft.putAttempt({ ...attempt, runnerId, leaseExpiresAt: leaseEnd(draft.now, leaseMs) });
  draft.dropMessage(attempt.id);
  const task = draft.task(attempt.taskKey);
  if (moveTask(draft, task.taskKey, 'claimed')) startJob(draft, task.jobKey); // else: the same worker asks again
  const { jobId, simulator, inputType, seed } = draft.job(task.jobKey);
  return {
    jobId,
    taskId: task.taskId,
    attempt: attempt.number,
    simulator,
    inputType,
    primaries: task.requestedPrimaries,
    firstHistory: task.firstHistory,
    seed,
  };
}
