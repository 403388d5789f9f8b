import type { Job, JobId } from '../job.js';
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
      readonly job: Pick<Job, 'state' | 'taskCount' | 'startTime' | 'endTime' | 'failure' | 'waitingReason'>;
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
