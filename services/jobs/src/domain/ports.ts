/**
 * What the rules of this service need from outside. Every method of a store is one transaction; every one that changes
 * a state is conditional on the state it leaves (job-state.ts, task-state.ts) and may be repeated, run at once with any
 * other, and be cut off at any moment.
 *
 * Locks are taken in one order everywhere, simulation → tasks → attempts → messages, so that nobody waits in a circle.
 */

import type { Executables } from '@tally/simulators';
import type { AttemptEnd, AttemptHistory, NextStep } from './attempt.js';
import type { BatchTarget } from './batch-ports.js';
import type { InputType, Job, JobId, Platform, Simulator, UserId, Warning } from './job.js';
import type { EventsBeginning, JobEvent } from './job-event.js';
import type { State } from './job-state.js';
import type { AttemptId, JobWithTasks, RunnerId, TaskPlan, WorkOrder } from './task.js';

/** A job as it is stored the first time. */
export interface NewJob {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly platform: Platform;
  readonly inputType: InputType;
  readonly simulator: Simulator;
  readonly seed: bigint;
  readonly tasks: readonly TaskPlan[];
  readonly warnings: readonly Warning[];
  /** Batch platform only. */
  readonly batch: BatchTarget | undefined;
  readonly idempotency: { readonly key: string; readonly requestHash: string } | undefined;
}

/** What a submission is answered with, also when it is repeated. */
export interface SubmissionAnswer {
  readonly jobId: JobId;
  /** Internal number; undefined: a repeat, and the job has been deleted. */
  readonly simulationId: bigint | undefined;
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
  /** Write-ahead: from now on data of this job in results is known here. */
  beginSubmission(jobId: JobId): Promise<void>;
  /** The submission with this key was answered with an error: a repeat gets it again. */
  noteFailure(ownerId: UserId, key: string, jobId: JobId, failure: string): Promise<void>;
  /**
   * Stores job, tasks, the idempotency key, and what takes the job on, all or nothing: first attempts and messages on the
   * direct platform, the errand to submit it on the batch platform. Resolves to its internal number. `abandoned`: the
   * sweeper gave this submission up. `keyTaken`: another request with the same key was faster.
   */
  createJob(job: NewJob): Promise<{ readonly simulationId: bigint } | 'abandoned' | 'keyTaken'>;
  /** Turns a failed submission into a deletion of its data. */
  abandonSubmission(jobId: JobId): Promise<void>;
  /** The same for submissions that are older than `ageMs`. Returns how many. */
  abandonOldSubmissions(ageMs: number): Promise<number>;
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
  /** At least one. */
  readonly states: readonly State[];
}

export interface JobStore {
  findJob(query: JobQuery): Promise<Owned<JobWithTasks>>;
  /** `jobCount`: all that match. A job that changes meanwhile may be in the one and not yet in the other. */
  listJobs(query: JobListQuery): Promise<{ readonly jobs: readonly Job[]; readonly jobCount: number }>;
  /** Cancels the job with everything open in it, and takes its messages back. A terminal job stays as it is. */
  cancelJob(query: JobQuery): Promise<Owned<State>>;
  /** Removes a terminal job and leaves the intent to remove its data in results. */
  deleteJob(query: JobQuery): Promise<Owned<'deleted' | 'notTerminal'>>;
  /** Folds the ledger of counts. */
  compactCounts(): Promise<void>;
}

/** Facts about the attempt that ends, for the rule that says what follows. */
export type DecideNextStep = (history: AttemptHistory) => NextStep;

export interface TaskStore {
  /** Opens or renews the lease of this attempt for this runner; undefined: not claimable. */
  claimTask(attemptId: AttemptId, runnerId: RunnerId, leaseMs: number): Promise<WorkOrder | undefined>;
  /** Renews the lease and stores progress. False: the attempt is not open any more. */
  reportTask(
    attemptId: AttemptId,
    progress: { readonly simulatedPrimaries: bigint; readonly estimatedSeconds: number | null },
    leaseMs: number,
  ): Promise<boolean>;
  /** Primaries that the task of an attempt has to simulate; undefined: no such attempt. */
  findRequestedPrimaries(attemptId: AttemptId): Promise<bigint | undefined>;
  /**
   * Ends an attempt and does what `decide` says: task COMPLETED, next attempt with its message, or task FAILED; when it
   * was the last open task, what decideJobStep says. `lost` applies only while the lease is expired, everything else only
   * to a claimed attempt.
   * @returns whether it applied: also true for a repeat of the end that was stored
   */
  endAttempt(attemptId: AttemptId, end: AttemptEnd, decide: DecideNextStep): Promise<boolean>;
  listExpiredAttempts(limit: number): Promise<readonly AttemptId[]>;
}

/** What a worker needs to merge. */
export interface MergeOrder {
  readonly jobId: JobId;
  /** Tasks that delivered, ascending. */
  readonly taskIds: readonly number[];
  readonly isPartial: boolean;
}

export interface MergeStore {
  claimMerge(mergeId: string, runnerId: RunnerId, leaseMs: number): Promise<MergeOrder | undefined>;
  /** Renews the lease. False: the merge is not open any more, or another runner's. */
  reportMerge(mergeId: string, runnerId: RunnerId, leaseMs: number): Promise<boolean>;
  /**
   * Ends a merge and does what `decide` says: job COMPLETED (FAILED when partial), next merge with its message, or job
   * FAILED. `runnerId` undefined: for `lost`, which applies only while the lease is expired.
   */
  endMerge(mergeId: string, runnerId: RunnerId | undefined, end: AttemptEnd, decide: DecideNextStep): Promise<boolean>;
  listExpiredMerges(limit: number): Promise<readonly string[]>;
}

/** Runners that live, and what they have. */
export interface RunnerStore {
  /** Notes what a runner has; it lives for `expiryMs` from now. */
  report(runnerId: RunnerId, executables: Executables, expiryMs: number): Promise<void>;
  /** Of every runner that lives. */
  listLive(): Promise<readonly Executables[]>;
}

/** A message of the outbox. */
export type OutboxMessage =
  | {
      readonly kind: 'task';
      readonly outboxId: bigint;
      readonly jobId: string;
      readonly taskId: number;
      readonly id: string;
    }
  | { readonly kind: 'merge'; readonly outboxId: bigint; readonly jobId: string; readonly id: string };

export interface Outbox {
  /**
   * Takes the next messages for publication: tasks user by user while fewer than `windowTasks` are in flight, merges in
   * their order. They are due again after `forMs` unless `markPublished` says otherwise: a copy of the service that dies
   * in between loses nothing.
   */
  reserve(windowTasks: number, forMs: number): Promise<readonly OutboxMessage[]>;
  /** The broker has them. They are due again after `afterMs`, doubled for every earlier publication, at most `afterMaxMs`. */
  markPublished(outboxIds: readonly bigint[], afterMs: number, afterMaxMs: number): Promise<void>;
  /** The broker may not have them: they are due again now. */
  giveBack(outboxIds: readonly bigint[]): Promise<void>;
}

export interface DeletionStore {
  /** Jobs whose data is to be removed now; each is due again later, later still after every try. */
  takeDueDeletions(limit: number, retryMaxMs: number): Promise<readonly JobId[]>;
  finishDeletion(jobId: JobId): Promise<void>;
}

/** What of a job's input results stores. */
export interface StoredInput {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  readonly inputType: InputType;
  /** Exactly as submitted, UTF-8 JSON text. */
  readonly submitted: Uint8Array;
  /** File name → text. */
  readonly deck: Readonly<Record<string, string>>;
}

/** Data of jobs, in results. */
export interface JobData {
  /** Safe to repeat. */
  createInput(input: StoredInput): Promise<void>;
  /** Safe to repeat; a job that is not there is fine. */
  deleteJobData(jobId: JobId): Promise<void>;
}

/** The broker. */
export interface Publisher {
  /** Resolves when the broker has the message; rejects when it may not have it. */
  publish(message: OutboxMessage): Promise<void>;
}

/** Told when there may be something to publish, to remove or to tell batch-bridge: nobody waits for the next look. */
export interface Wake {
  outbox(): void;
  deletions(): void;
  errands(): void;
}

/** Events are written by the database itself, with the change; here they are read and forgotten. */
export interface EventStore {
  /** Where to begin: after this event, or now when it is undefined, unknown or too long ago. */
  openEvents(ownerId: UserId, afterId: bigint | undefined): Promise<EventsBeginning>;
  /** The owner's first events after this id, ascending. */
  listEvents(ownerId: UserId, afterId: bigint, limit: number): Promise<readonly JobEvent[]>;
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
