import type { JobId } from '../job.js';
import type { TaskTally } from '../job-end.js';
import type { StateStore } from '../ports.js';
import type { UpdateKeySecrets } from './update-key.js';

/** Who reports over HTTP. */
export interface WorkerCredential {
  /** The job id, or the decimal digits of the internal id. */
  readonly jobRef: string;
  readonly updateKey: string;
}

/** What an upload needs to know of its job, or of the task it is of. */
export interface WorkerTarget {
  /**
   * The job, and the task where one is meant, have not ended, and the attempt was not replaced. Outputs of the tasks of a
   * cancelled batch job are wanted, too: what finished tasks left on the cluster stays readable.
   */
  readonly isWanted: boolean;
  /** Hash of the update or the results that ended the job, if an external worker did. */
  readonly endedBy: string | null;
  /** The job's tasks, for whoever delivers final results. */
  readonly tally: TaskTally;
}

/** What is asked of a job for external workers. Undefined: no such job. */
export interface WorkerStore {
  /** Of the job with this internal number, decimal digits. */
  findJobId(jobKey: string): Promise<JobId | undefined>;
  /**
   * Undefined also for a job that ended more than `keyHours` ago; `noTask`: the job has no such task.
   * @param upload - `taskId` undefined: of the job as a whole
   */
  findTarget(
    jobId: JobId,
    upload: { readonly taskId: number | undefined; readonly attemptName: string | undefined },
    keyHours: number,
  ): Promise<WorkerTarget | 'noTask' | undefined>;
}

export interface WorkerPorts {
  readonly workers: WorkerStore;
  readonly states: StateStore;
  readonly updateKeys: UpdateKeySecrets;
  /** How long after the end of a job its key is still valid. */
  readonly updateKeyHours: number;
  /** A worker that is silent for this long is lost. */
  readonly workerLeaseMs: number;
}
