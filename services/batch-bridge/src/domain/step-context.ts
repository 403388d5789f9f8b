import type { Clock, Logger } from '@tally/service-kit';
import type { ClusterSettings } from './cluster.js';
import type { PlaceJobPorts } from './place-job.js';
import type { ClusterSession, Jobs, SubmissionIntents, SubmissionStore } from './ports.js';
import type { Scheduler } from './scheduler.js';
import type { Submission } from './submission.js';

/** Limits of submissions. */
export interface SubmissionLimits {
  /** How long the scheduler may not show what an unanswered sbatch may have made, milliseconds. */
  readonly markerGraceMs: number;
  /** A job that has an id and is not shown for this long is lost, milliseconds. */
  readonly lostAfterMs: number;
  /** Before its time limit a task is told to end, seconds. */
  readonly warningSeconds: number;
  readonly collectWallTimeSeconds: number;
  readonly collectMemoryMib: number;
}

/** What the steps of a submission need. */
export interface SubmitStepsPorts extends PlaceJobPorts {
  readonly store: SubmissionStore;
  readonly intents: SubmissionIntents;
  readonly jobs: Jobs;
  readonly scheduler: Scheduler;
  readonly limits: SubmissionLimits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name under which this copy of the service holds the lease of the cluster. */
  readonly holder: string;
}

/** A submission being worked on. */
export interface StepContext {
  readonly cluster: ClusterSettings;
  readonly session: ClusterSession;
  /** Login name of the session. */
  readonly username: string;
  readonly submission: Submission;
  /** Called before the scheduler may first know anything of it. */
  readonly onReachingScheduler: () => void;
}

/** `later`: nothing is wrong, but the scheduler has to be asked again after so long. */
export type StepOutcome = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };
export type Later = Extract<StepOutcome, { readonly kind: 'later' }>;

/** How often the scheduler is asked for what it should show, milliseconds; sacct is up to 2.3 s behind. */
export const LOOK_AGAIN_MS = 2_000;
