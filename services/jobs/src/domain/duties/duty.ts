/**
 * What this service owes: a row that is stored with the change which asks for it, and removed when it is done. Whoever dies while
 * working on one loses nothing: it is due again.
 */
import type { JobId } from '../job.js';
import type { Origin } from '../ports.js';

/** Everything that is done later; `merge`: the results of a job whose tasks have ended. */
export type DutyKind = 'merge';

/** A duty in hand. */
export interface Duty extends Origin {
  /** Another one with every request for the same of the same job: who ends one cannot end its successor. */
  readonly id: string;
  readonly kind: DutyKind;
  readonly jobId: JobId;
  /** With this one. */
  readonly tryCount: number;
}

/** What is left of a duty: nothing (`done`), or what the change has stored that was made for it (`stored`). */
export type DutyOutcome = 'done' | 'stored';

/** How many may be taken. A merge may last, and the others do not wait for it. */
export interface DutyRoom {
  readonly merges: number;
  readonly others: number;
}

export interface DutyStore {
  /** Takes duties that are due, the oldest first; nobody else does before `holdMs` are over. */
  takeDue(room: DutyRoom, holdMs: number): Promise<readonly Duty[]>;
  /** They stay in hand for so long from now. */
  hold(ids: readonly string[], holdMs: number): Promise<void>;
  /** It is done. */
  finish(id: string): Promise<void>;
  /** It is due again after this time. */
  postpone(id: string, afterMs: number): Promise<void>;
}
