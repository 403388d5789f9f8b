/** Where jobs of the direct platform wait, and why. The rules of ports.ts hold. */
import type { ExecutableName } from '../executable.js';
import type { JobId } from '../job.js';
import type { State } from '../job-state.js';

/** A job on the direct platform of which it is not said what it waits for, or no longer true. */
export interface WaitingJob {
  readonly jobId: JobId;
  readonly state: State;
  readonly executable: ExecutableName | null;
  /** For a runner that has its executable, for other tasks of its owner, for any runner; null: for nothing. */
  readonly wait: 'executable' | 'owner' | 'runner' | null;
}

export interface RunnerCounts {
  /** That live. */
  readonly runnerCount: number;
  /** Of them, those that an operator drains. */
  readonly drainingCount: number;
  /** Tasks that runners have at the moment. */
  readonly takenCount: number;
}

/** What jobs of the direct platform wait for. */
export interface WaitStore {
  countRunners(): Promise<RunnerCounts>;
  /** @param reasons - what is said of each wait; of an executable how it begins */
  listWaits(
    reasons: Readonly<Record<'executable' | 'owner' | 'runner', string>>,
    afterMs: number,
    limit: number,
  ): Promise<readonly WaitingJob[]>;
}

/** Messages of tasks for which no runner is there, or which a runner without their executable was given: out of the outbox until one is. */
export interface ParkingStore {
  /** Whether anything is to be parked or put back. Changes nothing. */
  look(): Promise<boolean>;
  /** Takes out of the outbox what no live runner can run. Returns how many. */
  park(): Promise<number>;
  /** Puts back what a live runner can run: as many as such runners have slots. Returns how many. */
  unpark(): Promise<number>;
}
