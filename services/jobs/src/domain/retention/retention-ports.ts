import type { JobId, UserId } from '../job.js';
import type { State } from '../job-state.js';
import type { Retained, Retention, RetentionRule } from './retention.js';

/** Something of a job that a rule removes. */
export interface Removal {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly title: string;
  /** In which it has ended. */
  readonly state: State;
  readonly data: Retained;
  /** Of the rule. */
  readonly afterDays: number;
  /** Not before then. */
  readonly dueAt: Date;
}

/** What a rule removes until a moment. */
export interface RemovalSum extends RetentionRule {
  readonly jobCount: number;
  readonly ownerCount: number;
  /** Of the first. */
  readonly firstDueAt: Date;
}

/** What was removed of a job that is still there. */
export interface Removed {
  readonly resultsAt: Date | null;
  readonly logsAt: Date | null;
}

/** Of one user: how much goes, and when the first of it. */
export interface Warning {
  readonly ownerId: UserId;
  readonly jobCount: number;
  readonly firstDueAt: Date;
  /** What goes until then is in the warning. */
  readonly warnedUntil: Date;
  /** When the rules were set. */
  readonly setAt: Date;
}

/** Which removals are asked for; what is given must all be true. */
export interface RemovalQuery {
  /** Undefined: the rules that hold. */
  readonly retention?: Omit<Retention, 'setAt'> | undefined;
  /** Those that are due until then; undefined: until now. By the clock of the database. */
  readonly withinDays?: number | undefined;
  readonly ownerId?: UserId | undefined;
  readonly jobId?: JobId | undefined;
  readonly limit: number;
}

/** Every method is one transaction. */
export interface RetentionStore {
  readRetention(): Promise<Retention>;
  /** In place of the earlier ones; the same ones change nothing. */
  setRetention(retention: Omit<Retention, 'setAt'>): Promise<void>;
  /** The first that is due comes first. Of a job that goes as a whole nothing is removed apart that is not due before. */
  listRemovals(query: RemovalQuery): Promise<readonly Removal[]>;
  /** By rule, of all removals that {@link listRemovals} would list without a limit. */
  sumRemovals(query: Omit<RemovalQuery, 'limit'>): Promise<readonly RemovalSum[]>;
  /** Undefined: the job is not there, or not the user's. */
  findRemoved(jobId: JobId, ownerId: UserId): Promise<Removed | undefined>;
  /** Whether the results of a job were removed. */
  hasLostResults(jobId: JobId): Promise<boolean>;
  /**
   * Notes that results or logs of a job are removed, and the duty to do it, if a rule still says so.
   * @returns whether it does
   */
  removePart(jobId: JobId, data: 'results' | 'logs'): Promise<boolean>;
  /** Whether a rule still says that a job goes. */
  isJobDue(jobId: JobId): Promise<boolean>;
  /** Users of whom something goes within the time of warning that no earlier warning has told. */
  listUnwarned(limit: number): Promise<readonly Warning[]>;
  /** What goes until a moment has been told. */
  noteWarning(ownerId: UserId, warnedUntil: Date): Promise<void>;
}
