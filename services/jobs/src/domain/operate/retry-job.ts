import type { ServiceError } from '@tally/service-kit';
import type { Draft } from '../change.js';
import { fail } from '../errors.js';
import type { JobId } from '../job.js';
import type { State } from '../job-state.js';
import { moveJob, mustMoveTask, requireMoved } from '../move-state.js';
import type { StateStore } from '../ports.js';
import type { RetentionStore } from '../retention/retention-ports.js';
import type { JobRow } from '../snapshot.js';
import { openAttempt } from '../work.js';
import type { OperatorStore } from './operator-ports.js';

const RESULTS_REMOVED = 'A rule of retention has removed what its tasks delivered; submit it again';

export interface RetryPorts {
  readonly retention: Pick<RetentionStore, 'hasLostResults'>;
  readonly operator: Pick<OperatorStore, 'listUndelivered'>;
  readonly states: Pick<StateStore, 'changeTasks'>;
}

export interface Retried {
  readonly state: State;
  /** Tasks that run again. */
  readonly taskCount: number;
}

/**
 * Has the tasks of a FAILED job of the direct platform that delivered nothing run again from their beginning, on the same histories, each
 * with one attempt more than it has had. What the others delivered stays. When all have ended, the job is merged as ever.
 * @throws ServiceError JOB_NOT_FOUND, JOB_NOT_RETRYABLE
 */
export async function retryJob({ operator, states, retention }: RetryPorts, jobId: JobId): Promise<Retried> {
  if (await retention.hasLostResults(jobId)) throw fail('JOB_NOT_RETRYABLE', { message: RESULTS_REMOVED });
  const taskIds = await operator.listUndelivered(jobId);
  const refs = (taskIds.length === 0 ? [1] : taskIds).map((taskId) => ({ need: 'end' as const, jobId, taskId }));
  const outcome = await states.changeTasks(refs, (draft) => decideRetry(draft, jobId, taskIds));
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** @param taskIds - that were seen to have delivered nothing; those that have meanwhile are left alone */
export function decideRetry(draft: Draft, jobId: JobId, taskIds: readonly number[]): Retried | ServiceError {
  const job = draft.findJob(jobId);
  if (job === undefined) return fail('JOB_NOT_FOUND');
  const refusal = findRefusal(job, taskIds.length);
  if (refusal !== undefined) return fail('JOB_NOT_RETRYABLE', { message: refusal });
  requireMoved(`job ${job.jobKey} is FAILED but cannot be retried`, moveJob(draft, job.jobKey, 'retried'));
  draft.putJob({ ...draft.job(job.jobKey), failure: null, waitingReason: null });
  const again = taskIds
    .map((taskId) => draft.findTask(job.jobKey, taskId))
    .filter((task) => task !== undefined && (task.state !== 'COMPLETED' || !task.hasOutput));
  for (const task of again) {
    if (task === undefined) continue;
    mustMoveTask(draft, task.taskKey, 'retried', { attemptId: openAttempt(draft, task) });
    const moved = draft.task(task.taskKey);
    draft.putTask({ ...moved, startTime: null, endTime: null, failure: null, isUnexplained: false, endedBy: null });
  }
  return { state: draft.job(job.jobKey).state, taskCount: again.length };
}

function findRefusal({ state, platform, stoppedAt, endedBy }: JobRow, count: number): string | undefined {
  if (state !== 'FAILED') return `Only a job that is FAILED can be retried; it is ${state}`;
  if (platform !== 'direct') return 'Tasks on a cluster cannot be retried; submit the job again';
  if (stoppedAt !== null) return 'Its owner has stopped it';
  if (endedBy !== null) return 'An external worker has ended it';
  return count === 0 ? 'All of its tasks have delivered; merge it again' : undefined;
}
