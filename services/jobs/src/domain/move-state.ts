/**
 * The only code that changes a state. Each move is one of the transition tables: from a state that the table does not let
 * the trigger leave, nothing moves, and the caller hears it.
 */
import type { Draft } from './change.js';
import { isTerminal, JOB_TRANSITIONS, type JobTrigger, REPORTED, type State, type Transition } from './job-state.js';
import type { JobRow, TaskRow } from './snapshot.js';
import { TASK_TRANSITIONS, type TaskTrigger } from './task-state.js';
import type { JobFields, TaskFields } from './worker/worker-update.js';

/** What is said of a job with its new state, for people; unsaid: it stays. */
export interface JobWords {
  readonly failure?: string | null;
  /** Why it does not go on; null: it does. */
  readonly waitingReason?: string | null;
}

const UNSAID_FAILURE = 'some of its tasks did not complete';
const REPORTED_FAILURE = 'REPORTED: its worker said so';

const mayLeave = ({ from }: Pick<Transition, 'from'>, state: State) => from.some((source) => source === state);

/** The end of a job is set once, with its terminal state, and taken back with that. A FAILED job always says why. */
export function moveJob(draft: Draft, jobKey: bigint, trigger: JobTrigger, words: JobWords = {}): boolean {
  const job = draft.job(jobKey);
  const transition: Transition = JOB_TRANSITIONS[trigger];
  if (!mayLeave(transition, job.state)) return false;
  const { to } = transition;
  const isEnd = isTerminal(to);
  const endTime = isTerminal(job.state) ? null : job.endTime;
  if (isEnd && job.platform === 'batch') draft.endSubmit(job.jobId);
  draft.putJob({
    ...job,
    state: to,
    endTime: isEnd ? (endTime ?? draft.now) : endTime,
    closedAt: isEnd ? draft.now : null,
    failure: words.failure ?? job.failure ?? (to === 'FAILED' ? UNSAID_FAILURE : null),
    waitingReason: isEnd || words.waitingReason !== undefined ? (words.waitingReason ?? null) : job.waitingReason,
  });
  return true;
}

/** Its first task runs. A job that is not locked had started before this transaction began. */
export function startJob(draft: Draft, jobKey: bigint): void {
  if (draft.isLocked(jobKey)) moveJob(draft, jobKey, 'started');
}

export interface TaskMove {
  /** Set with `returned`: the next attempt. */
  readonly attemptId?: string;
  /** Set with `failed`, for people. */
  readonly failure?: string;
  /** Set with `completed` where it is not all that was requested. */
  readonly simulatedPrimaries?: bigint;
}

/** Start and end are set once; an estimate is worth nothing after a change of state; a new attempt starts from zero. */
export function moveTask(draft: Draft, taskKey: bigint, trigger: TaskTrigger, move: TaskMove = {}): boolean {
  const task = draft.task(taskKey);
  const transition: Transition = TASK_TRANSITIONS[trigger];
  if (!mayLeave(transition, task.state)) return false;
  const { to } = transition;
  draft.putTask({
    ...task,
    state: to,
    startTime: to === 'RUNNING' ? (task.startTime ?? draft.now) : task.startTime,
    endTime: isTerminal(to) ? (task.endTime ?? draft.now) : task.endTime,
    simulatedPrimaries: move.simulatedPrimaries ?? simulatedAfter(task, to),
    estimatedSeconds: null,
    currentAttemptId: move.attemptId ?? task.currentAttemptId,
    failure: move.failure ?? task.failure,
    hasOutput: task.hasOutput || trigger === 'completed',
    lastUpdateTime: draft.now,
  });
  return true;
}

/** The same for a move that must be possible. @throws Error when it is not: rows contradict each other */
export function mustMoveTask(draft: Draft, taskKey: bigint, trigger: TaskTrigger, move?: TaskMove): void {
  requireMoved(`task ${taskKey} cannot be ${trigger}`, moveTask(draft, taskKey, trigger, move));
}

function simulatedAfter(task: TaskRow, to: State): bigint {
  if (to === 'COMPLETED') return task.requestedPrimaries;
  return to === 'PENDING' ? 0n : task.simulatedPrimaries;
}

/** All tasks of a job that the trigger may move. Returns how many it moved. */
export function moveTasks(draft: Draft, jobKey: bigint, trigger: TaskTrigger, move?: TaskMove): number {
  return draft.tasksOf(jobKey).filter(({ taskKey }) => moveTask(draft, taskKey, trigger, move)).length;
}

/** @throws Error when a move that must be possible was not */
export function requireMoved(what: string, isMoved: boolean): void {
  if (!isMoved) throw new Error(`the states of the database contradict each other: ${what}`);
}

/** A job as an external worker says it is. @param endedBy - hash of the update, kept when it ends the job */
export function moveJobAsReported(draft: Draft, before: JobRow, fields: JobFields, endedBy: () => string): void {
  requireMoved(`job ${before.jobKey} cannot be ${fields.state}`, mayLeave(REPORTED, before.state));
  const job = draft.job(before.jobKey);
  const isEnd = isTerminal(fields.state);
  if (isEnd && job.platform === 'batch') draft.endSubmit(job.jobId);
  draft.putJob({
    ...job,
    state: fields.state,
    endTime: fields.endTime,
    jobDir: fields.jobDir,
    arrayId: fields.arrayId,
    collectId: fields.collectId,
    failure: job.failure ?? (fields.state === 'FAILED' ? REPORTED_FAILURE : null),
    closedAt: isEnd ? draft.now : null,
    waitingReason: isEnd ? null : job.waitingReason,
    endedBy: isEnd ? endedBy() : null,
  });
}

/** A task as an external worker says it is; the same as for a job. */
export function moveTaskAsReported(draft: Draft, taskKey: bigint, fields: TaskFields, endedBy: () => string): void {
  const task = draft.task(taskKey);
  requireMoved(`task ${taskKey} cannot be ${fields.state}`, mayLeave(REPORTED, task.state));
  const isEnd = isTerminal(fields.state);
  draft.putTask({ ...task, ...fields, lastUpdateTime: draft.now, endedBy: isEnd ? endedBy() : null });
}
