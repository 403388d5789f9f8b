import type { Branded } from '@tally/service-kit';
import type { InputType, Job, JobId, Simulator } from './job.js';
import type { State } from './job-state.js';

export type AttemptId = Branded<'AttemptId'>;
/** Name of a worker, unique among workers. */
export type RunnerId = Branded<'RunnerId'>;

/** One of a job's runs. */
export interface Task {
  /** Number within the job, from 1. */
  readonly taskId: number;
  readonly state: State;
  readonly requestedPrimaries: bigint;
  /** Of the current attempt; all of them once the task is COMPLETED. */
  readonly simulatedPrimaries: bigint;
  readonly lastUpdateTime: Date;
  /** Remaining; unknown or ended: null. */
  readonly estimatedSeconds: number | null;
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly failure: string | null;
  readonly attemptCount: number;
}

/** Share of a job's primaries that a task simulates. */
export interface TaskPlan {
  readonly taskId: number;
  readonly primaries: number;
  /** Number within the job of its first history, from 0. */
  readonly firstHistory: number;
}

/** What a worker needs to start an attempt. */
export interface WorkOrder {
  readonly jobId: JobId;
  readonly taskId: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly simulator: Simulator;
  readonly inputType: InputType;
  readonly primaries: bigint;
  readonly firstHistory: bigint;
  readonly seed: bigint;
}

/** The tasks of a job in ascending number; each member has one value for each. Times in milliseconds since 1970. */
export interface TaskColumns {
  readonly taskIds: readonly number[];
  readonly states: readonly State[];
  readonly requestedPrimaries: readonly bigint[];
  readonly simulatedPrimaries: readonly bigint[];
  readonly estimatedSeconds: readonly (number | null)[];
  readonly startTimesMs: readonly (number | null)[];
  readonly endTimesMs: readonly (number | null)[];
  readonly lastUpdateTimesMs: readonly number[];
  readonly attemptCounts: readonly number[];
  /** Of those that have one, by number. */
  readonly failures: ReadonlyMap<number, string>;
}

export interface JobWithTasks extends Job {
  readonly tasks: TaskColumns;
}
