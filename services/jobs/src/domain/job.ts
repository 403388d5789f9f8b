import type { Branded } from '@tally/service-kit';
import type { State } from './job-state.js';

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

/** What a user's request has become. */
export interface Job {
  readonly jobId: JobId;
  /** Internal number, by which workers may name it, too. */
  readonly simulationId: bigint;
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
}

/** What was left out of a project without changing its answer. */
export interface Warning {
  readonly code: string;
  readonly message: string;
}
