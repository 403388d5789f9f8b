import { STOPPED_EXIT_CODE } from '@tally/batch-helper';
import type { Observation } from './scheduler.js';

/** A task that was warned by SIGTERM, and ended itself. */
const STOPPED = 'stopped before it was finished, by its wall time limit or a cancellation';

/** How the scheduler's part of a task ended. `lost`: it has not known the task for too long. */
export interface TaskEndSeen {
  readonly outcome: 'completed' | 'failed' | 'canceled' | 'lost';
  /** For people: the scheduler's own word and reason, and what they mean. */
  readonly description: string;
  readonly seenAt: Date;
}

/**
 * What is remembered of a task between two rounds, so that nothing is told twice and time without news is known. Task 0
 * is the collect job. All of it may be forgotten without harm: it is found out again, and repeats are harmless.
 */
export interface TaskRecord {
  readonly taskId: number;
  /** What jobs was last told of it. `ended`: jobs has its end, whoever told it. */
  readonly told: 'nothing' | 'running' | 'ended';
  /** Absent: the scheduler has not been seen to end it. Stays once it is there. */
  readonly end?: TaskEndSeen;
  /** Since when the scheduler, though it answers, does not show it. */
  readonly absentSince?: Date;
  /** Since when it waits for something that will not come by itself. */
  readonly stuckSince?: Date;
  /** The task itself has written how it ended: that counts, not what the scheduler says. */
  readonly hasOwnEnd: boolean;
  /** Bytes of its log, from the beginning, that results has. */
  readonly logBytes: number;
  /** Results has its output. */
  readonly isOutputStored: boolean;
  /** Results has the end of what the scheduler kept of it. */
  readonly isTailStored: boolean;
  /** When the progress was written that jobs was last told. */
  readonly progressAt?: Date;
}

/** What is known of a task that nobody has looked at yet. */
export function freshRecord(taskId: number): TaskRecord {
  return { taskId, told: 'nothing', hasOwnEnd: false, logBytes: 0, isOutputStored: false, isTailStored: false };
}

/** Whether the scheduler is still asked about a task: its end has not been seen, or its exit code may yet be told. */
export function isWatched({ end, told, hasOwnEnd }: TaskRecord): boolean {
  return end === undefined || (end.outcome === 'failed' && told !== 'ended' && !hasOwnEnd);
}

/**
 * What a look at the scheduler adds to a record. An end that was seen once stays, since a scheduler may forget a job, or
 * give out its id again; but its exit code may become known later.
 * @param seen - undefined: the scheduler does not show the task
 * @param isWhole - false: that says nothing, since a part of the scheduler did not answer
 */
export function noteObservation(
  record: TaskRecord,
  seen: Observation | undefined,
  { now, isWhole }: { readonly now: Date; readonly isWhole: boolean },
): TaskRecord {
  if (record.end !== undefined) {
    const isSaid = seen?.exit !== undefined && seen.state.kind === 'ended' && seen.state.outcome === record.end.outcome;
    return isSaid ? { ...record, end: { ...record.end, description: describeEnd(seen) } } : record;
  }
  if (seen === undefined) {
    return isWhole && record.absentSince === undefined ? { ...record, absentSince: now } : record;
  }
  const { absentSince: _, stuckSince, ...there } = record;
  switch (seen.state.kind) {
    case 'pending':
      return seen.state.isStuck ? { ...there, stuckSince: stuckSince ?? now } : there;
    case 'running':
      return there;
    case 'ended':
      return { ...there, end: { outcome: seen.state.outcome, description: describeEnd(seen), seenAt: now } };
    case 'unknown':
      return stuckSince === undefined ? there : { ...there, stuckSince };
  }
}

/** `TIMEOUT: TimeLimit (it ran into its time limit)`, `FAILED: NonZeroExitCode (exit code 7)`. */
function describeEnd({ description, meaning, exit }: Observation): string {
  const code = exit?.code === STOPPED_EXIT_CODE ? STOPPED : exit?.code ? `exit code ${exit.code}` : '';
  const details = [meaning, code, exit?.signal ? `signal ${exit.signal}` : ''];
  const said = details.filter((detail) => detail !== undefined && detail !== '');
  return said.length === 0 ? description : `${description} (${said.join(', ')})`;
}

/** Whether the scheduler has not shown a task for so long that it must have lost it. */
export function isLost({ end, absentSince }: TaskRecord, now: Date, lostAfterMs: number): boolean {
  return end === undefined && absentSince !== undefined && now.getTime() - absentSince.getTime() >= lostAfterMs;
}

/** Whether a task has waited for too long for something that will not come. */
export function isStuckForGood({ end, stuckSince }: TaskRecord, now: Date, stuckAfterMs: number): boolean {
  return end === undefined && stuckSince !== undefined && now.getTime() - stuckSince.getTime() >= stuckAfterMs;
}

/** What has to be done about a task after a look at the scheduler. */
export type TaskJudgement = 'nothing' | 'tell-running' | 'tell-failed';

/**
 * What jobs must be told. That a task is COMPLETED only its output tells: an end without failure waits for it. A failure
 * waits too, for `graceMs`: what the task wrote last may reach the login node later than the scheduler's word. When the
 * task turns out to have written its own end, the scheduler's word does not count any more.
 * @param isWanted - false: the job is canceled or deleted, its open tasks have ended already
 */
export function judgeTask(
  record: TaskRecord,
  seen: Observation | undefined,
  { now, graceMs, isWanted }: { readonly now: Date; readonly graceMs: number; readonly isWanted: boolean },
): TaskJudgement {
  const { told, end, hasOwnEnd } = record;
  if (told === 'ended' || !isWanted) return 'nothing';
  if (end === undefined) return seen?.state.kind === 'running' && told === 'nothing' ? 'tell-running' : 'nothing';
  if (end.outcome === 'completed' || hasOwnEnd) return 'nothing';
  return now.getTime() - end.seenAt.getTime() >= graceMs ? 'tell-failed' : 'nothing';
}

/** Why a task failed that the scheduler ended, and that left no end of its own; for people. */
export function failureText(end: TaskEndSeen | undefined): string {
  if (end === undefined) return 'Nothing more comes from the cluster, and the task has not ended';
  switch (end.outcome) {
    case 'completed':
      return `The task left no result; the scheduler says: ${end.description}`;
    case 'failed':
    case 'canceled':
      return `The scheduler ended the task: ${end.description}`;
    case 'lost':
      return end.description;
  }
}
