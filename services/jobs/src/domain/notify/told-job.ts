import type { JobId, UserId } from '../job.js';
import type { State } from '../job-state.js';

/** A job, as those are told who want to be. */
export interface ToldJob {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly state: State;
  /** Of a job that is FAILED. */
  readonly failure: string | null;
  /** Behind its final results; null: it has none. */
  readonly simulatedPrimaries: bigint | null;
  readonly startTime: Date;
  readonly endTime: Date | null;
  /** When it became terminal; null: it is open. */
  readonly closedAt: Date | null;
}
