/**
 * What this service owes: a row that is stored with the change which asks for it, and removed when it is done. Whoever dies while
 * working on one loses nothing: it is due again.
 */
import type { JobId, Origin } from '../job.js';

/**
 * Everything that is done later. `merge`: the results of a job whose tasks have ended. `remove`: the data of a job that was deleted, or
 * of a submission that has not become a job. `remove_results`, `remove_logs`: what a rule of retention takes from a job that stays. Of batch-bridge: `submit`, told again now and then while the job is open, `cancel` and
 * `delete`. `notify`: to tell those who want to be told that a job has ended.
 */
export type DutyWork =
  | { readonly kind: 'merge' | 'remove' | 'remove_results' | 'remove_logs' | 'delete' | 'notify' }
  /** The first of its tasks that are to be submitted. */
  | { readonly kind: 'submit'; readonly firstTask: number }
  /** The last task that it had when its end was wanted. */
  | { readonly kind: 'cancel'; readonly lastTask: number };

/** A duty in hand. */
export type Duty = Origin & DutyWork & DutyInHand;
interface DutyInHand {
  /** Another one with every request for the same of the same job: who ends one cannot end its successor. */
  readonly id: string;
  readonly jobId: JobId;
  /** With this one. */
  readonly tryCount: number;
}

/** What is left of a duty: nothing (`done`), what the change has stored that was made for it (`stored`), or the duty, to be looked at again. */
export type DutyOutcome = 'done' | 'stored' | { readonly againAfterMs: number };

/** How many may be taken. A merge may last, and the others do not wait for it. */
export interface DutyRoom {
  readonly merges: number;
  readonly others: number;
}

export interface DutyStore {
  /**
   * Takes duties that are due, the oldest first; nobody else does before `holdMs` are over. While a job has one to cancel, those to submit
   * and to delete wait.
   */
  takeDue(room: DutyRoom, holdMs: number): Promise<readonly Duty[]>;
  /** They stay in hand for so long from now. */
  hold(ids: readonly string[], holdMs: number): Promise<void>;
  /** It is done. */
  finish(id: string): Promise<void>;
  /** It is due again after this time. */
  postpone(id: string, afterMs: number): Promise<void>;
  /** The duty to submit a job, if there still is one, is due after this time, as if it had never been tried. */
  repeatSubmit(jobId: JobId, afterMs: number): Promise<void>;
}
