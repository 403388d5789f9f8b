import type { JobId, Platform } from './job.js';
import type { Delivery, TaskTally } from './job-end.js';
import type { Wake } from './ports.js';
import type { UpdateKeySecrets } from './update-key.js';
import type { Decision, JobFields, TaskFields } from './worker-update.js';

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
  /** Hash of the update or the results that ended the job, if a worker outside did. */
  readonly endedBy: string | null;
  /** The job's tasks, for whoever delivers final results. */
  readonly tally: TaskTally;
}

export type DecideJobUpdate = (
  job: JobFields & { readonly platform: Platform; readonly hasMerge: boolean },
  endedBy: string | null,
  now: Date,
) => Decision<JobFields>;
export type DecideTaskUpdate = (
  task: TaskFields,
  attempt: 'current' | 'new' | 'replaced',
  endedBy: string | null,
  now: Date,
) => Decision<TaskFields>;

/**
 * Workers outside in the database. Whoever reports on a task or says that it merges holds it from then on, under a lease
 * like a runner's: its message is taken back, a runner that had it is told to stop, and when nothing more is heard, the
 * next attempt goes to the runners. So a job goes on to its end whoever works on it. Undefined: no such job any more.
 */
export interface WorkerStore {
  /** The job of a reference; `isOver`: it ended more than `keyHours` ago. */
  findJob(jobRef: string, keyHours: number): Promise<{ readonly jobId: JobId; readonly isOver: boolean } | undefined>;
  /** @param hash - by which a repeat of this update is known, should it end the job */
  updateJob(jobId: JobId, hash: string, decide: DecideJobUpdate): Promise<Decision<JobFields> | undefined>;
  /** `noTask`: the job has no such task. */
  updateTask(
    jobId: JobId,
    taskId: number,
    celeryId: string | undefined,
    hash: string,
    decide: DecideTaskUpdate,
  ): Promise<Decision<TaskFields> | 'noTask' | undefined>;
  /** @param taskId - undefined: the job as a whole */
  findTarget(
    jobId: JobId,
    taskId: number | undefined,
    celeryId: string | undefined,
  ): Promise<WorkerTarget | 'noTask' | undefined>;
  /** A task's output is stored. False: the job had ended, or, on a cluster, is being merged. */
  noteTaskOutput(jobId: JobId, taskId: number): Promise<boolean | 'noTask' | undefined>;
  /** The final results are stored: ends the job, as `judge` says. False: it had ended otherwise. */
  noteResults(jobId: JobId, hash: string, judge: (tally: TaskTally) => Delivery): Promise<boolean | undefined>;
}

export interface WorkerPorts {
  readonly workers: WorkerStore;
  readonly updateKeys: UpdateKeySecrets;
  /** How long after the end of a job its key is still valid. */
  readonly updateKeyHours: number;
  readonly wake: Wake;
}
