import type { TaskOutputIndex } from '@tally/merge';
import type { Clock, Logger } from '@tally/service-kit';
import type { Availability, Cluster, ClusterSettings } from './cluster/cluster.js';
import type { JobId } from './job-id.js';
import type { TaskRecord } from './observe/task-record.js';
import type { RemoteFolders } from './remote-files.js';
import type { RemoteShell } from './remote-shell.js';
import type { Scheduler, SchedulerJobId } from './scheduler.js';
import type { JobSpec, Revocation, StoredSubmission, Submission, SubmissionIn } from './submission.js';

/*
 * What the rules need. Implemented by storage/ (the stores, shared by all copies of the service),
 * ssh/ and scheduler/ (the clusters), and clients/ (other services).
 */

/** Everything that the worker of a cluster needs. */
export interface WorkerPorts {
  readonly store: SubmissionStore;
  readonly tasks: TaskStore;
  readonly jobs: Jobs;
  readonly results: Results;
  readonly credentials: Credentials;
  readonly sessions: ClusterSessions;
  readonly scheduler: Scheduler;
  readonly programs: Programs;
  /** Address of the gateway for nodes; null: none reaches it. */
  readonly gatewayUrl: string | null;
  /** Name under which this copy of the service holds leases of clusters. */
  readonly holder: string;
  /** Aborts when this copy of the service is about to end: an error now does not count against a job. */
  readonly stopping: AbortSignal;
  readonly metrics: WorkerMetrics;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Limits and pauses, from the configuration (described in config.ts). */
export interface Limits {
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  readonly waitHoursMax: number;
  readonly markerGraceMs: number;
  readonly lostAfterMs: number;
  readonly warningSeconds: number;
  readonly progressIntervalMs: number;
  readonly taskStallLimitMs: number;
  readonly taskStallRetriesMax: number;
  readonly collectWallTimeSeconds: number;
  readonly collectMemoryMib: number;
  readonly folderKeepHours: number;
  readonly stuckHoursMax: number;
  readonly cancelRepeatMs: number;
  readonly failureGraceMs: number;
  readonly fetchTimeMs: number;
  readonly fetchTasksMax: number;
  readonly fetchHoursMax: number;
  readonly taskLogBytesMax: number;
  readonly taskOutputBytesMax: number;
}

/** Counts what is done on clusters. */
export interface WorkerMetrics {
  /** The scheduler was asked about all jobs of a user. */
  polled(clusterName: string): void;
  bytesFetched(clusterName: string, bytes: number): void;
}

/** Clusters of the deployment. */
export interface ClusterStore {
  /** Load, decide, store for all clusters at once: `decide` gets those that are stored and returns all that change. */
  change(decide: (stored: readonly StoredCluster[]) => readonly StoredCluster[]): Promise<void>;
  /** Those of the configuration, in its order. */
  list(): Promise<Cluster[]>;
  /**
   * Clusters whose last check is older than `before`, taken for the caller: nobody else gets them until the same time
   * has passed again.
   */
  takeDue(now: Date, before: Date): Promise<ClusterSettings[]>;
  /** Settings, as they were stored, of those that are gone from the configuration while they have submissions. */
  listRetired(): Promise<unknown[]>;
  setAvailability(name: string, availability: Exclude<Availability, { kind: 'unchecked' }>): Promise<void>;
}

/** A cluster as it is stored. */
export interface StoredCluster extends Cluster {
  /** Place in the configuration; absent: not in it any more, kept for its submissions. */
  readonly position?: number;
}

/** The copy of this service that works for a cluster, and until when unless it is renewed. */
export interface Lease {
  readonly holder: string;
  readonly expiresAt: Date;
}

export interface LeaseStore {
  /** Load, decide, store: the lease becomes what `decide` returns; undefined: it stays. Resolves to whether it changed. */
  change(clusterName: string, decide: (lease: Lease | undefined) => Lease | undefined): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** What a rule has decided about a submission, with the answer for whoever asked. */
export interface Change<Result> {
  /** Absent: nothing changes. */
  readonly save?: Submission | Revocation;
  /** Saved with it, and kept until the folder is on the cluster; absent: the one that is stored stays. */
  readonly spec?: JobSpec;
  /** The worker of the cluster has something to do now. */
  readonly wakesWorker?: boolean;
  readonly result: Result;
}

/** What SubmitBatch asks for, checked. */
export type NewSubmission = Pick<
  Submission,
  'jobId' | 'userId' | 'clusterName' | 'options' | 'origin' | 'firstTask' | 'lastTask'
>;

/** Submissions. */
export interface SubmissionStore {
  /**
   * Load, decide, store (submission-state.ts): one at a time for a job. Who waits for the outcome is woken.
   * @param decide - gets what is stored, and the lease of its cluster
   */
  change<Result>(
    jobId: JobId,
    decide: (stored: StoredSubmission, lease: Lease | undefined) => Change<Result>,
  ): Promise<Result>;
  find(jobId: JobId): Promise<StoredSubmission>;
  /** What a submission simulates; undefined once its folder is on the cluster. */
  findSpec(jobId: JobId): Promise<JobSpec | undefined>;
  /** Users of a cluster for whom something is due: to be submitted, canceled, reported as ended, cleared. */
  listDueUsers(clusterName: string, now: Date): Promise<bigint[]>;
  /** What is due for a user, the longest due first. */
  listDue(clusterName: string, userId: bigint, now: Date): Promise<Submission[]>;
  /** Users with submitted jobs of which one was last observed before `observedBefore`. */
  listUsersToObserve(clusterName: string, observedBefore: Date): Promise<bigint[]>;
  /** All submitted ones of a user. */
  listSubmitted(clusterName: string, userId: bigint): Promise<SubmissionIn<'submitted'>[]>;
  /** The scheduler was asked about these. */
  setObserved(jobIds: readonly JobId[], now: Date): Promise<void>;
  /** Adds a line to the log of a submission; resolves to the whole. Long ones lose their beginning. */
  addLogLine(jobId: JobId, line: string): Promise<string>;
  /** Removes what was cleared before this; resolves to their number. */
  deleteCleared(before: Date): Promise<number>;
}

/** What is remembered of tasks. */
export interface TaskStore {
  /** Records by job and task number; tasks of which nothing is remembered are missing. */
  list(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, ReadonlyMap<number, TaskRecord>>>;
  /** Replaces records. A job that is gone is no error. */
  save(jobId: JobId, records: readonly TaskRecord[]): Promise<void>;
  delete(jobId: JobId): Promise<void>;
}

/** Changes that other copies of the service, too, announce. */
export interface ChangeListener {
  /** Calls back when something of the cluster may be due; returns the way to end it. */
  onWorkDue(clusterName: string, callback: () => void): () => void;
  /** Calls back when the outcome of a submission may have changed. */
  onOutcome(jobId: JobId, callback: () => void): () => void;
}

/** Checks a cluster without logging in. */
export interface HostProbe {
  /** Resolves when the pinned machine answers. @throws ServiceError HOST_KEY_CHANGED, CLUSTER_UNREACHABLE */
  probe(cluster: ClusterSettings): Promise<void>;
}

/** A file to be put on a cluster. */
export interface Upload {
  /** Absolute. Its folder must be there. */
  readonly path: string;
  readonly content: Buffer | LocalFile;
  /** 0o600 unless given. */
  readonly mode?: number;
}

/** A file of this machine, too large to be held. */
export interface LocalFile {
  readonly localPath: string;
  /** In hex. */
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** A program of this machine that nodes run. */
export interface LocalProgram extends LocalFile {
  /** File name on clusters; holds its checksum, so that versions do not overwrite each other. */
  readonly name: string;
}

/** What is uploaded once for each user and version. */
export interface Programs {
  /** @throws Error where the helper has not been built */
  find(): Promise<{ readonly helper: LocalProgram; readonly node: LocalProgram }>;
}

/** Puts files on one cluster as one user. */
export interface RemoteUploads {
  /**
   * Writes files, each complete or not at all: under another name first, checked for size and SHA-256, then renamed. Few
   * round trips for many files. Safe to repeat.
   * @throws ServiceError UPLOAD_DAMAGED, COMMAND_TIMED_OUT, COMMAND_LOST
   */
  upload(files: readonly Upload[]): Promise<void>;
}

/** One user's connection to one cluster. */
export interface ClusterSession extends RemoteShell, RemoteFolders, RemoteUploads {}

/** Certificate and key of a user, as auth gives them. */
export interface Credential {
  /** One line, as in `id_ed25519-cert.pub`. */
  readonly certificate: string;
  /** PEM or OpenSSH format, without passphrase. */
  readonly privateKey: string;
}

/** Whose connection to which cluster. */
export interface Login {
  readonly cluster: ClusterSettings;
  readonly username: string;
  readonly credential: Credential;
}

/** Connections to clusters, shared by all work of a user. */
export interface ClusterSessions {
  /**
   * @throws ServiceError CREDENTIAL_UNUSABLE, LOGIN_REFUSED, HOST_KEY_CHANGED, CLUSTER_UNREACHABLE (with a delay while a
   * pause lasts), and whatever `work` throws
   */
  withSession<T>(login: Login, work: (session: ClusterSession) => Promise<T>): Promise<T>;
}

/** SSH credentials, kept by auth. */
export interface Credentials {
  /** With the login name that it is for. @throws ServiceError CREDENTIAL_NOT_FOUND */
  get(userId: bigint, jobId: JobId): Promise<Credential & { readonly username: string }>;
}

/** A job as jobs knows it at the moment. */
export interface JobState {
  /** False: the job has ended; nothing of it is to be started any more. */
  readonly isOpen: boolean;
  /** Numbers of tasks that have ended. */
  readonly endedTasks: ReadonlySet<number>;
  /** Key by which tasks prove themselves; empty: the deployment gives none. Never logged, never stored but on the cluster. */
  readonly updateKey: string;
  /** Its owner has stopped it: running tasks are to end, and to leave what they have simulated. */
  readonly mustFinish: boolean;
}

/** State of a task at the scheduler; that it is COMPLETED only its output shows. */
export interface TaskReport {
  readonly taskId: number;
  readonly state: 'RUNNING' | 'FAILED' | 'CANCELED';
  /** Why it failed: the scheduler's own state and reason; empty otherwise. */
  readonly failure: string;
}

/** A report to jobs about a job; what is absent stays as it is. */
export interface BatchReport {
  readonly jobDir?: string;
  readonly arrayId?: SchedulerJobId;
  readonly collectId?: SchedulerJobId;
  /** Empty: it does not wait. */
  readonly waitingReason?: string;
  readonly tasks?: readonly TaskReport[];
  /** Nothing more comes from the cluster: why tasks fail that are open, up to the last one that was submitted. */
  readonly end?: { readonly failure: string; readonly lastTask: number };
}

/** A task, with the key by which whoever reports for it proves that it may. */
export interface TaskIdentity {
  readonly jobId: JobId;
  readonly updateKey: string;
  readonly taskId: number;
}

/** A report of a worker about its task. */
export interface TaskUpdate {
  readonly state?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
  readonly simulatedPrimaries?: number;
  readonly remainingMs?: number;
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly failure?: string;
}

/** The jobs service. A job that it does not know (any more) counts as one that has ended. */
export interface Jobs {
  /** Undefined: there is no such job. */
  getState(jobId: JobId): Promise<JobState | undefined>;
  /** Resolves to whether the job is still open. Safe to repeat. */
  reportBatch(jobId: JobId, report: BatchReport): Promise<boolean>;
  /** On behalf of a task whose node does not reach the gateway. Resolves to whether it counted. */
  updateTask(task: TaskIdentity, update: TaskUpdate): Promise<boolean>;
  /** Whether the task's output is still wanted. */
  isOutputWanted(task: TaskIdentity): Promise<boolean>;
  /** The task's output is stored in results. Resolves to whether it counted. */
  reportTaskOutput(task: TaskIdentity): Promise<boolean>;
}

/** A task's output on a cluster, whose beginning has been read. */
export interface FetchedOutput {
  readonly index: TaskOutputIndex;
  /** Bytes [offset, offset + size) in chunks of at most 256 KiB. */
  readonly read: (offsetBytes: number, sizeBytes: number) => AsyncIterable<Buffer>;
}

/** The results service. */
export interface Results {
  /** Texts of the deck by file name. */
  getDeck(jobId: JobId): Promise<ReadonlyMap<string, Buffer>>;
  /** The job's log of this name becomes this text. A job that is gone is no error. */
  putLog(jobId: JobId, name: string, text: string): Promise<void>;
  /**
   * Adds text to a task's log; what is there already is skipped, so a repeat is harmless.
   * @param offsetBytes - bytes of the log before the text
   */
  appendTaskLog(jobId: JobId, taskId: number, offsetBytes: number, text: string): Promise<void>;
  /** Stores a task's output, in place of an earlier one. Safe to repeat. */
  putTaskOutput(jobId: JobId, taskId: number, output: FetchedOutput): Promise<void>;
}
