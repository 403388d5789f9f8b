import type { LimitName } from '@tally/launcher';
import { type Branded, type Origin } from '@tally/service-kit';
import type { InputType, SimType } from '@tally/simulators';
import type { Failure } from './errors.js';

export type JobId = Branded<'JobId'>;
export type AttemptId = Branded<'AttemptId'>;

/** What jobs gives a runner that has claimed an attempt. */
export interface WorkOrder extends Origin {
  readonly attemptId: AttemptId;
  readonly jobId: JobId;
  /** Number of the task within the job, from 1. */
  readonly taskId: number;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  readonly simType: SimType;
  readonly inputType: InputType;
  /** Histories to simulate: [firstHistory, firstHistory + primaries) of the job. */
  readonly primaries: number;
  readonly firstHistory: number;
  /** Seed of the job, unsigned 64-bit, decimal. */
  readonly seed: string;
  /** How long the attempt stays ours without a heartbeat. */
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** How an attempt ended, as it is reported to jobs. `released`: handed back unfinished, no attempt is used up. */
export type TaskEnd = (
  | { readonly kind: 'completed'; readonly simulatedPrimaries: number }
  | ({ readonly kind: 'failed' } & Failure)
  | { readonly kind: 'released' }
) & {
  /** Processor time that it has used, milliseconds; absent: it was not measured. */
  readonly cpuMs?: number | undefined;
};

/** Why a running simulator is stopped from here. `revoked`: by jobs; `lease-lost`: another runner may have it; `no-progress`: it stalled. `finished`: the job was stopped, and the simulator cannot end early by itself. */
export type StopCause = 'revoked' | 'lease-lost' | 'draining' | 'finished' | 'no-progress' | LimitName;
