import type { ConfinementKind, Launcher, LogFile, ProcessIdentity, ProcessLimits } from '@tally/launcher';
import type { TaskOutput, TaskOutputIndex, WrittenTaskOutput } from '@tally/merge';
import type { Clock, Logger } from '@tally/service-kit';
import type { Command, DeckFiles, SimulatorDriver, TaskProgress, TaskShare } from '@tally/simulators';
import type { AttemptId, JobId, TaskEnd, WorkOrder } from './task.js';

/*
 * What the runner needs of its surroundings. Calls to other services throw ServiceErrors; `isRefusal` (retry.ts) is true for
 * those that a repeat cannot mend.
 */

/** What jobs wants of work that is under way. `finish`: its end now, with what it has; `stop`: nothing, it is not wanted any more. */
export type HeartbeatAnswer = 'go-on' | 'finish' | 'stop';

/** The jobs service: who works on what. */
export interface Jobs {
  /** `undefined`: not claimable (cancelled, done, another runner's). */
  claimTask(attemptId: AttemptId): Promise<WorkOrder | undefined>;
  /** Heartbeat. */
  reportTask(attemptId: AttemptId, progress: MeasuredProgress, timeoutMs: number): Promise<HeartbeatAnswer>;
  /** Safe to repeat. False: ignored, the attempt had been replaced or ended otherwise. */
  reportTaskEnd(attemptId: AttemptId, end: TaskEnd, signal?: AbortSignal): Promise<boolean>;
  /** Reports that this runner is alive, and what it can run. */
  reportRunner(report: RunnerReport): Promise<{ readonly isDraining: boolean }>;
}

/** Where an attempt stands, and what it has used. */
export interface MeasuredProgress extends TaskProgress {
  /** Processor time so far, milliseconds; undefined: not measured. */
  readonly cpuMs: number | undefined;
}

/** How a runner runs what it has executables of. */
export interface RunnerReport {
  readonly confinement: ConfinementKind;
  /** Whether executables read users' own files here. */
  readonly acceptsFiles: boolean;
  /** Tasks at once. */
  readonly slots: number;
}

/** The results service, as a running task needs it. */
export interface TaskResults {
  /** The deck of a job; file names are not checked. */
  getDeck(jobId: JobId, signal: AbortSignal): Promise<DeckFiles>;
  /** Adds to the log of a running attempt. Safe to repeat. */
  appendLog(order: WorkOrder, piece: LogPiece, signal: AbortSignal): Promise<void>;
  /**
   * Stores what an attempt leaves: the last piece of its log and its output, where it has them. Safe to repeat.
   * `isLogTaken` false: the log was refused for good, and all else is stored.
   */
  storeTask(order: WorkOrder, parts: TaskParts, signal: AbortSignal): Promise<{ readonly isLogTaken: boolean }>;
}

/** Text of an attempt's log, and its place there: bytes before it, and bytes up to its end. */
export interface LogPiece {
  readonly offset: number;
  readonly text: string;
  readonly endOffset: number;
}
export interface TaskParts {
  readonly log: LogPiece | undefined;
  readonly output: SpooledOutput | undefined;
}

/** A task's output in the spool. */
export interface SpooledOutput {
  readonly index: TaskOutputIndex;
  /** Bytes [offset, offset + size) in chunks of at most 256 KiB. */
  read(offsetBytes: number, sizeBytes: number): Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** The folder of one attempt: where its simulator works, and the spool of what it gave. */
export interface TaskFolder {
  readonly order: WorkOrder;
  readonly log: LogFile;
  /** Absolute path of the simulator's own folder within it. */
  readonly simulatorPath: string;
  writeDeck(files: DeckFiles): Promise<void>;
  /** Adds an empty file to the simulator's folder. */
  addFile(name: string): void;
  /** Remembers the simulator over a crash of the runner. At once, so that nothing comes between start and record. */
  recordProcess(identity: ProcessIdentity): void;
  /**
   * Writes output and end: from here on neither a crash of the runner nor an outage loses them, nor does a power cut
   * what took long to compute. Replaces an earlier end.
   */
  seal(end: TaskEnd, output?: WrittenTaskOutput): Promise<void>;
  /** The output of a sealed, completed task. */
  openOutput(): Promise<SpooledOutput>;
  remove(): Promise<void>;
}

/** A task whose folder an earlier run of this runner left behind. */
export interface OrphanedTask {
  readonly folder: TaskFolder;
  /** How the attempt ended; absent: it did not. */
  readonly end: TaskEnd | undefined;
  /** Ends the processes of the attempt that still live, and no other. Resolves to their number. */
  endProcesses(): Promise<number>;
}

export interface TaskFolders {
  /** Rejects when the disk has too little space for another task: to take one would only fail it. */
  requireFreeSpace(): Promise<void>;
  /** A fresh folder, readable by this user only. */
  create(order: WorkOrder): Promise<TaskFolder>;
  listOrphaned(): Promise<OrphanedTask[]>;
}

/** The deck of one task, and the command that runs it. */
export interface DividedDeck {
  readonly files: DeckFiles;
  readonly command: Command;
  /** Events of each of its runs, where the driver lists them. */
  readonly events?: readonly number[] | undefined;
}

/** What a task computed, as it is kept and sent. */
export interface ReadOutput extends Pick<TaskOutput, 'primaries' | 'warnings'> {
  readonly written: WrittenTaskOutput;
}

/** Which driver runs a task, and how this machine starts its simulator. */
export interface ChosenSimulator {
  readonly driver: SimulatorDriver;
  /**
   * The task's share of the deck that the simulator was chosen for; a large one is divided beside the event loop.
   * @param workdir - absolute path of the folder that the files will be in
   * @throws ServiceError DECK_INVALID
   */
  divide(share: TaskShare, workdir: string): Promise<DividedDeck>;
  /**
   * What a task has left in its folder, plain files only; much is read beside the event loop.
   * @param primaries - that the task was asked for
   * @throws OutputError, also where that takes too much time or memory
   */
  readOutput(workdir: string, primaries: number): Promise<ReadOutput>;
  /** Files and folders that it reads beside the system's own. */
  readonly readOnlyPaths: readonly string[];
  /** What this simulator's tasks may use, where it is not what all may. */
  readonly limits: Partial<ProcessLimits>;
}

export interface Simulators {
  /** Rejects while none can be started: to take a task would only fail it. */
  requireReady(): Promise<void>;
  /**
   * @param deck - of the job
   * @throws ServiceError SIMULATOR_UNSUPPORTED, FILES_UNCONFINED
   */
  choose(order: WorkOrder, deck: DeckFiles): Promise<ChosenSimulator>;
}

/** The decks of the jobs whose tasks run here; a job's deck never changes. */
export interface DeckCache {
  /** @throws what results throws, and the signal's reason when it aborts */
  get(jobId: JobId, signal: AbortSignal): Promise<DeckFiles>;
}

/** A lease being kept. */
export interface Lease {
  /** Aborts when the attempt may not be ours any more; `reason` is `revoked` or `lease-lost`. */
  readonly lost: AbortSignal;
  /** Aborts only when jobs has said that it is not wanted. */
  readonly revoked: AbortSignal;
  /** Aborts when what has been done is to be handed over now. */
  readonly finish: AbortSignal;
  /** Sends no more heartbeats. */
  end(): void;
}

export interface LeaseTerms {
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/**
 * Sends one heartbeat, whose answer says nothing any more after `timeoutMs`. Those of all leases are asked for in the same
 * moment, so that they can travel together.
 */
export type SendHeartbeat = (timeoutMs: number) => Promise<HeartbeatAnswer>;

/** Keeps the leases of all that a runner works on. */
export interface LeaseKeeper {
  /**
   * Sends heartbeats until the end of the lease. Without a successful one for the length of the lease the lease is lost: another
   * runner may have the work. Heartbeats continue after that, because only jobs can revoke it.
   */
  keep(terms: LeaseTerms, heartbeat: SendHeartbeat): Lease;
}

/** Limits and pauses, from the configuration. */
export interface RunnerLimits {
  /** 0: none. */
  readonly taskStallLimitMs: number;
  readonly taskTimeLimitMs: number;
  readonly taskMemoryBytesMax: number;
  readonly taskProcessesMax: number;
  readonly taskOutputBytesMax: number;
  readonly logLineBytesMax: number;
  readonly stopGraceMs: number;
  readonly cancelGraceMs: number;
  readonly logShipMs: number;
  readonly retryPauseMs: number;
  readonly retryPauseMsMax: number;
  readonly faultCountMax: number;
  readonly deliveryTimeLimitMs: number;
  readonly claimTimeLimitMs: number;
}

/** Three steps of a stop: `drain` takes nothing more; `handBack` ends what runs; `quit` gives up what still waits to be delivered. */
export interface StopSignals {
  readonly drain: AbortSignal;
  readonly handBack: AbortSignal;
  readonly quit: AbortSignal;
}

export interface TaskPorts {
  readonly jobs: Jobs;
  readonly results: TaskResults;
  readonly decks: DeckCache;
  readonly folders: TaskFolders;
  readonly launcher: Launcher;
  readonly simulators: Simulators;
  readonly leases: LeaseKeeper;
  readonly limits: RunnerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}
