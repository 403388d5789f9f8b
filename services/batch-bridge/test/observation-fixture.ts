import { silentLogger } from '@tally/service-kit';
import { type FakeClock, fakeClock } from '@tally/testkit';
import type { ClusterSettings } from '../src/domain/cluster/cluster.js';
import { clusterSettings } from '../src/domain/cluster/cluster-settings.js';
import { fail } from '../src/domain/errors.js';
import { jobFolderPath } from '../src/domain/job-folder-path.js';
import { type JobId, readJobId } from '../src/domain/job-id.js';
import { recordOf, type TaskRecord } from '../src/domain/observe/task-record.js';
import type {
  BatchReport,
  ClusterSession,
  Limits,
  TaskIdentity,
  TaskUpdate,
  WorkerPorts,
} from '../src/domain/ports.js';
import type { JobQuery, NamedJob, Observation, ObservedState, SchedulerJobId } from '../src/domain/scheduler.js';
import { isIn, type Submission, type SubmissionEnd, type SubmissionIn } from '../src/domain/submission.js';
import { memoryTasks } from './memory-stores.js';

const ARRAY_ID = '100' as SchedulerJobId;
const COLLECT_ID = '200' as SchedulerJobId;

export const LIMITS: Limits = {
  retryFirstMs: 1_000,
  retryMaxMs: 4_000,
  waitHoursMax: 72,
  markerGraceMs: 30_000,
  lostAfterMs: 600_000,
  warningSeconds: 60,
  progressIntervalMs: 10_000,
  taskStallLimitMs: 0,
  taskStallRetriesMax: 2,
  collectWallTimeSeconds: 600,
  collectMemoryMib: 500,
  folderKeepHours: 72,
  stuckHoursMax: 1,
  cancelRepeatMs: 120_000,
  failureGraceMs: 0,
  fetchHoursMax: 24,
  fetchTimeMs: 60_000,
  fetchTasksMax: 2,
  taskLogBytesMax: 1_000_000,
  taskOutputBytesMax: 1_000_000,
};

/** What the scheduler shows of a task; absent: nothing. */
export interface Shown {
  readonly state: ObservedState;
  readonly description: string;
  readonly marker?: string;
}
export const running: Shown = { state: { kind: 'running' }, description: 'RUNNING' };
export const pending: Shown = { state: { kind: 'pending', isStuck: false }, description: 'PENDING: Priority' };
export const stuck: Shown = { state: { kind: 'pending', isStuck: true }, description: 'PENDING: PartitionTimeLimit' };
const end = (outcome: 'completed' | 'failed' | 'canceled', description: string): Shown => ({
  state: { kind: 'ended', outcome },
  description,
});
export const completed = end('completed', 'COMPLETED');
export const timeout = end('failed', 'TIMEOUT: TimeLimit');
export const canceled = end('canceled', 'CANCELLED');

/**
 * One submitted job of some tasks, in one array, with everything around it in memory. Tests change what the scheduler
 * shows and what the folder holds, and check what was reported to the services.
 */
export class ObservationFixture {
  readonly clock: FakeClock = fakeClock();
  readonly cluster: ClusterSettings;
  readonly jobId = readJobId('20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a');
  readonly folder: string;

  /** Task number (0: the collect job) → what the scheduler shows. */
  readonly shown = new Map<number, Shown>();
  /** Beside what is shown: what else the user has at the scheduler. */
  readonly others: NamedJob[] = [];
  cancelFault: Error | undefined;
  /** Path below the folder → content. */
  readonly files = new Map<string, Buffer>();
  readonly unreadable = new Set<string>();
  listingFault: Error | undefined;

  readonly records = new Map<number, TaskRecord>();
  waitingReason = '';
  /** The job while it is submitted; after that as it was last. */
  submission: SubmissionIn<'submitted'>;
  stored: Submission;

  /** What jobs knows. */
  readonly taskStates = new Map<number, string>();
  isJobOpen = true;
  isJobThere = true;
  mustFinish = false;
  isCanceledOutputWanted = false;
  readonly reports: BatchReport[] = [];
  readonly updates: (TaskIdentity & TaskUpdate)[] = [];
  readonly logs = new Map<number, Buffer>();
  readonly outputs = new Map<number, number>();
  outputFault: Error | undefined;
  readonly calls = {
    observe: 0,
    list: 0,
    state: 0,
    append: 0,
    removed: [] as string[],
    observed: [] as JobId[],
  };
  readonly canceled: unknown[] = [];

  constructor(
    readonly taskCount: number,
    overrides: Partial<ClusterSettings> = {},
    readonly limits: Partial<Limits> = {},
  ) {
    const settings = {
      name: 'north',
      displayName: 'North',
      host: 'north.example',
      hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
      scratchFolder: '/scratch/{user}',
      partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 1_000 }],
    };
    this.cluster = { ...clusterSettings.parse(settings), isReachingGateway: true, ...overrides };
    this.folder = jobFolderPath(this.cluster, 'jane', this.jobId);
    const now = this.clock.now();
    const job = (ordinal: number, id: SchedulerJobId, count: number) => ({
      ordinal,
      firstTask: 1,
      taskCount: count,
      state: { kind: 'known' as const, id, knownAt: now },
    });
    this.stored = this.submission = {
      jobId: this.jobId,
      userId: 1n,
      clusterName: 'north',
      options: { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 },
      origin: {},
      firstTask: 1,
      lastTask: taskCount,
      acceptedAt: now,
      attemptCount: 0,
      waitingReason: '',
      desired: 'run',
      phase: {
        kind: 'submitted',
        observedAt: now,
        remoteJob: {
          username: 'jane',
          taskCount,
          schedulerJobs: [job(0, COLLECT_ID, 0), job(1, ARRAY_ID, taskCount)],
        },
      },
    };
    for (let task = 0; task <= taskCount; task++) this.shown.set(task, pending);
    for (let task = 1; task <= taskCount; task++) this.taskStates.set(task, 'PENDING');
  }

  /** Shows these of the tasks; others stay. */
  show(shown: Shown | undefined, ...taskIds: number[]): void {
    for (const taskId of taskIds) {
      if (shown === undefined) this.shown.delete(taskId);
      else this.shown.set(taskId, shown);
    }
  }

  write(path: string, content: string | Uint8Array): void {
    this.files.set(path, Buffer.from(content as string));
  }

  /** As a command of jobs does. */
  setDesired(desired: Submission['desired']): void {
    this.stored = this.submission = { ...this.submission, desired };
  }

  /** How the submission ended; undefined: it has not. */
  get ended(): SubmissionEnd | undefined {
    return this.stored.phase.kind === 'ended' ? this.stored.phase.end : undefined;
  }

  get session(): ClusterSession {
    return {
      run: async () => {
        throw new Error('no command is to be run but by the scheduler');
      },
      upload: async () => {
        throw new Error('nothing is to be uploaded');
      },
      findFiles: async (folder, names, depthMax) => {
        this.calls.list++;
        if (this.listingFault !== undefined) throw this.listingFault;
        return [...this.files]
          .filter(([path]) => folder === this.folder && names.includes(path.split('/').at(-1) ?? ''))
          .filter(([path]) => path.split('/').length <= depthMax)
          .map(([path, { length }]) => ({ path, sizeBytes: length, modifiedAt: new Date(length) }));
      },
      withFiles: (work) =>
        work({
          open: async (path, use) => {
            const name = path.slice(this.folder.length + 1);
            if (this.unreadable.has(name)) throw fail('FILE_UNREADABLE');
            const content = this.files.get(name);
            if (content === undefined || !path.startsWith(`${this.folder}/`)) return undefined;
            return use({
              sizeBytes: content.length,
              read: async (offset, size) => content.subarray(offset, offset + size),
            });
          },
        }),
      removeFolder: async (folder) => void this.calls.removed.push(folder),
    };
  }

  get ports(): WorkerPorts {
    const { clock, calls } = this;
    return {
      clock,
      logger: silentLogger,
      limits: { ...LIMITS, ...this.limits },
      metrics: { polled: () => {}, bytesFetched: () => {} },
      scheduler: {
        submit: async () => {
          throw new Error('nothing is to be submitted');
        },
        find: async (_, marker) => this.others.flatMap((job) => (job.marker === marker ? job.id : [])),
        listOpen: async () => this.others,
        writeScript: () => '',
        observe: async (_, jobs) => {
          if (jobs.length > 0) calls.observe++;
          const observations = jobs.flatMap((job) => this.#observed(job));
          const shownJobs = observations.map(({ schedulerJobId: id, marker }) => ({ id, marker }));
          return { observations, open: [...shownJobs, ...this.others] };
        },
        cancel: async (_, jobs) => {
          if (jobs.length > 0 && this.cancelFault !== undefined) throw this.cancelFault;
          if (jobs.length > 0) this.canceled.push(jobs);
        },
      },
      store: {
        change: async (_, decide) => {
          const { save, result } = decide(this.stored, undefined);
          if (save !== undefined && 'phase' in save) this.stored = save;
          if (isIn('submitted', this.stored)) this.submission = this.stored;
          return result;
        },
        find: async () => this.stored,
        findSpec: async () => undefined,
        listDueUsers: async () => [],
        listDue: async () => [],
        listUsersToObserve: async () => [],
        listSubmitted: async () => [this.submission],
        setObserved: async (jobIds) => void calls.observed.push(...jobIds),
        addLogLine: async () => '',
        deleteCleared: async () => 0,
      },
      tasks: memoryTasks(this.records),
      credentials: { get: async () => ({ username: 'jane', certificate: 'certificate', privateKey: 'key' }) },
      sessions: { withSession: async (_, work) => work(this.session) },
      programs: { find: () => Promise.reject(new Error('nothing is to be uploaded')) },
      gatewayUrl: null,
      holder: 'copy',
      stopping: new AbortController().signal,
      jobs: this.#jobs(),
      results: {
        getDeck: async () => new Map(),
        putLog: async () => {},
        appendTaskLog: async (_, taskId, offset, text) => {
          calls.append++;
          const known = this.logs.get(taskId) ?? Buffer.alloc(0);
          if (offset > known.length) throw new Error('a piece of the log is missing');
          this.logs.set(taskId, Buffer.concat([known, Buffer.from(text).subarray(known.length - offset)]));
        },
        putTaskOutput: async (_, taskId, { index, read }) => {
          if (this.outputFault !== undefined) throw this.outputFault;
          let bytes = 0;
          for (const page of index.pages) {
            for await (const chunk of read(page.offsetBytes, page.sizeBytes)) bytes += chunk.length;
          }
          this.outputs.set(taskId, bytes);
        },
      },
    };
  }

  #observed({ id, marker, indices }: JobQuery): Observation[] {
    return (indices ?? [undefined]).flatMap((index) => {
      const shown = this.shown.get(index ?? 0);
      if (shown === undefined || (shown.marker ?? marker) !== marker) return [];
      const { state, description } = shown;
      return { schedulerJobId: id, marker, state, description, ...(index === undefined ? {} : { arrayIndex: index }) };
    });
  }

  #setState(taskId: number, state: string | undefined): boolean {
    const isOpen = this.isJobOpen && !/COMPLETED|FAILED|CANCELED/.test(this.taskStates.get(taskId) ?? '');
    if (isOpen && state !== undefined) this.taskStates.set(taskId, state);
    return isOpen;
  }

  #jobs(): WorkerPorts['jobs'] {
    return {
      getState: async () => {
        this.calls.state++;
        if (!this.isJobThere) return undefined;
        const ended = [...this.taskStates].filter(([, state]) => /COMPLETED|FAILED|CANCELED/.test(state));
        const endedTasks = new Set(ended.map(([taskId]) => taskId));
        return { isOpen: this.isJobOpen, endedTasks, updateKey: 'key', mustFinish: this.mustFinish };
      },
      reportBatch: async (_, report) => {
        this.reports.push(report);
        if (report.waitingReason !== undefined) this.waitingReason = report.waitingReason;
        for (const { taskId, state } of report.tasks ?? []) this.#setState(taskId, state);
        return this.isJobOpen;
      },
      updateTask: async ({ jobId, updateKey, taskId }, update) => {
        this.updates.push({ jobId, updateKey, taskId, ...update });
        return this.#setState(taskId, update.state);
      },
      isOutputWanted: async ({ taskId }) => this.isCanceledOutputWanted || this.#setState(taskId, undefined),
      reportTaskOutput: async ({ taskId }) => this.#setState(taskId, undefined),
    };
  }

  /** What is remembered of a task. */
  record(taskId: number): TaskRecord {
    return recordOf(this.records, taskId);
  }
}
