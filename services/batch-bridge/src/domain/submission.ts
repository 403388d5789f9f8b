import type { Origin } from '@tally/service-kit';
import type { InputType, SimType } from '@tally/simulators';
import type { JobId } from './job-id.js';
import type { SchedulerJobId } from './scheduler.js';
import type { SchedulerOptions } from './submit/scheduler-options.js';

/**
 * Arrays of the first tasks of a job count from 1, and their collect job is 0. After the nth task they count from n + 1, and the
 * collect job is -n: no two scheduler jobs of a job have one number, whatever this service has forgotten. What the scheduler
 * has lost of an array takes the next numbers: they are never more than the tasks.
 */
export const isCollect = ({ ordinal }: Pick<SchedulerJob, 'ordinal'>): boolean => ordinal <= 0;

/** Name of a scheduler job, by which it is found again. */
export function markerOf(jobId: JobId, ordinal: number): string {
  return `tally-${jobId}-${ordinal < 0 ? `0${ordinal}` : ordinal}`;
}

/** Whether a scheduler job of this name is one of the job's, whatever its ordinal. */
export const isMarkerOf = (jobId: JobId, marker: string): boolean => marker.startsWith(`tally-${jobId}-`);

/**
 * What is known of a scheduler job. `planned`: sbatch has never been called. `attempted`: it was, or was about to be; the
 * marker must be looked up before it is called again. `known`: the scheduler gave this id. `lost`: the scheduler has
 * not shown it for too long. `ended`: it will not do anything any more.
 */
export type SchedulerJobState =
  | { readonly kind: 'planned' }
  | { readonly kind: 'attempted'; readonly attemptedAt: Date }
  | { readonly kind: 'known' | 'lost'; readonly id: SchedulerJobId; readonly knownAt: Date }
  | { readonly kind: 'ended'; readonly id: SchedulerJobId; readonly knownAt: Date; readonly description: string };

/** An array, or the collect job (no tasks), of a submission. */
export interface SchedulerJob {
  readonly ordinal: number;
  /** Tasks of an array: its index i, from 1, is task `firstTask + i - 1`. 0 for the collect job. */
  readonly firstTask: number;
  readonly taskCount: number;
  readonly state: SchedulerJobState;
}

/** Numbers of the tasks of an array, or of the collect job: its ordinal, which is none of a task. */
export const taskIdsOf = ({ ordinal, firstTask, taskCount }: SchedulerJob): number[] =>
  isCollect({ ordinal }) ? [ordinal] : Array.from({ length: taskCount }, (_, i) => firstTask + i);

/** What a submission has on the cluster. */
export interface RemoteJob {
  /** Login name under which everything is done. */
  readonly username: string;
  /** Of the job; 0 until the folder is complete. */
  readonly taskCount: number;
  /** By ordinal: the collect job first. Two have a task when the first of them was lost before it came to that. */
  readonly schedulerJobs: readonly SchedulerJob[];
}

/** How a submission ended: by itself or by a cancel (no reason), or because it could not be submitted. */
export interface SubmissionEnd {
  /** One of this service's reasons when it could not be submitted; absent: it was, or it was canceled before. */
  readonly reason?: string;
  /** For people: why tasks that are still open at jobs fail. */
  readonly message: string;
}

interface EndedPhase {
  readonly endedAt: Date;
  readonly end: SubmissionEnd;
  /** Jobs knows the end. */
  readonly isReported: boolean;
  /** Absent: nothing has reached the cluster. Without scheduler jobs: nothing but perhaps a part of the folder has. */
  readonly remoteJob?: RemoteJob;
}

/**
 * Where a submission is. `accepted`: stored; perhaps a part of its folder is on the cluster. `uploaded`: the folder is
 * complete, its arrays are being submitted. `submitted`: the scheduler has all it will ever get. `ended`: nothing more
 * comes from the cluster. `cleared`: nothing is left on the cluster.
 */
export type SubmissionPhase =
  | {
      readonly kind: 'accepted';
      /** Login name under which something may be on the cluster; absent: nothing is. */
      readonly username?: string;
      /** Why the first attempt has failed: with this it ends if somebody waits for its outcome, or is retried. */
      readonly failure?: SubmissionEnd;
    }
  | { readonly kind: 'uploaded'; readonly remoteJob: RemoteJob }
  | {
      readonly kind: 'submitted';
      readonly remoteJob: RemoteJob;
      /** When the scheduler was last asked about it. */
      readonly observedAt: Date;
      /** When the arrays were last canceled on the cluster; absent: never. */
      readonly cancelSentAt?: Date;
    }
  | ({ readonly kind: 'ended' } & EndedPhase)
  | ({ readonly kind: 'cleared'; readonly clearedAt: Date } & EndedPhase);
export type PhaseKind = SubmissionPhase['kind'];

/**
 * What may follow what. A cancel before anything was submitted ends a submission at once. Further tasks of a job are
 * accepted when those before need nothing more. What the scheduler has lost before it began is submitted again.
 */
export const NEXT_PHASES: Readonly<Record<PhaseKind, readonly PhaseKind[]>> = {
  accepted: ['uploaded', 'ended'],
  uploaded: ['submitted', 'ended'],
  submitted: ['ended', 'accepted', 'uploaded'],
  ended: ['cleared', 'accepted'],
  cleared: ['accepted'],
};

/** What jobs wants of a job on its cluster, by its last command. A later state includes the earlier ones. */
export const DESIRED_STATES = ['run', 'canceled', 'deleted'] as const;
export type DesiredState = (typeof DESIRED_STATES)[number];

/** A job as this service knows it. */
export interface Submission {
  readonly jobId: JobId;
  /** Owner, whose SSH credential is used. */
  readonly userId: bigint;
  readonly clusterName: string;
  readonly options: SchedulerOptions;
  /** The request that asked for it. */
  readonly origin: Origin;
  /** Tasks that are to be submitted, or were last. Those before have ended. */
  readonly firstTask: number;
  readonly lastTask: number;
  /** When these were asked for: what began before is not about them. */
  readonly acceptedAt: Date;
  /** When the worker of the cluster has something to do for it; absent: nothing. */
  readonly dueAt?: Date;
  /** Attempts to do what is next that have begun. */
  readonly attemptCount: number;
  /** Why it waits, for people; empty: it does not. */
  readonly waitingReason: string;
  readonly desired: DesiredState;
  readonly phase: SubmissionPhase;
}

/** What one task simulates. */
export interface TaskShare {
  readonly primaries: number;
  /** Number within the job of its first history. */
  readonly firstHistory: number;
}

/** What a job's tasks simulate. */
export interface JobSpec {
  readonly simType: SimType;
  readonly inputType: InputType;
  /** 64 bits. */
  readonly seed: bigint;
  /** Of task 1 first; an index in an array stands for a task. */
  readonly tasks: readonly TaskShare[];
}

/** A submission in one phase. */
export type SubmissionIn<Kind extends PhaseKind> = Submission & {
  readonly phase: Extract<SubmissionPhase, { kind: Kind }>;
};

export function isIn<Kind extends PhaseKind>(kind: Kind, submission: Submission): submission is SubmissionIn<Kind> {
  return submission.phase.kind === kind;
}

/** A job that was canceled or deleted before its submission arrived: that will do nothing. */
export interface Revocation {
  readonly jobId: JobId;
  readonly desired: Exclude<DesiredState, 'run'>;
  readonly revokedAt: Date;
}

/** What is stored of a job; undefined: nothing. */
export type StoredSubmission = Submission | 'revoked' | undefined;

/** The outcome of a submission so far, for whoever asked for it. */
export type SubmissionOutcome =
  | { readonly kind: 'underway'; readonly waitingReason: string }
  | { readonly kind: 'submitted' }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'revoked' };
