import type { Draft } from './change.js';
import type { JobId } from './job.js';
import { isTerminal, type State } from './job-state.js';
import { mustMoveTask } from './move-state.js';
import { requireFound } from './owned.js';
import type { JobQuery, JobStore, StateStore } from './ports.js';
import type { TaskRow } from './snapshot.js';
import { EXTERNAL_WORKER, endJobIfDone, endOpenAttempt } from './work.js';

export interface StopPorts {
  readonly jobs: JobStore;
  readonly states: StateStore;
  /** Lease of external workers. */
  readonly workerLeaseMs: number;
}

/** What a call to stop a job has come to; `isStopped`: it ends early, by this call or an earlier one. */
export interface StopAnswer {
  readonly state: State;
  readonly isStopped: boolean;
}

/**
 * Ends a job of the acting user early and keeps what it has (ADR 14). Pending tasks never start. Running ones learn from the
 * answer to their next heartbeat that they are to hand over what they have simulated, so the intent survives everybody's
 * restart. A job of which all tasks have ended stays as it is.
 * @throws ServiceError JOB_NOT_FOUND, JOB_OF_ANOTHER_USER
 */
export async function stopJob({ jobs, states, workerLeaseMs }: StopPorts, query: JobQuery): Promise<StopAnswer> {
  const answer = await states.changeJob(query, 'all', (draft) => decideStop(draft, query.jobId, workerLeaseMs));
  return requireFound(jobs, query, answer);
}

/** Undefined: there is no such job. */
export function decideStop(draft: Draft, jobId: JobId, workerLeaseMs: number): StopAnswer | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined) return undefined;
  const { jobKey, platform } = job;
  const open = draft.tasksOf(jobKey).filter(({ state }) => !isTerminal(state));
  if (isTerminal(job.state) || job.stoppedAt !== null || open.length === 0) {
    return { state: job.state, isStopped: job.stoppedAt !== null };
  }
  draft.putJob({ ...job, stoppedAt: draft.now });
  for (const task of open) {
    draft.putTask({ ...task, mustFinish: true });
    if (platform === 'batch' ? task.state === 'RUNNING' || task.hasOutput : isAtRunner(draft, task)) continue;
    endOpenAttempt(draft, task.taskKey, 'canceled');
    mustMoveTask(draft, task.taskKey, 'canceled');
  }
  endJobIfDone(draft, jobKey, { missing: platform === 'batch' ? 'pending' : 'external', workerLeaseMs });
  return { state: draft.job(jobKey).state, isStopped: true };
}

/** An external worker cannot hand over a part: nothing asks it for one. */
function isAtRunner(draft: Draft, { taskKey }: TaskRow): boolean {
  const runnerId = draft.openAttemptOf(taskKey)?.runnerId ?? null;
  return runnerId !== null && runnerId !== EXTERNAL_WORKER;
}
