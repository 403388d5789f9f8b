import type { TaskOutputIndex } from '@tally/merge';
import type { Clock, Logger } from '@tally/service-kit';
import type { JobId } from './job-id.js';
import type { Jobs, SubmissionStore } from './ports.js';
import type { Scheduler } from './scheduler.js';

import type { TaskRecord } from './task-record.js';

/*
 * What the watching of submitted jobs needs beside ports.ts: a memory of what was seen and told, and the service that
 * takes what tasks have written.
 */

/** What is remembered of tasks. Implemented by storage. */
export interface TaskStore {
  /** Records by job and task number; tasks of which nothing is remembered are missing. */
  list(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, ReadonlyMap<number, TaskRecord>>>;
  /** Writes records, whole. A job that is gone is no error. */
  save(jobId: JobId, records: readonly TaskRecord[]): Promise<void>;
  /** Forgets the tasks of a job. */
  forget(jobId: JobId): Promise<void>;
  /** What jobs was last told of why a submitted job does not go on; empty: it does. */
  setWaiting(jobId: JobId, waitingReason: string): Promise<void>;
}

/** A task's output on a cluster, whose beginning has been read. */
export interface FetchedOutput {
  readonly index: TaskOutputIndex;
  /** Bytes [offset, offset + size) in chunks of at most 256 KiB. */
  readonly read: (offsetBytes: number, sizeBytes: number) => AsyncIterable<Buffer>;
}

/** The results service, as what tasks have written goes there. */
export interface TaskResults {
  /**
   * Adds text to a task's log; what is there already is skipped, so a repeat is harmless.
   * @param offsetBytes - bytes of the log before the text
   */
  appendTaskLog(jobId: JobId, taskId: number, offsetBytes: number, text: string): Promise<void>;
  /** Stores a task's output, in place of an earlier one. Safe to repeat. */
  putTaskOutput(jobId: JobId, taskId: number, output: FetchedOutput): Promise<void>;
}

/** Counts what is seen and fetched. */
export interface ObservationMetrics {
  /** A round for one user of a cluster has asked the scheduler. */
  observed(clusterName: string): void;
  bytesFetched(clusterName: string, bytes: number): void;
}

/** Limits and pauses, from the configuration. */
export interface ObservationLimits {
  /** A task that the scheduler, though it answers, has not shown for this long is lost. */
  readonly lostAfterMs: number;
  /** A task that the scheduler holds for this long is canceled. */
  readonly stuckAfterMs: number;
  /** A cancel that has not worked is sent again after this. */
  readonly cancelRepeatMs: number;
  /** Time between a task's end and its report as failed: what it wrote last may come late. */
  readonly failureGraceMs: number;
  /** Time after the end of everything on the cluster after which what cannot be fetched is given up. */
  readonly giveUpAfterMs: number;
  /** How long one round fetches for one user; the next one goes on. */
  readonly fetchTimeMs: number;
  /** Tasks fetched at once. */
  readonly fetchTasksMax: number;
  /** Of a longer log only so many bytes are taken. */
  readonly taskLogBytesMax: number;
  /** A larger output is refused. */
  readonly taskOutputBytesMax: number;
}

/** Everything that the watching of submitted jobs needs. */
export interface ObservationPorts {
  readonly scheduler: Scheduler;
  readonly submissions: Pick<SubmissionStore, 'setGone' | 'setCancelSent' | 'end' | 'setCleared'>;
  readonly tasks: TaskStore;
  readonly jobs: Jobs;
  readonly results: TaskResults;
  readonly metrics: ObservationMetrics;
  readonly limits: ObservationLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}
