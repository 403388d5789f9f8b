import type { Branded } from '@tally/service-kit';
import type { RemoteShell } from './remote-shell.js';
import type { SchedulerOptions } from './submit/scheduler-options.js';

/** Number by which a scheduler knows a job or an array of jobs. May be given out again after a crash of the scheduler. */
export type SchedulerJobId = Branded<'SchedulerJobId'>;

/** A job, or an array of jobs, to be submitted. */
export interface SchedulerJobSpec {
  /** The job's name at the scheduler, by which a submission is found again: letters, digits, `-`, `_`. */
  readonly marker: string;
  /** Absolute folder on the cluster: working folder of the job, and where its output goes. */
  readonly folder: string;
  /** Text of the script, see {@link Scheduler.writeScript}. */
  readonly script: string;
  /** Name in the folder of what the job prints; `%a` stands for the index in an array. */
  readonly logName: string;
  /** First and last index for an array; absent for a single job. */
  readonly array?: { readonly first: number; readonly last: number };
  /** Start when all of these have ended, in whatever way. They must be known to the scheduler: see the Slurm adapter. */
  readonly afterAny?: readonly SchedulerJobId[];
  /** Seconds before the wall time limit at which SIGTERM is sent, so that the job can save what it has. */
  readonly warningSeconds: number;
  readonly options: SchedulerOptions;
}

/** A program for the nodes: absolute path and arguments. */
export interface NodeProgram {
  readonly argv: readonly string[];
  /** Array: the number of the task, its index plus this, follows as the last argument. Absent: a single job. */
  readonly taskOffset?: number;
}

/** A scheduler job, or some tasks of an array. */
export interface JobTarget {
  readonly id: SchedulerJobId;
  /** Indices in the array; absent: all of it, or a single job. */
  readonly indices?: readonly number[];
}

/** A question about a job, or about those tasks of an array that have not ended yet. */
export interface JobQuery extends JobTarget {
  /** A job with this id and another marker is not ours: the id was given out again. */
  readonly marker: string;
}

/** State of a scheduler job, the same for all schedulers. The scheduler's own word and reason are kept for people. */
export type ObservedState =
  | { readonly kind: 'pending'; readonly isStuck: boolean }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly outcome: 'completed' | 'failed' | 'canceled' }
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
  /** What that means, for people; absent: nothing is to be added. */
  readonly meaning?: string;
  /** Where known: exit code and signal of the job's process. */
  readonly exit?: { readonly code: number; readonly signal: number };
}

/** A job by its id and its name. */
export interface NamedJob {
  readonly id: SchedulerJobId;
  readonly marker: string;
}

/** What a scheduler knows at one moment. */
export interface PollResult {
  /** Of the jobs that were asked about only; what is missing is unknown, not ended. */
  readonly observations: readonly Observation[];
  /** All jobs of the user that have not ended, whoever submitted them. */
  readonly open: readonly NamedJob[];
}

/** A cluster's scheduler. Every call runs at most a few commands in the given shell; see there for the errors. */
export interface Scheduler {
  /** The script that runs a program. @throws RangeError for words with control characters */
  writeScript(program: NodeProgram): string;
  /**
   * Submits. Not safe to repeat: whatever it throws, ask {@link Scheduler.find} first. What was given up ends by itself, without
   * effect, before the command's own time limit.
   * @throws ServiceError SCHEDULER_REFUSED where the scheduler speaks of the request, SCHEDULER_DENIED, SCHEDULER_BUSY,
   * SCHEDULER_DEPENDENCY_LOST, SCHEDULER_ANSWER_UNKNOWN, and SCHEDULER_UNREACHABLE for everything else
   */
  submit(shell: RemoteShell, spec: SchedulerJobSpec): Promise<SchedulerJobId>;
  /**
   * Ids of the user's jobs with this marker: those that have not ended first, then by age; empty: the scheduler does not know any
   * (yet). @throws ServiceError SCHEDULER_UNREACHABLE
   */
  find(shell: RemoteShell, marker: string): Promise<SchedulerJobId[]>;
  /** All jobs of the user that have not ended. @throws ServiceError SCHEDULER_UNREACHABLE */
  listOpen(shell: RemoteShell): Promise<NamedJob[]>;
  /**
   * What is known of these jobs, one entry for each task of an array. However many they are, it costs two commands at
   * most. @throws ServiceError SCHEDULER_UNREACHABLE
   */
  observe(shell: RemoteShell, queries: readonly JobQuery[]): Promise<PollResult>;
  /** Asks for the end of these jobs by one command. Success does not mean that they end: the state must be observed. Safe to repeat. @throws ServiceError SCHEDULER_UNREACHABLE */
  cancel(shell: RemoteShell, targets: readonly JobTarget[]): Promise<void>;
}
