import type { Branded } from '@tally/service-kit';
import type { RemoteShell } from './ports.js';
import type { SchedulerOptions } from './scheduler-options.js';

/** Number by which a scheduler knows a job or an array of jobs. May be given out again after a crash of the scheduler. */
export type SchedulerJobId = Branded<'SchedulerJobId'>;

/** A job, or an array of jobs, to be submitted. */
export interface SchedulerJob {
  /** The job's name at the scheduler, by which a submission is found again: letters, digits, `-`, `_`. */
  readonly marker: string;
  /** Absolute folder on the cluster: working folder and place of what the job prints. */
  readonly folder: string;
  /** Text of the script. */
  readonly script: string;
  /** First and last index for an array; absent for a single job. */
  readonly array?: { readonly first: number; readonly last: number };
  /** Start when all of these have ended, in whatever way. They must be known to the scheduler: see the Slurm adapter. */
  readonly afterAny?: readonly SchedulerJobId[];
  /** Seconds before the wall time limit at which SIGTERM is sent, so that the job can save what it has. */
  readonly warningSeconds: number;
  readonly options: SchedulerOptions;
}

/** A job that was submitted, with the number of its tasks: 1 unless it is an array. */
export interface SubmittedJob {
  readonly id: SchedulerJobId;
  readonly taskCount: number;
}

/** What the scheduler says of a job, in words of ours. Its own word and reason are kept for people. */
export type ObservedState =
  | { readonly kind: 'pending'; readonly isStuck: boolean }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly outcome: 'completed' | 'failed' | 'canceled'; readonly mayRunAgain: boolean }
  | { readonly kind: 'unknown' };

/** One job, or one task of an array, at the moment of the question. */
export interface Observation {
  readonly schedulerJobId: SchedulerJobId;
  /** Index in its array; absent for a single job. */
  readonly arrayIndex?: number;
  readonly marker: string;
  readonly state: ObservedState;
  /** The scheduler's own state and reason, as in `FAILED: NonZeroExitCode`. */
  readonly description: string;
  /** Where known: exit code and signal of the job's process. */
  readonly exit?: { readonly code: number; readonly signal: number };
}

/** A cluster's scheduler. Every call runs at most a few commands in the given shell; see there for what they throw. */
export interface Scheduler {
  /** Submits. Not safe to repeat: after COMMAND_LOST look with {@link Scheduler.find} first. */
  submit(shell: RemoteShell, job: SchedulerJob): Promise<SchedulerJobId>;
  /** Ids of the user's jobs with this marker, oldest first; empty says only that the scheduler does not know any (yet). */
  find(shell: RemoteShell, marker: string): Promise<SchedulerJobId[]>;
  /** What is known of these jobs, one entry for each task of an array. What is missing is unknown, not ended. */
  observe(shell: RemoteShell, jobs: readonly SubmittedJob[]): Promise<Observation[]>;
  /** Asks for the end of these jobs, arrays whole. Success says nothing: the state must be observed. Safe to repeat. */
  cancel(shell: RemoteShell, ids: readonly SchedulerJobId[]): Promise<void>;
  /** Resolves when the scheduler answers. @throws ServiceError SCHEDULER_UNREACHABLE */
  ping(shell: RemoteShell): Promise<void>;
}
