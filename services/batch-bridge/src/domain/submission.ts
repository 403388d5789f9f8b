import type { JobId } from './job-id.js';
import type { SchedulerJobId } from './scheduler.js';
import type { SchedulerOptions } from './scheduler-options.js';

/** Ordinal of the collect job; arrays count from 1. */
export const COLLECT_ORDINAL = 0;

/** Name of a scheduler job, by which it is found again. */
export function markerOf(jobId: JobId, ordinal: number): string {
  return `tally-${jobId}-${ordinal}`;
}

/**
 * What is known of a scheduler job. `planned`: sbatch has never been called. `attempted`: it was, or was about to be; the
 * marker must be looked up before it is called again. `known`: the scheduler gave this id. `lost`: the scheduler has
 * not shown it for too long. `ended`: it will not do anything any more.
 */
export type SchedulerJobState =
  | { readonly kind: 'planned' }
  | { readonly kind: 'attempted'; readonly attemptedAt: Date }
  | { readonly kind: 'known'; readonly id: SchedulerJobId; readonly knownAt: Date }
  | { readonly kind: 'lost'; readonly id: SchedulerJobId }
  | { readonly kind: 'ended'; readonly id: SchedulerJobId; readonly description: string };

/** An array (ordinal from 1) or the collect job (ordinal 0, no tasks) of a submission. */
export interface ClusterJob {
  readonly ordinal: number;
  readonly marker: string;
  /** Tasks of an array: its index i, from 1, is task `firstTask + i - 1`. 0 for the collect job. */
  readonly firstTask: number;
  readonly taskCount: number;
  readonly state: SchedulerJobState;
}

/** What a submission has on the cluster. */
export interface Placement {
  /** Login name under which everything is done. */
  readonly username: string;
  /** 0 until the folder is whole. */
  readonly taskCount: number;
  /** By ordinal: the collect job first. */
  readonly jobs: readonly ClusterJob[];
}

/** How a submission ended: by itself or by a cancel (no reason), or because of a failure of this service's reasons. */
export interface SubmissionEnd {
  /** Stable machine word when it could not be submitted; absent: it was, or it was canceled before. */
  readonly reason?: string;
  /** For people: why tasks that are still open at jobs fail. */
  readonly message: string;
}

/**
 * Where a submission is. `accepted`: stored; perhaps a part of its folder is on the cluster. `uploaded`: the folder is
 * whole, its arrays are being submitted. `submitted`: the scheduler has all it will ever get. `ended`: nothing more comes
 * from the cluster; jobs has been told when `isReported`. `cleared`: nothing is left on the cluster.
 */
export type SubmissionPhase =
  | { readonly kind: 'accepted' }
  | ({ readonly kind: 'uploaded' } & Placement)
  | ({
      readonly kind: 'submitted';
      /** When the scheduler was last asked about it. */
      readonly observedAt: Date;
      /** When the arrays were last canceled on the cluster; absent: never. */
      readonly cancelSentAt?: Date;
    } & Placement)
  | {
      readonly kind: 'ended';
      readonly endedAt: Date;
      readonly end: SubmissionEnd;
      readonly isReported: boolean;
      /** Absent: nothing has reached the cluster. Without jobs: nothing but perhaps a part of the folder has. */
      readonly placement?: Placement;
    }
  | { readonly kind: 'cleared' };
export type PhaseKind = SubmissionPhase['kind'];

/** What may follow what. A cancel before anything was submitted ends a submission at once. */
export const NEXT_PHASES: Readonly<Record<PhaseKind, readonly PhaseKind[]>> = {
  accepted: ['uploaded', 'ended'],
  uploaded: ['submitted', 'ended'],
  submitted: ['ended'],
  ended: ['cleared'],
  cleared: [],
};

export function canFollow(next: PhaseKind, current: PhaseKind): boolean {
  return NEXT_PHASES[current].includes(next);
}

/** A job as this service knows it. */
export interface Submission {
  readonly jobId: JobId;
  /** Owner, whose SSH credential is used. */
  readonly userId: bigint;
  readonly clusterName: string;
  readonly options: SchedulerOptions;
  readonly acceptedAt: Date;
  /** Tries to do what is next that have begun since the phase last changed. */
  readonly tryCount: number;
  /** Why it does not go on, for people; empty: it does. */
  readonly waitingReason: string;
  /** Intents of jobs; once there they stay. */
  readonly isCancelWanted: boolean;
  readonly isDeleteWanted: boolean;
  readonly phase: SubmissionPhase;
}

/** A submission in one phase. */
export type SubmissionIn<Kind extends PhaseKind> = Submission & {
  readonly phase: Extract<SubmissionPhase, { kind: Kind }>;
};

export function isIn<Kind extends PhaseKind>(kind: Kind, submission: Submission): submission is SubmissionIn<Kind> {
  return submission.phase.kind === kind;
}

/** What has come of a submission so far, for whoever asked for it. `revoked`: canceled or deleted before it was known. */
export type SubmissionOutcome =
  | { readonly kind: 'underway'; readonly waitingReason: string }
  | { readonly kind: 'submitted' }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  | { readonly kind: 'revoked' };
