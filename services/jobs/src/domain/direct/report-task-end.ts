import { type AttemptEnd, type AttemptLimits, decideNextStep, failedEnd, summarizeTries } from '../attempt.js';
import type { Draft } from '../change.js';
import { mustMoveTask } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { TaskRow } from '../snapshot.js';
import type { AttemptId } from '../task.js';
import { EXTERNAL_WORKER, endJobIfDone, hasExpired, openAttempt } from '../work.js';
import { noteCpu } from './report-task.js';

/** How a worker says that an attempt ended; `lost`: it says nothing any more. */
export type TaskEnd = (
  | { readonly kind: 'completed'; readonly simulatedPrimaries: bigint }
  | Exclude<AttemptEnd, { readonly kind: 'completed' }>
) & {
  /** Processor time in all, milliseconds; undefined: not measured. */
  readonly cpuMs?: number | undefined;
};

export interface EndTaskPorts {
  readonly states: StateStore;
  readonly limits: AttemptLimits;
  /** Lease of external workers. */
  readonly workerLeaseMs: number;
}

/**
 * Ends an attempt: the task is done, tried again or failed for good; with the last task the job goes on to its merge, or
 * fails when no task delivered. A completion that did not simulate what was asked for counts as a failure, unless the job
 * was stopped: then what was simulated counts, and what was not is not tried again.
 * @returns false when it was ignored: the attempt was replaced or cancelled, or had ended otherwise
 */
export function reportTaskEnd(ports: EndTaskPorts, attemptId: AttemptId, end: TaskEnd): Promise<boolean> {
  return ports.states.changeTasks([{ attemptId, need: 'end' }], (draft) => decideTaskEnd(draft, attemptId, end, ports));
}

/**
 * `lost` applies only while the lease is over, everything else only to an attempt that a runner has claimed. True also for a repeat of the end
 * that was stored.
 */
export function decideTaskEnd(
  draft: Draft,
  attemptId: AttemptId,
  taskEnd: TaskEnd,
  { limits, workerLeaseMs }: Pick<EndTaskPorts, 'limits' | 'workerLeaseMs'>,
): boolean {
  const attempt = noteCpu(draft, attemptId, taskEnd.cpuMs);
  if (attempt === undefined) return false;
  const task = draft.task(attempt.taskKey);
  const end = judge(task, taskEnd);
  const isLost = end.kind === 'lost';
  const isRunners = attempt.runnerId !== null && attempt.runnerId !== EXTERNAL_WORKER;
  const mayEnd = attempt.endedAt === null && (isLost ? hasExpired(draft, attempt) : isRunners);
  if (!mayEnd) return !isLost && attempt.outcome === end.kind;
  draft.putAttempt({ ...attempt, endedAt: draft.now, outcome: end.kind, leaseExpiresAt: null });
  const earlier = draft.attemptsOf(task.taskKey).filter(({ id }) => id !== attemptId);
  const step = decideNextStep(end, summarizeTries(earlier), limits);
  const { taskKey } = task;
  switch (step.kind) {
    case 'retry':
      if (task.mustFinish) {
        mustMoveTask(draft, taskKey, 'canceled'); // it has handed nothing over, and is not tried again
        break;
      }
      mustMoveTask(draft, taskKey, 'returned', { attemptId: openAttempt(draft, task) });
      return true;
    case 'complete':
      mustMoveTask(draft, taskKey, 'completed', completedWith(taskEnd));
      break;
    case 'fail':
      mustMoveTask(draft, taskKey, 'failed', step);
      break;
  }
  endJobIfDone(draft, task.jobKey, { missing: 'external', workerLeaseMs });
  return true;
}

/** Nothing said: the other ends are none. */
const completedWith = (end: TaskEnd) =>
  end.kind === 'completed' ? { simulatedPrimaries: end.simulatedPrimaries } : {};

function judge({ requestedPrimaries, mustFinish }: TaskRow, end: TaskEnd): AttemptEnd {
  if (end.kind === 'failed') return failedEnd(end.reason, end.message, end.isRetryable);
  if (end.kind !== 'completed' || end.simulatedPrimaries === requestedPrimaries) return end;
  if (mustFinish && end.simulatedPrimaries > 0n && end.simulatedPrimaries < requestedPrimaries) return end;
  const message = `${end.simulatedPrimaries} of ${requestedPrimaries} primaries simulated`;
  return failedEnd('PRIMARIES_MISSING', message, true);
}
