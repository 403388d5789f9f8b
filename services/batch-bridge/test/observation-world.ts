import { silentLogger } from '@tally/service-kit';
import { type FakeClock, fakeClock } from '@tally/testkit';
import type { ClusterSettings } from '../src/domain/cluster.js';
import { clusterSettings } from '../src/domain/cluster-settings.js';
import { fail } from '../src/domain/errors.js';
import { jobFolderPath } from '../src/domain/job-folder-path.js';
import { readJobId } from '../src/domain/job-id.js';
import type { ObservationLimits, ObservationPorts } from '../src/domain/observation-ports.js';
import type { BatchReport, ClusterSession, TaskUpdate } from '../src/domain/ports.js';
import type { Observation, ObservedState, SchedulerJobId, WatchedJob } from '../src/domain/scheduler.js';
import { markerOf, type SubmissionEnd, type SubmissionIn } from '../src/domain/submission.js';
import { freshRecord, type TaskRecord } from '../src/domain/task-record.js';

const ARRAY_ID = '100' as SchedulerJobId;
const COLLECT_ID = '200' as SchedulerJobId;

export const LIMITS: ObservationLimits = {
  lostAfterMs: 600_000,
  stuckAfterMs: 3_600_000,
  cancelRepeatMs: 120_000,
  failureGraceMs: 0,
  giveUpAfterMs: 86_400_000,
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
 * shows and what the folder holds, and look at what the services were told.
 */
export class ObservationWorld {
  readonly clock: FakeClock = fakeClock();
  readonly cluster: ClusterSettings;
  readonly jobId = readJobId('20261121-150405-0191c2a4-7f3e-7c1d-9a55-1f2e3d4c5b6a');
  readonly folder: string;

  /** Task number (0: the collect job) → what the scheduler shows. */
  readonly shown = new Map<number, Shown>();
  isSchedulerWhole = true;
  isControllerUp = true;
  /** Path below the folder → content. */
  readonly files = new Map<string, Buffer>();
  readonly unreadable = new Set<string>();
  listingFault: Error | undefined;

  readonly records = new Map<number, TaskRecord>();
  waitingReason = '';
  submission: SubmissionIn<'submitted'>;
  ended: SubmissionEnd | undefined;
  isCleared = false;

  /** What jobs knows. */
  readonly taskStates = new Map<number, string>();
  isJobOpen = true;
  isJobThere = true;
  isCanceledOutputWanted = false;
  readonly reports: BatchReport[] = [];
  readonly updates: TaskUpdate[] = [];
  readonly logs = new Map<number, Buffer>();
  readonly outputs = new Map<number, number>();
  outputFault: Error | undefined;
  readonly calls = { observe: 0, ping: 0, list: 0, order: 0, append: 0, removed: [] as string[] };
  readonly canceled: unknown[] = [];

  constructor(
    readonly taskCount: number,
    overrides: Partial<ClusterSettings> = {},
    readonly limits: Partial<ObservationLimits> = {},
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
      marker: markerOf(this.jobId, ordinal),
      firstTask: 1,
      taskCount: count,
      state: { kind: 'known' as const, id, knownAt: now },
    });
    this.submission = {
      jobId: this.jobId,
      userId: 1n,
      clusterName: 'north',
      options: { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 },
      acceptedAt: now,
      tryCount: 0,
      waitingReason: '',
      isCancelWanted: false,
      isDeleteWanted: false,
      phase: {
        kind: 'submitted',
        observedAt: now,
        username: 'jane',
        taskCount,
        jobs: [job(0, COLLECT_ID, 0), job(1, ARRAY_ID, taskCount)],
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

  /** Puts down what jobs wants. */
  want(intent: Partial<Pick<SubmissionIn<'submitted'>, 'isCancelWanted' | 'isDeleteWanted'>>): void {
    this.submission = { ...this.submission, ...intent };
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

  get ports(): ObservationPorts {
    const { clock, calls } = this;
    return {
      clock,
      logger: silentLogger,
      limits: { ...LIMITS, ...this.limits },
      metrics: { observed: () => {}, bytesFetched: () => {} },
      scheduler: {
        submit: async () => {
          throw new Error('nothing is to be submitted');
        },
        find: async () => [],
        writeScript: () => '',
        observe: async (_, jobs) => {
          if (jobs.length > 0) calls.observe++;
          return { observations: jobs.flatMap((job) => this.#observed(job)), isWhole: this.isSchedulerWhole };
        },
        cancel: async (_, jobs) => {
          if (jobs.length > 0) this.canceled.push(jobs);
        },
        ping: async () => {
          calls.ping++;
          if (!this.isControllerUp) throw fail('SCHEDULER_UNREACHABLE');
        },
      },
      submissions: {
        setGone: async (_, ordinal, how) => {
          const { phase } = this.submission;
          const jobs = phase.jobs.map((job) => {
            if (job.ordinal !== ordinal || job.state.kind !== 'known') return job;
            const { id } = job.state;
            const state = how === 'lost' ? { kind: how, id } : { kind: 'ended' as const, id, ...how };
            return { ...job, state };
          });
          this.submission = { ...this.submission, phase: { ...phase, jobs } };
        },
        setCancelSent: async (_, cancelSentAt) => {
          this.submission = { ...this.submission, phase: { ...this.submission.phase, cancelSentAt } };
        },
        end: async (_, ended) => {
          this.ended = ended;
        },
        setCleared: async () => {
          this.isCleared = true;
        },
      },
      tasks: {
        list: async () => new Map([[this.jobId, new Map(this.records)]]),
        save: async (_, records) => {
          for (const record of records) this.records.set(record.taskId, record);
        },
        forget: async () => this.records.clear(),
        setWaiting: async (_, waitingReason) => {
          this.submission = { ...this.submission, waitingReason };
        },
      },
      jobs: this.#jobs(),
      results: {
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

  #observed({ id, marker, indices }: WatchedJob): Observation[] {
    return (indices ?? [undefined]).flatMap((index) => {
      const shown = this.shown.get(index ?? 0);
      if (shown === undefined || (shown.marker ?? marker) !== marker) return [];
      const { state, description } = shown;
      return { schedulerJobId: id, marker, state, description, ...(index === undefined ? {} : { arrayIndex: index }) };
    });
  }

  #tell(taskId: number, state: string | undefined): boolean {
    const isOpen = this.isJobOpen && !/COMPLETED|FAILED|CANCELED/.test(this.taskStates.get(taskId) ?? '');
    if (isOpen && state !== undefined) this.taskStates.set(taskId, state);
    return isOpen;
  }

  #jobs(): ObservationPorts['jobs'] {
    return {
      getBatchOrder: async () => {
        this.calls.order++;
        if (!this.isJobThere) return undefined;
        const tasks = [...this.taskStates].map(([taskId, state]) => ({
          taskId,
          primaries: 10,
          firstHistory: 10 * (taskId - 1),
          isEnded: /COMPLETED|FAILED|CANCELED/.test(state),
        }));
        return { simType: 'simA', inputType: 'editor', seed: 1n, tasks, updateKey: 'key', isOpen: this.isJobOpen };
      },
      reportBatch: async (_, report) => {
        this.reports.push(report);
        if (report.waitingReason !== undefined) this.waitingReason = report.waitingReason;
        for (const { taskId, state } of report.tasks ?? []) this.#tell(taskId, state);
        return this.isJobOpen;
      },
      updateTask: async (update) => {
        this.updates.push(update);
        return this.#tell(update.taskId, update.state);
      },
      isOutputWanted: async ({ taskId }) => this.isCanceledOutputWanted || this.#tell(taskId, undefined),
      reportTaskOutput: async ({ taskId }) => this.#tell(taskId, undefined),
    };
  }

  /** What is remembered of a task. */
  record(taskId: number): TaskRecord {
    return this.records.get(taskId) ?? freshRecord(taskId);
  }
}
