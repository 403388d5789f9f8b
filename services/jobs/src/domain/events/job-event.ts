import type { Job, JobId } from '../job.js';
import type { State } from '../job-state.js';
import type { JobRow, TaskRow } from '../snapshot.js';
import type { Task } from '../task.js';

/** What a user's job, or a task of it, is like from a moment on. */
export interface JobEvent {
  /** Of one user: ascending in the order in which changes became visible, with gaps. */
  readonly id: bigint;
  readonly jobId: JobId;
  readonly happenedAt: Date;
  readonly change: JobEventChange;
}

export type JobEventChange =
  | {
      readonly kind: 'job';
      readonly job: Pick<
        Job,
        | 'state'
        | 'taskCount'
        | 'startTime'
        | 'endTime'
        | 'failure'
        | 'waitingReason'
        | 'isStopped'
        | 'simulatedPrimaries'
        | 'convergence'
      >;
    }
  | { readonly kind: 'task'; readonly task: Omit<Task, 'attemptCount'> }
  | { readonly kind: 'deleted' };

/** Where a stream of events begins. */
export interface EventsBeginning {
  /** Every change after this id follows. */
  readonly position: bigint;
  /** False: not where it was asked to begin, or it was not asked; states have to be read. */
  readonly isResumed: boolean;
}

/**
 * What of a change is told: the event says what the row is like after it. A job that appears or is deleted always is: whoever
 * stores that stores its event.
 */
export type NewEvent =
  /** `state`: one that the job has passed, with what else it is after the change. */
  | { readonly kind: 'job'; readonly jobKey: bigint; readonly state?: State }
  | { readonly kind: 'task' | 'progress'; readonly jobKey: bigint; readonly taskKey: bigint };

/** Progress of a task is told at most this often. */
const PROGRESS_EVENT_INTERVAL_MS = 1_000;

/** Its state, what it waits for, or that it was stopped. */
export const isJobEvent = (before: JobRow, after: JobRow): boolean =>
  after.state !== before.state ||
  after.waitingReason !== before.waitingReason ||
  (after.stoppedAt === null) !== (before.stoppedAt === null);

/** `task`: its state; `progress`: its numbers, unless they have been told a moment ago; undefined: nothing. */
export function taskEventKind(before: TaskRow, after: TaskRow, now: Date): 'task' | 'progress' | undefined {
  if (after.state !== before.state) return 'task';
  const isProgress =
    after.simulatedPrimaries !== before.simulatedPrimaries ||
    after.requestedPrimaries !== before.requestedPrimaries ||
    after.estimatedSeconds !== before.estimatedSeconds;
  const lastEventMs = before.progressEventAt?.getTime() ?? Number.NEGATIVE_INFINITY;
  return isProgress && now.getTime() - lastEventMs >= PROGRESS_EVENT_INTERVAL_MS ? 'progress' : undefined;
}
