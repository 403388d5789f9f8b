import type { Draft } from '../change.js';
import type { JobId } from '../job.js';
import { isTerminal, type State } from '../job-state.js';
import { moveTaskAsReported, startJob } from '../move-state.js';
import type { JobNeed } from '../ports.js';
import { endJobIfDone, endOpenAttempt, holdAttempt, judgeAttempt } from '../work.js';
import { authorizeWorker, isOver, requireThere } from './authorize-worker.js';
import type { WorkerCredential, WorkerPorts } from './worker-ports.js';
import { type Decision, decideTaskUpdate, hashUpdate, type TaskFields, type TaskUpdate } from './worker-update.js';

export interface TaskTarget {
  readonly taskId: number;
  /** The attempt as the worker calls it; undefined: not said. */
  readonly attemptName: string | undefined;
}

/**
 * A worker's update of one task. With the last task the job goes on to its merge, or fails when no task delivered.
 * @returns whether it applied (also true for a repeat of the update that ended the task), and whether the worker should
 *   stop (its attempt was replaced, or the task ended otherwise) or finish (its job was stopped)
 * @throws ServiceError UPDATE_KEY_INVALID, TASK_NOT_FOUND
 */
export async function updateTask(
  ports: WorkerPorts,
  credential: WorkerCredential,
  target: TaskTarget,
  update: TaskUpdate,
): Promise<{ readonly isApplied: boolean; readonly mustStop: boolean; readonly mustFinish: boolean }> {
  const jobId = await authorizeWorker(ports, credential);
  const ref = { jobId, taskId: target.taskId, need: needOf(update.state) };
  const decision = requireThere(
    await ports.states.changeTasks([ref], (draft) =>
      decideWorkerTaskUpdate(draft, { ...target, jobId, update }, ports),
    ),
  );
  if (decision.kind === 'ignored') {
    return { isApplied: decision.isRepeat, mustStop: !decision.isRepeat, mustFinish: false };
  }
  return { isApplied: true, mustStop: false, mustFinish: decision.mustFinish };
}

/** Numbers change the task alone, so that updates of a job's tasks do not wait for each other. */
function needOf(state: State | undefined): JobNeed {
  if (state !== undefined && isTerminal(state)) return 'end';
  return state === 'RUNNING' ? 'start' : 'facts';
}

/** With whether the worker is to finish. */
type TaskDecision = Decision<TaskFields> & { readonly mustFinish: boolean };

/** Undefined: no such job any more, or its key is over; `noTask`: it has no such task. */
export function decideWorkerTaskUpdate(
  draft: Draft,
  { jobId, taskId, attemptName, update }: TaskTarget & { readonly jobId: JobId; readonly update: TaskUpdate },
  { workerLeaseMs, updateKeyHours }: Pick<WorkerPorts, 'workerLeaseMs' | 'updateKeyHours'>,
): TaskDecision | 'noTask' | undefined {
  const job = draft.findJob(jobId);
  if (job === undefined || isOver(job, draft.now, updateKeyHours)) return undefined;
  const { jobKey } = job;
  const task = draft.findTask(jobKey, taskId);
  if (task === undefined) return 'noTask';
  const { taskKey } = task;
  const isDirect = job.platform === 'direct'; // on a cluster the scheduler has the tasks
  const attempt = isDirect ? judgeAttempt(draft, task, attemptName) : 'current';
  const decision = decideTaskUpdate(task, attempt, task.endedBy, update, draft.now);
  if (decision.kind === 'ignored') return { ...decision, mustFinish: false };
  const { state } = decision.fields;
  if (isDirect) holdAttempt(draft, task, attemptName, workerLeaseMs);
  if (isTerminal(state)) endOpenAttempt(draft, taskKey, outcomeOf(state));
  moveTaskAsReported(draft, taskKey, decision.fields, () => hashUpdate(update));
  if (state === 'RUNNING' && task.state !== state) startJob(draft, jobKey);
  if (isTerminal(state)) endJobIfDone(draft, jobKey, { missing: isDirect ? 'external' : 'pending', workerLeaseMs });
  return { ...decision, mustFinish: task.mustFinish && !isTerminal(state) };
}

function outcomeOf(state: State): 'completed' | 'failed' | 'canceled' {
  if (state === 'COMPLETED') return 'completed';
  return state === 'FAILED' ? 'failed' : 'canceled';
}
