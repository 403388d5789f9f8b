import { newJobId, silentLogger } from '@tally/service-kit';
import { type FakeClock, fakeClock } from '@tally/testkit';
import type { ClusterSettings } from '../src/domain/cluster/cluster.js';
import { clusterSettings } from '../src/domain/cluster/cluster-settings.js';
import { takeLease } from '../src/domain/cluster/lease.js';
import type { JobId } from '../src/domain/job-id.js';
import { observeUser } from '../src/domain/observe/observe-user.js';
import type { TaskRecord } from '../src/domain/observe/task-record.js';
import type { WorkerPorts } from '../src/domain/ports.js';
import { processUser } from '../src/domain/process-user.js';
import { isIn, type Submission } from '../src/domain/submission.js';
import { accept, requestStop } from '../src/domain/submission-state.js';
import { slurmScheduler } from '../src/scheduler/slurm/slurm-scheduler.js';
import { LoginNode } from './login-node.js';
import { MemoryStores, memoryTasks } from './memory-stores.js';
import { LIMITS } from './observation-fixture.js';

const USER = 7n;
const POLL_MS = 10_000;
const ROUND_MS = 1_000;
export const TASK_COUNT = 6;

/** One job from its submission to its end: the rules, the Slurm adapter, and a login node, in memory. */
export class AnsweringCluster {
  readonly clock: FakeClock = fakeClock();
  readonly node = new LoginNode(this.clock);
  readonly jobId = newJobId(new Date()) as JobId;
  readonly stores = new MemoryStores();
  readonly taskStates = new Map<number, string>();
  /** What jobs was told of the end; undefined: nothing. */
  end: string | undefined;
  waitingReason = '';
  log = '';
  /** Longest time for which it was neither at the scheduler nor said why, milliseconds. */
  silentMs = 0;
  #silentSinceMs: number;
  readonly #cluster: ClusterSettings;
  readonly #records = new Map<number, TaskRecord>();
  #observedAtMs = 0;

  constructor() {
    this.#silentSinceMs = this.clock.monotonicMs();
    this.#cluster = clusterSettings.parse({
      name: 'north',
      displayName: 'North',
      host: 'north.example',
      hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
      scratchFolder: '/scratch/{user}',
      partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 4_000 }],
      arrayTasksMax: TASK_COUNT / 2,
      nodeProgram: '/opt/node',
    });
    for (let task = 1; task <= TASK_COUNT; task++) this.taskStates.set(task, 'PENDING');
  }

  accept(): Promise<unknown> {
    const { jobId, clock } = this;
    const options = { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 };
    const tasks = { firstTask: 1, lastTask: TASK_COUNT, origin: {} };
    const submission = { jobId, userId: USER, clusterName: 'north', options, ...tasks };
    const shares = Array.from({ length: TASK_COUNT }, (_, i) => ({ primaries: 1, firstHistory: i }));
    const spec = { simType: 'simA', inputType: 'editor', seed: 1n, tasks: shares } as const;
    return this.stores.store.change(jobId, () => ({ ...accept(submission, clock.now()), spec }));
  }

  cancel(): Promise<void> {
    for (const [task, state] of this.taskStates) if (isTaskOpen(state)) this.taskStates.set(task, 'CANCELED');
    const { jobId, clock } = this;
    return this.stores.store.change(jobId, (stored) => requestStop(stored, jobId, 'canceled', clock.now()));
  }

  async submission(): Promise<Submission> {
    const stored = await this.stores.store.find(this.jobId);
    if (typeof stored !== 'object') throw new Error('the submission is gone');
    return stored;
  }

  /** The service works, a round a second, until the submission needs nothing more but to be cleared, or the time is over. */
  async live(seconds: number): Promise<void> {
    const ports = this.#ports();
    const holder = { holder: 'copy', expiresAt: new Date(this.clock.now().getTime() + seconds * 1_000 + 60_000) };
    await this.stores.leases.change('north', (lease) => takeLease(lease, holder, this.clock.now()));
    const until = this.clock.monotonicMs() + seconds * 1_000;
    while (this.clock.monotonicMs() < until) {
      const due = await this.stores.store.listDueUsers('north', this.clock.now());
      if (due.length > 0) await processUser(ports, this.#cluster, USER);
      if (this.clock.monotonicMs() - this.#observedAtMs >= POLL_MS) {
        this.#observedAtMs = this.clock.monotonicMs();
        await observeUser(ports, this.#cluster, USER);
      }
      await this.#noteSilence();
      const submission = await this.submission();
      const isOver = isIn('ended', submission) && submission.phase.isReported;
      if (
        isOver &&
        submission.dueAt !== undefined &&
        submission.dueAt.getTime() - this.clock.now().getTime() > 3_600_000
      )
        return;
      await this.clock.advance(ROUND_MS);
      this.#tasksReport();
    }
  }

  async #noteSilence(): Promise<void> {
    const { kind } = (await this.submission()).phase;
    const isWaiting = kind === 'accepted' || kind === 'uploaded';
    if (!isWaiting || this.waitingReason !== '') this.#silentSinceMs = this.clock.monotonicMs();
    this.silentMs = Math.max(this.silentMs, this.clock.monotonicMs() - this.#silentSinceMs);
  }

  /** Tasks reach the service themselves. */
  #tasksReport(): void {
    for (const task of this.node.completedTasks()) {
      if (this.end === undefined && isTaskOpen(this.taskStates.get(task))) this.taskStates.set(task, 'COMPLETED');
    }
  }

  #ports(): WorkerPorts {
    const { clock } = this;
    const program = { localPath: '/here', sha256: '00', sizeBytes: 1, name: 'helper.mjs' };
    return {
      store: this.stores.store,
      tasks: memoryTasks(this.#records),
      jobs: this.#jobs(),
      results: {
        getDeck: async () => new Map([['input.txt', Buffer.from('deck')]]),
        putLog: async (_, __, text) => void (this.log = text),
        appendTaskLog: async () => {},
        putTaskOutput: async () => {},
      },
      credentials: { get: async () => ({ username: 'jane', certificate: 'c', privateKey: 'k' }) },
      sessions: { withSession: async (_, work) => work(this.node.session) },
      scheduler: slurmScheduler,
      programs: { find: async () => ({ helper: program, node: program }) },
      gatewayUrl: 'https://tally.example',
      holder: 'copy',
      stopping: new AbortController().signal,
      metrics: { polled: () => {}, bytesFetched: () => {} },
      limits: { ...LIMITS, lostAfterMs: 60_000 },
      clock,
      logger: silentLogger,
    };
  }

  #jobs(): WorkerPorts['jobs'] {
    const { taskStates } = this;
    const endedTasks = () => new Set([...taskStates].flatMap(([task, state]) => (isTaskOpen(state) ? [] : task)));
    const isOpen = () => this.end === undefined && [...taskStates.values()].some(isTaskOpen);
    return {
      getState: async () => ({ isOpen: isOpen(), endedTasks: endedTasks(), updateKey: 'key', mustFinish: false }),
      reportBatch: async (_, { waitingReason, tasks = [], end }) => {
        this.waitingReason = waitingReason ?? this.waitingReason;
        for (const { taskId, state } of tasks) if (isTaskOpen(taskStates.get(taskId))) taskStates.set(taskId, state);
        if (end !== undefined) {
          this.end = end.failure;
          for (const [task, state] of taskStates) if (isTaskOpen(state)) taskStates.set(task, 'FAILED');
        }
        return isOpen();
      },
      updateTask: async () => true,
      isOutputWanted: async () => false,
      reportTaskOutput: async () => true,
    };
  }
}

const isTaskOpen = (state: string | undefined): boolean => state === 'PENDING' || state === 'RUNNING';
