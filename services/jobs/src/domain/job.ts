import type { Branded } from '@tally/service-kit';
import type { JobDescription, OnUnsupported } from '@tally/simulators';
import type { State } from './job-state.js';
import type { JobLabels } from './labels/labels.js';
import type { Sweep } from './notify/sweep.js';
import type { Convergence } from './submit/target.js';

/** Public identifier, `YYYYMMDD-HHMMSS-<uuid>`. */
export type JobId = Branded<'JobId'>;
/** Id of a user in auth. */
export type UserId = bigint;

export const PLATFORMS = ['direct', 'batch'] as const;
export type Platform = (typeof PLATFORMS)[number];
export const INPUT_TYPES = ['editor', 'files'] as const;
export type InputType = (typeof INPUT_TYPES)[number];
export const SIMULATORS = ['simA', 'simB', 'simC', 'simD'] as const;
export type Simulator = (typeof SIMULATORS)[number];

/** What a job simulates, but for what the job itself says. */
export type StoredDescription = Omit<JobDescription, 'title' | 'simulator' | 'seed'>;

/** What a user's request has become. */
export interface Job {
  readonly jobId: JobId;
  /** Internal number, by which workers may name it, too. */
  readonly jobKey: bigint;
  readonly title: string;
  readonly platform: Platform;
  readonly inputType: InputType;
  readonly simulator: Simulator;
  readonly state: State;
  /** Submission. */
  readonly startTime: Date;
  /** End, merging included. */
  readonly endTime: Date | null;
  readonly taskCount: number;
  /** Unsigned 64-bit. */
  readonly seed: bigint;
  /** Why it failed, for people. */
  readonly failure: string | null;
  /** Batch platform only. */
  readonly clusterName: string | null;
  /** Why it does not go on, for people; null: it does. */
  readonly waitingReason: string | null;
  /** Its owner has stopped it: it ends with the primaries that were simulated by then. */
  readonly isStopped: boolean;
  /** Behind its final results; null: it has none. */
  readonly simulatedPrimaries: bigint | null;
  /** Null: it has no target. */
  readonly convergence: Convergence | null;
  /** Null: as many as it has. */
  readonly submittedTaskCount: number | null;
  /** That its owner asked for, not those for its target; null: none. */
  readonly extensions: readonly JobExtension[] | null;
  /** Without what its owner asked for later; null: it is not known. */
  readonly description: StoredDescription | null;
  /** What becomes of quantities that cannot be scored; null: it is not known. */
  readonly onUnsupported: OnUnsupported | null;
  /** Batch platform only: UTF-8 JSON text, as the user sent it; null or empty: none. */
  readonly schedulerOptions: Uint8Array | null;
  /** Null: it belongs to none. */
  readonly sweep: Sweep | null;
  /** Null: its owner has noted nothing, ever. */
  readonly labels: JobLabels | null;
}

/** Further primaries, and the tasks among which they were divided. */
export interface JobExtension {
  readonly primaries: number;
  readonly taskCount: number;
}

/** What was left out of a project without changing its answer. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** The request that something goes back to, so that what is done for it later can be found by it. */
export interface Origin {
  readonly requestId: string | null;
  /** Its trace, as W3C writes it; null: nobody traces it. */
  readonly traceparent: string | null;
}
