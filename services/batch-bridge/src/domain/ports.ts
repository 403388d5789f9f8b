import type { InputType, SimType } from '@tally/simulators';
import type { Availability, Cluster, ClusterSettings } from './cluster.js';
import type { Credential, UserCredential } from './credential.js';
import type { JobId } from './job-id.js';
import type { RemoteFolders } from './remote-files.js';
import type { RemoteShell } from './remote-shell.js';
import type { SchedulerJobId } from './scheduler.js';
import type { ClusterJob, Submission, SubmissionEnd, SubmissionIn, SubmissionOutcome } from './submission.js';

/** Clusters of the deployment. Implemented by storage; several copies of the service share it. */
export interface ClusterStore {
  /**
   * Makes the stored clusters those of the configuration, in its order. One that is gone from it is kept for its
   * submissions, but not listed or checked. Safe to repeat and to run at once.
   */
  replaceAll(clusters: readonly ClusterSettings[]): Promise<void>;
  /** In configured order. */
  list(): Promise<Cluster[]>;
  /**
   * Clusters whose last check is older than `before`, taken for the caller: nobody else gets them until the same time
   * has passed again.
   */
  takeDue(now: Date, before: Date): Promise<ClusterSettings[]>;
  /** Those that are gone from the configuration, while something of theirs is not cleared. */
  listRetired(): Promise<ClusterSettings[]>;
  setAvailability(name: string, availability: Exclude<Availability, { kind: 'unchecked' }>): Promise<void>;
}

/** Looks at a cluster from outside, without logging in. */
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
  /** File name on clusters; holds its checksum, so that versions do not get into each other's way. */
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
   * Writes files, each whole or not at all: under another name first, checked for size and SHA-256, then renamed. Few
   * round trips for many files. Safe to repeat.
   * @throws ServiceError UPLOAD_DAMAGED, COMMAND_TIMED_OUT, COMMAND_LOST
   */
  upload(files: readonly Upload[]): Promise<void>;
}

/** One user's connection to one cluster. */
export interface ClusterSession extends RemoteShell, RemoteFolders, RemoteUploads {}

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
  /** @throws ServiceError CREDENTIAL_NOT_FOUND */
  get(userId: bigint, jobId: JobId): Promise<UserCredential>;
}

/** A task of a job, as jobs split it. */
export interface BatchTask {
  readonly taskId: number;
  readonly primaries: number;
  /** Number within the job of its first history. */
  readonly firstHistory: number;
  /** Whether jobs has an end of it. */
  readonly isEnded: boolean;
}

/** What a job needs to be submitted. */
export interface BatchOrder {
  readonly simType: SimType;
  readonly inputType: InputType;
  /** 64 bits. */
  readonly seed: bigint;
  /** In ascending number. */
  readonly tasks: readonly BatchTask[];
  /** Key by which tasks prove themselves. Never logged, never stored but on the cluster. */
  readonly updateKey: string;
  /** False: the job has ended; nothing of it is to be started any more. */
  readonly isOpen: boolean;
}

/** What the scheduler says of a task; COMPLETED only its output tells. */
export interface TaskReport {
  readonly taskId: number;
  readonly state: 'RUNNING' | 'FAILED' | 'CANCELED';
  /** Why it failed, the scheduler's own word and reason; empty otherwise. */
  readonly failure: string;
}

/** What jobs is told of a job; what is absent is not said. */
export interface BatchReport {
  readonly jobDir?: string;
  readonly arrayId?: SchedulerJobId;
  readonly collectId?: SchedulerJobId;
  /** Empty: it goes on. */
  readonly waitingReason?: string;
  readonly tasks?: readonly TaskReport[];
  /** Nothing more comes from the cluster: why open tasks fail. */
  readonly endFailure?: string;
}

/** What a worker says of its task, with its key. */
export interface TaskUpdate {
  readonly jobId: JobId;
  readonly updateKey: string;
  readonly taskId: number;
  readonly state?: 'RUNNING' | 'COMPLETED' | 'FAILED' | 'CANCELED';
  readonly simulatedPrimaries?: number;
  readonly remainingMs?: number;
  readonly startTime?: Date;
  readonly endTime?: Date;
  readonly failure?: string;
}

/** The jobs service. A job that it does not know (any more) is as one that has ended. */
export interface Jobs {
  /** Undefined: there is no such job. */
  getBatchOrder(jobId: JobId): Promise<BatchOrder | undefined>;
  /** Resolves to whether the job is still open. Safe to repeat. */
  reportBatch(jobId: JobId, report: BatchReport): Promise<boolean>;
  /** On behalf of a task whose node does not reach the gateway. Resolves to whether it counted. */
  updateTask(update: TaskUpdate): Promise<boolean>;
  /** Whether the task's output is still wanted. */
  isOutputWanted(of: { readonly jobId: JobId; readonly updateKey: string; readonly taskId: number }): Promise<boolean>;
  /** Says that the task's output is stored in results. Resolves to whether it counted. */
  reportTaskOutput(of: {
    readonly jobId: JobId;
    readonly updateKey: string;
    readonly taskId: number;
  }): Promise<boolean>;
}

/** The results service. */
export interface Results {
  /** Texts of the deck by file name. */
  getDeck(jobId: JobId): Promise<ReadonlyMap<string, Buffer>>;
  /** The job's log of this name becomes this text. A job that is gone is no error. */
  putLog(jobId: JobId, name: string, text: string): Promise<void>;
}

/** What SubmitBatch asks for, checked. */
export type NewSubmission = Pick<Submission, 'jobId' | 'userId' | 'clusterName' | 'options'>;

/** What jobs wants: rows that survive whatever stops in between. Each wakes the worker of the cluster, wherever it is. */
export interface SubmissionIntents {
  /** Stores a submission, or finds the first one of the job. */
  accept(submission: NewSubmission, now: Date): Promise<SubmissionOutcome>;
  /** The first one of the job, asked for again: if it waits, it is due now. Undefined: the job is not known. */
  repeat(jobId: JobId, now: Date): Promise<SubmissionOutcome | undefined>;
  /** Undefined: the job is not known. */
  outcomeOf(jobId: JobId): Promise<SubmissionOutcome | undefined>;
  /** Stores the intent, also for a job that is not known: a submission that comes later does nothing. */
  requestCancel(jobId: JobId, now: Date): Promise<void>;
  /** As requestCancel, and what the job left on the cluster is removed. */
  requestDelete(jobId: JobId, now: Date): Promise<void>;
}

/** What is known of arrays and collect jobs. */
export interface SchedulerJobStore {
  /**
   * Notes that sbatch is about to be called for a job that is planned, or was attempted at `before`. False: somebody else
   * did, or the cluster is not held by `holder` any more; then it must not be called.
   */
  noteAttempt(jobId: JobId, ordinal: number, attempt: Attempt): Promise<boolean>;
  /** The scheduler gave this id. */
  setKnown(jobId: JobId, ordinal: number, id: SchedulerJobId, now: Date): Promise<void>;
  /** It will not do anything any more: the scheduler said so, or has not shown it for too long. */
  setGone(jobId: JobId, ordinal: number, how: 'lost' | { readonly description: string }): Promise<void>;
}

/** Submissions as the worker of their cluster sees and changes them. */
export interface SubmissionStore extends SchedulerJobStore {
  /** Users of a cluster for whom something is due: to be submitted, canceled, reported as ended, cleared. */
  listDueUsers(clusterName: string, now: Date): Promise<bigint[]>;
  /** What is due for a user, that which is so for longest first. */
  listDue(clusterName: string, userId: bigint, now: Date): Promise<Submission[]>;
  /** Users with submitted jobs of which one was last observed before `observedBefore`. */
  listUsersToObserve(clusterName: string, observedBefore: Date): Promise<bigint[]>;
  /** All submitted ones of a user. */
  listSubmitted(clusterName: string, userId: bigint): Promise<SubmissionIn<'submitted'>[]>;
  /** A try begins: counts it. Should this process die under it, the next one is at `dueAt`. */
  beginTry(jobId: JobId, dueAt: Date): Promise<void>;
  /** Not now: why, for people (empty: nothing that concerns them), and when again; at once if an intent came meanwhile. */
  postpone(submission: Submission, until: Postponement): Promise<void>;
  /** Something of it is about to be put on the cluster under this login name. */
  notePlace(jobId: JobId, username: string): Promise<void>;
  /** accepted → uploaded, due at once. @throws Error as all transitions when the phase is another one */
  setUploaded(jobId: JobId, uploaded: Uploaded, now: Date): Promise<void>;
  /** uploaded → submitted. What has no id by now will never be submitted, and is forgotten. */
  setSubmitted(jobId: JobId, now: Date): Promise<void>;
  setObserved(jobIds: readonly JobId[], now: Date): Promise<void>;
  /** The arrays were canceled on the cluster. */
  setCancelSent(jobId: JobId, now: Date): Promise<void>;
  /** accepted, uploaded, submitted → ended, due at once to be reported. */
  end(jobId: JobId, end: SubmissionEnd, now: Date): Promise<void>;
  /** jobs knows the end; the folder is due to be removed at `clearAt`, or at once when deletion is wanted. */
  setEndReported(jobId: JobId, now: Date, clearAt: Date): Promise<void>;
  /** ended → cleared */
  setCleared(jobId: JobId, now: Date): Promise<void>;
  /** Adds a line to the log; resolves to the whole. Long ones lose their beginning. */
  addLogLine(jobId: JobId, line: string): Promise<string>;
  /** Forgets what was cleared before this; resolves to their number. */
  forget(before: Date): Promise<number>;
}

/** When a submission is due again, and what people are told meanwhile. */
export interface Postponement {
  readonly dueAt: Date;
  readonly waitingReason: string;
}

/** What is on the cluster once the folder is whole. */
export interface Uploaded {
  readonly username: string;
  readonly taskCount: number;
  readonly jobs: readonly Omit<ClusterJob, 'state' | 'marker'>[];
}

/** A call of sbatch that is about to be made. */
export interface Attempt {
  readonly holder: string;
  readonly now: Date;
  /** When the attempt that came to nothing was noted; absent: there was none. */
  readonly before?: Date;
}

/** Who of the copies of this service works for a cluster. */
export interface ClusterLeases {
  /** Takes or renews the lease; resolves to whether the caller has it until `until`. */
  hold(clusterName: string, holder: string, now: Date, until: Date): Promise<boolean>;
  release(holder: string): Promise<void>;
}

/** Wakes between copies of the service. */
export interface Signals {
  /** Calls back when something of the cluster may be due; returns the way to end it. */
  onWork(clusterName: string, wake: () => void): () => void;
  /** Calls back when the outcome of a submission may have changed. */
  onOutcome(jobId: JobId, wake: () => void): () => void;
}
