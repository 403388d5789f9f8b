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
  if (!isFor(draft, claim)) {
    draft.parkMessage(claim.attemptId);
    return undefined;
  }
  const order = decideClaim(draft, claim);
  if (order !== undefined) pinVersion(draft, claim);
  return order;
}

/** Whether the runner has what the task needs; one that has the task already keeps it. */
function isFor(draft: Draft, { attemptId, executables }: TaskClaim): boolean {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined || attempt.endedAt !== null || attempt.runnerId !== null) return true; // decideClaim knows
  const { executable } = draft.job(draft.task(attempt.taskKey).jobKey);
  return executable === null || canRun(executable, executables);
}

/** The first claim of a job, which locks its row, decides of which version all of its tasks are. */
function pinVersion(draft: Draft, { attemptId, executables }: TaskClaim): void {
  const attempt = draft.findAttempt(attemptId);
  if (attempt === undefined) return;
  const job = draft.job(draft.task(attempt.taskKey).jobKey);
  if (job.executable === null || !draft.isLocked(job.jobKey)) return;
  draft.putJob({ ...job, executable: beginOn(job.executable, executables), waitingReason: null });
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
