/**
 * What jobs needs of the batch platform; read ports.ts first. What batch-bridge is to do is a duty before it is a call: it is told
 * again until it has stored it.
 */
import type { InputType, JobId, Simulator, UserId } from '../job.js';
import type { State } from '../job-state.js';

/** Where a submission goes, as batch-bridge has checked it. */
export interface BatchTarget {
  readonly clusterName: string;
  /** UTF-8 JSON text, as the user sent it; empty: none. */
  readonly schedulerOptionsJson: Uint8Array;
}

/** A job to be submitted. */
export interface BatchSubmission extends BatchTarget {
  readonly jobId: JobId;
  readonly ownerId: UserId;
  /** Of its tasks, the first that is to be submitted: those before have ended. */
  readonly firstTask: number;
}

export type BatchOutcome =
  | { readonly kind: 'submitted' | 'underway' }
  /** For good; `message`: for people. */
  | { readonly kind: 'failed'; readonly message: string };

/** batch-bridge. Every method may be repeated. */
export interface BatchBridge {
  /**
   * Checks what a submission asks of a cluster.
   * @param clusterName - undefined: the default one
   * @returns the cluster, the executables it has, as parseExecutables reads them, and how long a task may take, where that is
   * said
   * @throws ServiceError CLUSTER_UNKNOWN, BATCH_UNIMPLEMENTED, OPTION_INVALID of batch-bridge, with their fields
   */
  checkSubmission(
    clusterName: string | undefined,
    schedulerOptionsJson: Uint8Array,
  ): Promise<{
    readonly clusterName: string;
    readonly executables: string;
    readonly wallTimeSeconds: number | undefined;
  }>;
  /**
   * Resolves when the first attempt has succeeded or failed, or after `waitMs`, or when the caller's time is nearly over.
   * @param job - what its tasks simulate
   */
  submitBatch(submission: BatchSubmission, job: BatchJob, waitMs: number): Promise<BatchOutcome>;
  /** @param lastTask - that the job had when its end was wanted; undefined: not known */
  cancelBatch(jobId: JobId, lastTask: number | undefined): Promise<void>;
  deleteBatch(jobId: JobId): Promise<void>;
}

/** What a job needs to run on a cluster. */
export interface BatchJob {
  readonly target: BatchTarget & { readonly ownerId: UserId };
  readonly simulator: Simulator;
  readonly inputType: InputType;
  readonly seed: bigint;
  readonly isOpen: boolean;
  /** Its owner has stopped it. */
  readonly isStopped: boolean;
  /** In ascending number. */
  readonly tasks: readonly {
    readonly taskId: number;
    readonly primaries: bigint;
    readonly firstHistory: bigint;
    readonly state: State;
  }[];
}

export interface BatchStore {
  /** Undefined: no such job, or it is not of the batch platform. */
  findBatchJob(jobId: JobId): Promise<BatchJob | undefined>;
}
