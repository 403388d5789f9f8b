import { STOPPED_EXIT_CODE } from '@tally/batch-helper';
import type { Observation } from '../scheduler.js';

/** A task that was warned by SIGTERM, and ended itself. */
const STOPPED = 'stopped before it was finished, by its wall time limit or a cancellation';

/** How a task ended for the scheduler. `lost`: it has not shown the task for too long. */
export interface SchedulerEnd {
  readonly outcome: 'completed' | 'failed' | 'canceled' | 'lost';
  /** For people: the scheduler's own word and reason, and what they mean. */
  readonly description: string;
  readonly observedAt: Date;
}

/**
 * What is remembered of a task between two polls, so that nothing is reported twice and time without news is known. A collect
 * job has its ordinal for a number. All of it may be lost without harm: it is found out again, and repeats are harmless.
 */
export interface TaskRecord {
  readonly taskId: number;
  /** What was last reported to jobs. `ended`: jobs has its end, whoever reported it. */
  readonly reported: 'nothing' | 'running' | 'ended';
  /** Absent: the scheduler has not shown its end. Stays once it is there. */
  readonly end?: SchedulerEnd;
  /** Since when the scheduler, though it answers, does not show it. */
  readonly absentSince?: Date;
  /** Since when it waits for something that will not come by itself. */
  readonly stuckSince?: Date;
  /** The task itself has written how it ended: that counts, not what the scheduler shows. */
  readonly hasEndFile: boolean;
  /** Bytes of its log, from the beginning, that results has. */
  readonly logBytes: number;
  /** Results has its output. */
  readonly isOutputStored: boolean;
  /** Results has the end of the scheduler's own log of it. */
  readonly isTailStored: boolean;
  /** When the progress was written that was last reported to jobs. */
  readonly progressAt?: Date;
}

/** Records by task number. */
export type TaskRecords = ReadonlyMap<number, TaskRecord>;

/** The record of a task that was never polled. */
export function newRecord(taskId: number): TaskRecord {
  return { taskId, reported: 'nothing', hasEndFile: false, logBytes: 0, isOutputStored: false, isTailStored: false };
}

export function recordOf(records: TaskRecords | undefined, taskId: number): TaskRecord {
  return records?.get(taskId) ?? newRecord(taskId);
}

/** Whether the scheduler is still asked about a task: its end has not been shown, or its exit code may yet be. */
export function mustPoll({ end, reported, hasEndFile }: TaskRecord): boolean {
  return end === undefined || (end.outcome === 'failed' && reported !== 'ended' && !hasEndFile);
}

/**
 * A record after a poll. An end that was shown once stays, since a scheduler may forget a job, or give out its id again;
 * but its exit code may become known later.
 * @param observation - undefined: the scheduler does not show the task
 */
export function applyObservation(record: TaskRecord, observation: Observation | undefined, now: Date): TaskRecord {
  const { end, absentSince, stuckSince } = record;
  const state = observation?.state;
  if (end !== undefined) {
    const isSameEnd = state?.kind === 'ended' && state.outcome === end.outcome && observation?.exit !== undefined;
    return isSameEnd ? { ...record, end: { ...end, description: describeEnd(observation) } } : record;
  }
  if (observation === undefined || state === undefined) {
    return absentSince === undefined ? { ...record, absentSince: now } : record;
  }
  const shown = { ...record, absentSince: undefined, stuckSince: undefined };
  switch (state.kind) {
    case 'pending':
      return state.isStuck ? { ...shown, stuckSince: stuckSince ?? now } : shown;
    case 'running':
      return shown;
    case 'ended':
      return {
        ...shown,
        end: { outcome: state.outcome, description: describeEnd(observation), observedAt: now },
      };
    case 'unknown':
      return { ...shown, stuckSince };
  }
}

/** `TIMEOUT: TimeLimit (it ran into its time limit)`, `FAILED: NonZeroExitCode (exit code 7)`. */
function describeEnd({ description, meaning, exit }: Observation): string {
  const code = exit?.code === STOPPED_EXIT_CODE ? STOPPED : exit?.code ? `exit code ${exit.code}` : '';
  const details = [meaning ?? '', code, exit?.signal ? `signal ${exit.signal}` : ''].filter((detail) => detail !== '');
  return details.length === 0 ? description : `${description} (${details.join(', ')})`;
}

/** Whether the scheduler has not shown a task for so long that it must have lost it. */
export function isLost({ end, absentSince }: TaskRecord, now: Date, lostAfterMs: number): boolean {
  return end === undefined && absentSince !== undefined && now.getTime() - absentSince.getTime() >= lostAfterMs;
}

/** Whether a task has waited for too long for something that will not come. */
export function isStuckTooLong({ end, stuckSince }: TaskRecord, now: Date, stuckMsMax: number): boolean {
  return end === undefined && stuckSince !== undefined && now.getTime() - stuckSince.getTime() >= stuckMsMax;
}

/** What has to be reported of a task after a poll. */
export type DueReport = 'nothing' | 'running' | 'failed';

/**
 * That a task is COMPLETED only its output tells: an end without failure waits for it. A failure waits too, for `graceMs`:
 * what the task wrote last may reach the login node later than the scheduler's word. When the task turns out to have
 * written its own end, the scheduler's word does not count any more.
 * @param isStopped - the job is canceled or deleted, its open tasks have ended already
 */
export function dueReport(
  { reported, end, hasEndFile }: TaskRecord,
  observation: Observation | undefined,
  { now, graceMs, isStopped }: { readonly now: Date; readonly graceMs: number; readonly isStopped: boolean },
): DueReport {
  if (reported === 'ended' || isStopped) return 'nothing';
  if (end === undefined) return observation?.state.kind === 'running' && reported === 'nothing' ? 'running' : 'nothing';
  if (end.outcome === 'completed' || hasEndFile) return 'nothing';
  return now.getTime() - end.observedAt.getTime() >= graceMs ? 'failed' : 'nothing';
}

/** {@link failureText} with its code, as it is reported. */
export function writeSchedulerFailure(end: SchedulerEnd | undefined): string {
  const code = end === undefined || end.outcome === 'lost' ? 'SCHEDULER_LOST' : 'SCHEDULER_ENDED';
  return `${end?.outcome === 'completed' ? 'OUTPUT_MISSING' : code}: ${failureText(end)}`;
}

/** Why a task failed that the scheduler ended, and that left no end of its own; for people. */
export function failureText(end: SchedulerEnd | undefined): string {
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
