/**
 * Attempts with their messages, and merges: opened, held by external workers, ended. Whoever reports on a task, or says that it
 * merges, holds it from then on under a lease. Of an attempt that is open, exactly one thing is true: a message waits for a runner,
 * in the outbox or parked, or a lease runs; while the input of its job is pending, its message is not written yet.
 */
import { newId } from '@tally/service-kit';
import { leaseEnd } from './attempt.js';
import type { Draft } from './change.js';
import { decideJobStep, type JobStep, type MissingOutputs, type TaskTally } from './job-end.js';
import { moveJob, requireMoved } from './move-state.js';
import type { AttemptRow, TaskRow } from './snapshot.js';

/** In the place of a runner's name: an external worker, who is known by its update key and not by a name. */
export const EXTERNAL_WORKER = 'outside:http';

/** Before the key of the task and the name of the attempt. */
export const EXTERNAL_PREFIX = 'outside:';
/** An attempt that an external worker named, as it is kept: its own names are unique within the task only. */
export const externalAttemptId = (taskKey: bigint, name: string): string => `${EXTERNAL_PREFIX}${taskKey}:${name}`;

/** Nobody has renewed its lease in time. */
export const hasExpired = ({ now }: Draft, { leaseExpiresAt }: AttemptRow): boolean =>
  leaseExpiresAt !== null && leaseExpiresAt < now;
const nextNumber = (tries: readonly { readonly number: number }[]) =>
  Math.max(0, ...tries.map(({ number }) => number)) + 1;
const unclaimed = { runnerId: null, leaseExpiresAt: null, endedAt: null, outcome: null, cpuMs: 0 };

/** Opens the next attempt of a task, with its message. Returns its id. */
export function openAttempt(draft: Draft, { taskKey, jobKey }: TaskRow): string {
  const id = newId();
  draft.putAttempt({ id, taskKey, number: nextNumber(draft.attemptsOf(taskKey)), ...unclaimed });
  draft.addMessage({ id, jobKey, ownerId: draft.job(jobKey).ownerId });
  return id;
}

/** Opens the next merge of a job, in place of the one that there may be: what comes of that does not count any more. */
export function openMerge(
  draft: Draft,
  jobKey: bigint,
  when: { readonly isExternal: boolean; readonly dueAt: Date },
): void {
  const id = newId();
  const job = draft.job(jobKey);
  draft.putMerge({ id, jobKey, failedCount: 0, ...when });
  draft.putJob({ ...job, mergeId: id, mergeNumber: job.mergeNumber + 1 });
}

type Outcome = 'completed' | 'failed' | 'canceled';

function endAttempt(draft: Draft, attempt: AttemptRow, outcome: Outcome): void {
  draft.putAttempt({ ...attempt, endedAt: draft.now, outcome, leaseExpiresAt: null });
  draft.dropMessage(attempt.id);
}

/** Ends the open attempt of a task, if there is one, and takes its message back. */
export function endOpenAttempt(draft: Draft, taskKey: bigint, outcome: Outcome): void {
  const open = draft.openAttemptOf(taskKey);
  if (open !== undefined) endAttempt(draft, open, outcome);
}

/** Ends all that is open of a job and takes its messages back: nothing of it is wanted any more. */
export function closeWork(draft: Draft, jobKey: bigint): void {
  for (const attempt of draft.openAttempts(jobKey)) endAttempt(draft, attempt, 'canceled');
  draft.endMerge(jobKey);
}

/** How an attempt that an external worker names stands to the task's current one. */
export function judgeAttempt(
  draft: Draft,
  { taskKey, currentAttemptId }: TaskRow,
  name: string | undefined,
): 'current' | 'new' | 'replaced' {
  if (name === undefined) return 'current';
  const names = [name, externalAttemptId(taskKey, name)];
  if (names.includes(currentAttemptId)) return 'current';
  return draft.attemptsOf(taskKey).some(({ id }) => names.includes(id)) ? 'replaced' : 'new';
}

const isUnheld = ({ runnerId }: AttemptRow) => runnerId === null || runnerId === EXTERNAL_WORKER;

/**
 * Gives a task to the external worker that reports on it: its message is taken back the first time, a runner that had it is told to stop
 * by its next heartbeat, and the lease runs anew. The attempt must not be a replaced one.
 */
export function holdAttempt(draft: Draft, task: TaskRow, name: string | undefined, leaseMs: number): void {
  const { taskKey } = task;
  const held = { runnerId: EXTERNAL_WORKER, leaseExpiresAt: leaseEnd(draft.now, leaseMs) };
  const open = draft.openAttemptOf(taskKey);
  if (open !== undefined) {
    const isItself = open.id === name;
    if (isItself && !isUnheld(open)) return; // a runner's own attempt, by its name: it keeps its lease
    if (isUnheld(open) && (name === undefined || isItself || open.id === externalAttemptId(taskKey, name))) {
      draft.putAttempt({ ...open, ...held });
      if (open.runnerId === null) draft.dropMessage(open.id);
      return;
    }
    endAttempt(draft, open, 'canceled');
  }
  const id = name === undefined ? newId() : externalAttemptId(taskKey, name);
  const number = nextNumber(draft.attemptsOf(taskKey));
  draft.putAttempt({ id, taskKey, number, ...held, endedAt: null, outcome: null, cpuMs: 0 });
  draft.putTask({ ...draft.task(taskKey), currentAttemptId: id });
}

/** Gives the merging of a job to the external worker that does it, or is expected to: it is due when that one is silent for its lease. */
export function holdMerge(draft: Draft, jobKey: bigint, leaseMs: number): void {
  const dueAt = leaseEnd(draft.now, leaseMs);
  const open = draft.openMergeOf(jobKey);
  if (open?.isExternal === true) draft.putMerge({ ...open, dueAt });
  else openMerge(draft, jobKey, { isExternal: true, dueAt });
}

export interface JobEnding {
  readonly missing: MissingOutputs;
  /** An external worker that is waited for and silent for this long is lost. */
  readonly workerLeaseMs: number;
  /** In place of decideJobStep. */
  readonly decide?: (tally: TaskTally) => JobStep;
}

/** The last task to end takes the job on; the lock on the job makes one of them the last. */
export function endJobIfDone(draft: Draft, jobKey: bigint, { missing, workerLeaseMs, decide }: JobEnding): void {
  const tally = draft.tally(jobKey);
  const { jobId, platform, stoppedAt } = draft.job(jobKey);
  const step = decide === undefined ? decideJobStep(tally, missing, false) : decide(tally);
  if (step.kind === 'continue') return;
  const what = `job ${jobKey} has no open task but cannot ${step.kind}`;
  // tasks that the scheduler has not started yet are not to be started any more
  if (stoppedAt !== null && platform === 'batch') {
    draft.endSubmit(jobId);
    draft.addDuty({ jobId, kind: 'cancel', lastTask: tally.lastTaskId });
  }
  if (step.kind === 'nothing-simulated' || step.kind === 'fail') {
    closeWork(draft, jobKey);
    return requireMoved(what, endWithoutResults(draft, jobKey, step));
  }
  // nothing comes any more that an external worker could be waited for
  if (missing === 'lost' && draft.openMergeOf(jobKey)?.isExternal === true) draft.endMerge(jobKey);
  if (draft.openMergeOf(jobKey) !== undefined) return; // somebody merges, or is expected to
  requireMoved(what, moveJob(draft, jobKey, 'tasksEnded', step));
  if (step.kind === 'merge') openMerge(draft, jobKey, { isExternal: false, dueAt: draft.now });
  else holdMerge(draft, jobKey, workerLeaseMs);
}

/** Nothing has come, and nothing comes any more. */
export function endWithoutResults(
  draft: Draft,
  jobKey: bigint,
  step: Extract<JobStep, { readonly kind: 'fail' | 'nothing-simulated' }>,
): boolean {
  return step.kind === 'fail'
    ? moveJob(draft, jobKey, 'nothingDelivered', step)
    : moveJob(draft, jobKey, 'stoppedEmpty');
}
