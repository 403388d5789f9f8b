/** What operators see of the jobs of all users, and what they set. Every method is one transaction. */
import type { Job, JobId, Platform, UserId } from '../job.js';
import type { State } from '../job-state.js';
import type { Room } from '../submit/quotas.js';
import type { RunnerId } from '../task.js';

/** What is given must all be true. */
export interface AllJobsQuery {
  readonly pageSize: number;
  /** Only jobs with a smaller internal number; undefined: the newest. */
  readonly beforeKey: bigint | undefined;
  readonly ownerId: UserId | undefined;
  readonly jobId: JobId | undefined;
  /** That submitted it. */
  readonly requestId: string | undefined;
  /** Empty: any. */
  readonly states: readonly State[];
  readonly platform: Platform | undefined;
  readonly clusterName: string | undefined;
  /** That has a task of it. */
  readonly runnerId: RunnerId | undefined;
  readonly groupId: string | undefined;
}

/** A job as operators see it. */
export interface OperatedJob extends Job {
  readonly ownerId: UserId;
  readonly requestId: string | null;
  /** Null: the built-in engine, or a cluster. */
  readonly executable: string | null;
  readonly pendingTaskCount: number;
  readonly runningTaskCount: number;
  readonly failedTaskCount: number;
  /** That have its tasks at this moment. */
  readonly runnerIds: readonly string[];
}

export const LOAD_KEYS = ['user', 'cluster', 'runner', 'simulator', 'reason', 'group'] as const;
/** By what loads are summed up. */
export type LoadKey = (typeof LOAD_KEYS)[number];

/** What runs and waits under one key. */
export interface Load {
  readonly key: string;
  readonly openJobCount: number;
  readonly runningTaskCount: number;
  readonly pendingTaskCount: number;
  /** Submission of the oldest open job. */
  readonly oldestStartTime: Date | null;
}

/** A runner that lives. */
export interface OperatedRunner {
  readonly runnerId: string;
  /** As text: simA=1.0.1,simB. */
  readonly executables: string;
  readonly slotCount: number;
  readonly runningTaskCount: number;
  readonly isDraining: boolean;
  readonly confinement: string;
}

/** A platform that takes no submissions. */
export interface SubmissionPause {
  readonly platform: Platform;
  /** What users read. */
  readonly message: string;
  readonly startTime: Date;
}

export interface OperatorStore {
  listJobs(query: AllJobsQuery): Promise<readonly OperatedJob[]>;
  /** The largest first. */
  listLoads(key: LoadKey): Promise<readonly Load[]>;
  /** Numbers of the tasks of a job that have not delivered. */
  listUndelivered(jobId: JobId): Promise<readonly number[]>;
  listRunners(): Promise<readonly OperatedRunner[]>;
  /** @returns tasks that it has; undefined: it does not live */
  drainRunner(runnerId: RunnerId, isDraining: boolean): Promise<number | undefined>;
  listPauses(): Promise<readonly SubmissionPause[]>;
  /** @param message - undefined: submissions are taken again */
  setPause(platform: Platform, message: string | undefined): Promise<void>;
}

/** What a user has. */
export interface Belongings {
  readonly jobCount: number;
  readonly projectCount: number;
}

/** What users have together, as their quotas count it. */
export interface OwnedTotals extends Room {
  readonly openJobCount: number;
  readonly projectCount: number;
  /** Of their projects. */
  readonly storedBytes: number;
}

/** A user who leaves. */
export interface Leaving {
  readonly ownerId: UserId;
  /** Who gets all that he has; null: it is removed. */
  readonly newOwnerId: UserId | null;
}

/** Users whose jobs and projects are removed, or given to another. */
export interface LeavingStore {
  /** @param dueAt - not before then; undefined: now. A repeat replaces it; who gets what they have stays */
  addOwners(ownerIds: readonly UserId[], dueAt: Date | undefined): Promise<void>;
  /** They do not leave after all. */
  keepOwners(ownerIds: readonly UserId[]): Promise<void>;
  countBelongings(ownerId: UserId): Promise<Belongings>;
  /** All that he has is given from now on. */
  addHandOver(ownerId: UserId, newOwnerId: UserId): Promise<void>;
  readTotals(ownerId: UserId, otherId: UserId): Promise<OwnedTotals>;
  /** Those who are due. */
  listDue(limit: number): Promise<readonly Leaving[]>;
  /** The oldest first. */
  listJobs(
    ownerId: UserId,
    limit: number,
  ): Promise<readonly { readonly jobId: JobId; readonly isOpenOnCluster: boolean }[]>;
  /** Those that are still his. Links to them end. */
  giveJobs(ownerId: UserId, newOwnerId: UserId, jobIds: readonly JobId[]): Promise<void>;
  /** All of them. Links to them end. */
  giveProjects(ownerId: UserId, newOwnerId: UserId): Promise<void>;
  removeProjects(ownerId: UserId): Promise<void>;
  /** Removes what is of use to him alone; after an hour without a job he is forgotten. */
  removeRest(ownerId: UserId): Promise<void>;
}
