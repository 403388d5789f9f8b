/**
 * What the rules of this service need from outside. Every method of a store is one transaction, and may be repeated, run at
 * once with any other, and be cut off at any moment. What changes states goes through {@link StateStore}: it loads, a rule
 * of this folder decides (change.ts), it stores.
 *
 * Locks are taken in one order everywhere, jobs → tasks → attempts → messages, of jobs and tasks by ascending key, so that
 * nobody waits in a circle.
 */

import type { Executables, JobDescription, OnUnsupported } from '@tally/simulators';
import type { BatchTarget } from './batch/batch-ports.js';
import type { Change, Draft } from './change.js';
import type { EventsBeginning, JobEvent } from './events/job-event.js';
import type { ExecutableName } from './executable.js';
import type { InputType, Job, JobId, Origin, Platform, Simulator, UserId, Warning } from './job.js';
import type { State } from './job-state.js';
import type { Sweep } from './notify/sweep.js';
import type { RevisionRef } from './project/project.js';
import type { JobSearch } from './search/job-search.js';
import type { Snapshot } from './snapshot.js';
import type { JobWork, SimulatorDeck } from './submit/convert-project.js';
import type { ObservedRun } from './submit/estimate-time.js';
import type { Target } from './submit/target.js';
import type { AttemptId, JobWithTasks, RunnerId, TaskPlan } from './task.js';

/** A job as it is stored the first time. */
export interface NewJob {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly platform: Platform;
  readonly inputType: InputType;
  readonly simulator: Simulator;
  /** What runners must have to run it; absent: the built-in engine, or a cluster. */
  readonly executable?: ExecutableName | undefined;
  readonly seed: bigint;
  readonly origin: Origin;
  readonly tasks: readonly TaskPlan[];
  /** More than so many its simulator does not count in one task; absent: not known. */
  readonly taskPrimariesMax?: number;
  readonly warnings: readonly Warning[];
  /** Absent: it is not known. */
  readonly description?: JobDescription;
  /** Undefined: it simulates the primaries of its tasks. */
  readonly target?: Target | undefined;
  /** The kept project that it was submitted from; absent: none. */
  readonly project?: RevisionRef | undefined;
  /** A group of its owner that it belongs to, too; absent: none. */
  readonly groupId?: string | undefined;
  /** What becomes of quantities that cannot be scored; absent: it is not remembered. */
  readonly onUnsupported?: OnUnsupported;
  /** Undefined: it belongs to none. */
  readonly sweep?: Sweep | undefined;
  /** Absent: no estimate learns from it. */
  readonly work?: JobWork;
  /** Batch platform only. */
  readonly batch: BatchTarget | undefined;
  readonly idempotency: { readonly key: string; readonly requestHash: string } | undefined;
}

/** Tasks of one owner that wait for a slot of the runners, and run on the same. */
export interface WaitingTasks {
  readonly ownerId: bigint;
  readonly isOwn: boolean;
  /** Undefined: the built-in engine. */
  readonly executable: ExecutableName | undefined;
  /** In the queue: they are served before all others. */
  readonly queuedCount: number;
  /** Not in the queue yet. */
  readonly dueCount: number;
}

/** What estimates rest on. */
export interface EstimateStore {
  /** Tasks that wait for runners at this moment; `ownerId`: whose own they are told apart from. */
  listWaiting(ownerId: UserId): Promise<readonly WaitingTasks[]>;
  /** The last completed jobs on an engine, each marked as it is like the one in question; those of another place are not. */
  listRuns(query: RunQuery): Promise<readonly ObservedRun[]>;
}

/** A job in question, and where it would run. */
export interface RunQuery extends Pick<JobWork, 'engine' | 'kind' | 'fingerprint'> {
  readonly ownerId: UserId;
  /** Undefined: on the runners. */
  readonly clusterName: string | undefined;
}

/** What a submission is answered with, also when it is repeated. */
export interface SubmissionAnswer {
  readonly jobId: JobId;
  /** Internal number; undefined: a repeat, and the job has been deleted. */
  readonly jobKey: bigint | undefined;
  readonly seed: bigint;
  readonly warnings: readonly Warning[];
}

export interface SubmissionStore {
  /** The first answer to this key, unless it has expired; `failure`: it was an error with these words. */
  findAnswer(
    ownerId: UserId,
    key: string,
  ): Promise<
    { readonly requestHash: string; readonly answer: SubmissionAnswer; readonly failure: string | null } | undefined
  >;
  /**
   * Write-ahead: the duty to remove the data of a job, should it not become one in time. Resolves to the bytes that results may keep of
   * its owner, where that is set for him; undefined: as the settings say.
   */
  beginSubmission(jobId: JobId, ownerId: UserId): Promise<number | undefined>;
  /** The submission with this key was answered with an error: a repeat gets it again. */
  noteFailure(ownerId: UserId, key: string, jobId: JobId, failure: string): Promise<void>;
  /**
   * Stores job, tasks, the idempotency key, and what takes the job on, all or nothing: first attempts and messages on the
   * direct platform, the command to submit it on the batch platform. Resolves to its internal number. `abandoned`: the
   * sweeper gave this submission up. `keyTaken`: another request with the same key was faster. `exceeded`: a quota, in words. `paused`: what
   * an operator says of the platform, which takes no submissions.
   */
  createJob(
    job: NewJob,
  ): Promise<
    { readonly jobKey: bigint } | { readonly exceeded: string } | { readonly paused: string } | 'abandoned' | 'keyTaken'
  >;
  /** Of a submission of which nothing has been stored. */
  forgetSubmission(jobId: JobId): Promise<void>;
  /** The submission has failed: the data of the job that results may have is removed. */
  abandonSubmission(jobId: JobId): Promise<void>;
  deleteExpiredKeys(): Promise<void>;
}

/** A thing of the acting user, of somebody else, or of nobody. */
export type Owned<T> = { readonly kind: 'own'; readonly value: T } | { readonly kind: 'foreign' | 'missing' };

export interface JobQuery {
  readonly ownerId: UserId;
  readonly jobId: JobId;
  /** A job that runs elsewhere is missing; undefined: any. */
  readonly platform: Platform | undefined;
}

export interface JobListQuery {
  readonly ownerId: UserId;
  readonly pageSize: number;
  /** From 1. */
  readonly pageIndex: number;
  readonly order: 'start_time' | 'end_time';
  readonly isAscending: boolean;
  /** None is kept but these. */
  readonly states: readonly State[];
  readonly search: JobSearch;
}

/** What is shown to users who may have it already. */
export interface Versioned<T> {
  /** Of all that is shown: the same version is the same answer. */
  readonly version: string;
  /** Undefined: the caller has this version. */
  readonly shown: T | undefined;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** All that match. A job that changes meanwhile may be in the one and not yet in the other. */
  readonly jobCount: number;
}

export interface JobStore {
  /** @param knownVersion - that the caller has; empty: none */
  findJob(query: JobQuery, knownVersion: string): Promise<Owned<Versioned<JobWithTasks>>>;
  /** Runners that have, or had last, tasks of the job, by id. */
  listRunners(query: JobQuery): Promise<Owned<readonly { readonly runnerId: string; readonly taskCount: number }[]>>;
  listJobs(query: JobListQuery, knownVersion: string): Promise<Versioned<JobPage>>;
  /** Why a query for an own job found none. */
  explainMiss(query: JobQuery): Promise<'foreign' | 'missing'>;
  /** Folds the ledgers of counts and of usage. */
  compactCounts(): Promise<void>;
}

/** A task, by an attempt of it or by its number, and what of its job an operation needs. */
export type TaskRef = { readonly need: JobNeed } & (
  | { readonly attemptId: AttemptId }
  | { readonly jobId: JobId; readonly taskId: number }
);
/**
 * `task`: nothing; `facts`: its row; `start`: its row, locked unless the job has started; `end`: its row, locked, its merge, and
 * a tally of its tasks.
 */
export type JobNeed = 'task' | 'facts' | 'start' | 'end';

/** A job, by its id, with its owner and platform where it must be theirs. */
export interface JobRef {
  readonly jobId: JobId;
  readonly ownerId?: UserId;
  readonly platform?: Platform | undefined;
}
/**
 * `all`: locked, with their open attempts; `tally`: how many are what; `usage`: the same, and what their
 * owner has, while no other job is stored for him.
 */
export type TasksNeed = 'all' | 'tally' | 'usage';

/** An idempotency key. */
export interface AnswerKey {
  readonly ownerId: UserId;
  readonly key: string;
}

/** Loads rows, has them changed, and stores the change, all or nothing. What is not there is not in the draft. */
export interface StateStore {
  /**
   * Tasks, locked, with all their attempts. Callers that come together share a transaction, each seeing what those before
   * it have decided. `decide` must not throw for what one caller has said: the others would wait for it.
   */
  changeTasks<T>(refs: readonly TaskRef[], decide: (draft: Draft) => T): Promise<T>;
  /** A job, locked, with its merge, and the earlier answer to a key. */
  changeJob<T>(ref: JobRef, tasks: TasksNeed, decide: (draft: Draft) => T, key?: AnswerKey): Promise<T>;
}

export interface LeaseStore {
  /** Attempts whose lease has run out, the oldest first. */
  listExpired(limit: number): Promise<readonly AttemptId[]>;
}

/** What results is to merge. */
export interface MergeOrder {
  readonly jobId: JobId;
  /** Tasks that delivered, ascending. */
  readonly taskIds: readonly number[];
  readonly isPartial: boolean;
  /** The job was stopped: the tasks have simulated fewer primaries than it asked for. */
  readonly isStopped: boolean;
  /** Of the job's merges, from 1: its results do not replace those of a later one. */
  readonly number: number;
  /** Of which pages the error is wanted; null: there is no target. */
  readonly target: Target | null;
}

/** What keeps the simulators of a runner from the rest of its machine. */
export const CONFINEMENT_NAMES = ['none', 'bubblewrap', 'container'] as const;
export type ConfinementName = (typeof CONFINEMENT_NAMES)[number];

/** What a runner can run. */
export interface RunnerReport {
  readonly executables: Executables;
  /** Undefined: it is of a release that does not say. */
  readonly confinement: ConfinementName | undefined;
  /** Its executables are given no user's own files. */
  readonly isRefusingFiles: boolean;
  /** Tasks that it runs at once; 0: it is of a release that does not say. */
  readonly slotCount: number;
}

/** A simulator in a version that a runner has reported, some time. */
export interface KnownExecutable {
  readonly simulator: Simulator;
  /** Empty: not known. */
  readonly version: string;
  /** When it was last reported, to a few seconds. */
  readonly seenAt: Date;
  /** Runners that live and have it. */
  readonly runnerCount: number;
}

/** Runners that live and what they have, and what runners ever had. */
export interface RunnerStore {
  /**
   * Notes what a runner has, which is remembered for good; it lives for `expiryMs` from now.
   * @returns whether an operator drains it
   */
  report(runnerId: RunnerId, report: RunnerReport, expiryMs: number): Promise<boolean>;
  /** Forgets runners that live no more. */
  deleteExpired(): Promise<void>;
  /** Of every runner that lives; those that are alike are one with the slots of all. */
  listLive(): Promise<readonly RunnerReport[]>;
  /** That runners have ever reported, each once, in the order of their names. */
  listExecutables(): Promise<readonly KnownExecutable[]>;
}

/** A message of the outbox. */
export interface OutboxMessage extends Origin {
  readonly outboxId: bigint;
  readonly jobId: string;
  readonly taskId: number;
  readonly attemptId: string;
}

export interface Outbox {
  /** Whether anything is to be published, for which there is room, and whether tasks wait for room. Changes nothing. */
  look(windowTasks: number): Promise<{ readonly isDue: boolean; readonly isWindowFull: boolean }>;
  /**
   * Takes the next messages for publication, user by user while fewer than `windowTasks` are in flight. They are due again after `forMs` unless `markPublished` says otherwise: a copy of the service that dies
   * in between loses nothing. `isWindowFull`: others may wait for room; without a message, perhaps nobody does.
   */
  reserve(
    windowTasks: number,
    forMs: number,
  ): Promise<{ readonly messages: readonly OutboxMessage[]; readonly isWindowFull: boolean }>;
  /** The broker has them. They are due again after `afterMs`, doubled for every earlier publication, at most `afterMaxMs`. */
  markPublished(outboxIds: readonly bigint[], afterMs: number, afterMaxMs: number): Promise<void>;
  /** The broker may not have them: they are due again now. */
  giveBack(outboxIds: readonly bigint[]): Promise<void>;
}

/** What of a job's input results stores. */
export interface StoredInput {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly inputType: InputType;
  /** Exactly as submitted, UTF-8 JSON text. */
  readonly submitted: Uint8Array;
  /** File name → text, UTF-8. */
  readonly deck: Readonly<Record<string, Uint8Array>>;
  readonly simulatorDeck: SimulatorDeck | undefined;
  /** What the results of the job are shown with. */
  readonly warnings: readonly Warning[];
  /** Absent: it is not known. */
  readonly description?: JobDescription | undefined;
}

/** Data of jobs, in results. */
export interface JobData {
  /** Safe to repeat. @param storedBytesMax - that results may keep of the owner; 0: no bound; undefined: as the settings say */
  createInput(input: StoredInput, storedBytesMax: number | undefined): Promise<void>;
  /**
   * Merges outputs of tasks into the job's final results. Safe to repeat; results of a merge with a larger number stay.
   * @returns the relative error of the pages that the target of the order names; undefined: there is no target, or it is not known
   */
  mergeOutputs(order: MergeOrder, signal: AbortSignal): Promise<number | undefined>;
  /** Safe to repeat; a job that is not there is fine. */
  deleteJobData(jobId: JobId): Promise<void>;
  /** Results with outputs of tasks, or logs; the input stays. Safe to repeat; a job that is not there is fine. */
  deleteJobParts(jobId: JobId, data: 'results' | 'logs'): Promise<void>;
  /** Gives those of the jobs that are a user's to another. Safe to repeat. */
  updateOwner(jobIds: readonly JobId[], ownerId: UserId, newOwnerId: UserId): Promise<void>;
}

/** The broker. */
export interface Publisher {
  /** Resolves when the broker has the message; rejects when it may not have it. */
  publish(message: OutboxMessage): Promise<void>;
}

/** Told when there may be something to publish, to remove, to deliver again or to tell batch-bridge: nobody waits for the next look. */
export interface Notifier {
  /** Messages of further attempts were added, or one gave up its place. */
  outbox(): void;
  /** Tasks were added, each with the message of its first attempt. */
  tasks(): void;
  /** Tasks were claimed or are not wanted any more: so many places of the window are free. */
  window(placeCount: number): void;
  /** A duty was added, or is due earlier. */
  duties(): void;
}

/** Sees every change of states when it is stored: counts and log lines. */
export type ChangeObserver = (change: Change, snapshot: Snapshot) => void;

/** Events are stored with the change that they tell of (change.ts); here they are read and forgotten. */
export interface EventStore {
  /** Where to begin: after this event, or now when it is undefined, unknown or too long ago. */
  openEvents(ownerId: UserId, afterId: bigint | undefined): Promise<EventsBeginning>;
  /** The owner's first events after this id, ascending. */
  listEvents(ownerId: UserId, afterId: bigint, limit: number): Promise<readonly JobEvent[]>;
  /** Id of the last event of each of these owners; none: not named. */
  listLastEvents(
    ownerIds: readonly UserId[],
  ): Promise<readonly { readonly ownerId: UserId; readonly lastId: bigint }[]>;
  /** Forgets events older than `ageMs`, and progress older than `progressAgeMs`. Returns how many. */
  forgetEvents(ageMs: number, progressAgeMs: number): Promise<number>;
}

/** Says when there may be new events, from whichever copy of the service. */
export interface EventSignals {
  /** @param signal - ends every wait when it aborts */
  subscribe(ownerId: UserId, signal: AbortSignal): EventSubscription;
}
export interface EventSubscription {
  /**
   * Resolves when there may be something new since the last wait; after a while in any case.
   * @throws ServiceError SERVICE_UNAVAILABLE when the service stops
   */
  wait(): Promise<void>;
  end(): void;
}
