import { currentContext, type Logger, newJobId, type RequestContext, silentLogger } from '@tally/service-kit';
import { type FakeClock, fakeClock } from '@tally/testkit';
import type { ClusterSettings } from '../src/domain/cluster/cluster.js';
import { clusterSettings } from '../src/domain/cluster/cluster-settings.js';
import { takeLease } from '../src/domain/cluster/lease.js';
import { fail } from '../src/domain/errors.js';
import type { JobId } from '../src/domain/job-id.js';
import type { BatchReport, ClusterSession, WorkerPorts } from '../src/domain/ports.js';
import { processUser } from '../src/domain/process-user.js';
import type { Observation, Scheduler, SchedulerJobId, SchedulerJobSpec } from '../src/domain/scheduler.js';
import type { JobSpec, Submission, SubmissionOutcome } from '../src/domain/submission.js';
import {
  accept,
  extend,
  isExtension,
  outcomeOf,
  repeat,
  requestStop,
  takeFailure,
} from '../src/domain/submission-state.js';
import { memoryTasks, type Stores } from './memory-stores.js';
import { LIMITS } from './observation-fixture.js';

/** The process dies: before a call has any effect, after it, or so that sbatch takes effect only later. */
export const DEATH_MODES = ['before', 'after', 'late'] as const;
export type DeathMode = (typeof DEATH_MODES)[number];
export interface Death {
  /** Number of the call under which it dies, from 1. */
  readonly atCall: number;
  readonly mode: DeathMode;
}

class Died extends Error {}

/** A job of the scheduler in memory. */
export interface FakeJob
  extends Pick<SchedulerJobSpec, 'marker' | 'array' | 'afterAny' | 'script' | 'options' | 'logName'> {
  readonly id: SchedulerJobId;
  isCanceled: boolean;
}

/** The request that asks for every submission. */
export const ORIGIN = {
  requestId: 'the request',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
} as const;
/** Login names on the cluster by users. */
const LOGINS = new Map([
  [7n, 'someone'],
  [8n, 'another'],
]);
const RUNNING = { kind: 'running' } as const;
const LATE_MS = 10_000;
/**
 * One submission of some tasks with everything around the store in memory: a cluster whose scheduler lives on when the
 * service dies, and copies of the service that die at a chosen call.
 */
export class SubmissionScenario {
  readonly clock: FakeClock = fakeClock();
  readonly cluster: ClusterSettings;
  readonly jobs: FakeJob[] = [];
  readonly uploads: string[] = [];
  /** In whose name sbatch was called. */
  readonly submitContexts: (RequestContext | undefined)[] = [];
  /** Files and folders of the cluster. */
  readonly files = new Set<string>();
  readonly commands: string[][] = [];
  readonly reports: BatchReport[] = [];
  readonly logs = new Map<string, string>();
  /** What calls throw, by `<port>.<method>`, until it is removed. */
  readonly faults = new Map<string, Error>();
  /** What sbatch throws of a job of this name, each once, in order. */
  readonly refusals: { readonly marker: string; readonly err: Error }[] = [];
  /** Of the array that the scheduler loses right before it is given the collect job. */
  lostAtCollect: string | undefined;
  /** The scheduler answers, but does not show these markers. */
  readonly hidden = new Set<string>();
  isJobOpen = true;
  /** Owner of the job, as jobs says. */
  userId = 7n;
  /** Of the tasks that jobs asks for. */
  firstTask = 1;
  /** Something that happens while files are uploaded. */
  onUpload: () => Promise<void> = async () => {};
  /** Something that happens right before a call of a copy of the service, by its number, from 1. */
  onCall: (holder: string, call: number) => Promise<void> = async () => {};
  stopping = new AbortController();
  updateKey = 'key';
  /** Of the release that runs. */
  helperName = 'helper-1.mjs';
  /** Calls of the last process. */
  callCount = 0;
  #nextId = 100;
  #processCount = 0;

  constructor(
    private readonly stores: Stores,
    readonly jobId: JobId,
    public taskCount = 8,
    private readonly logger: Logger = silentLogger,
  ) {
    this.cluster = clusterSettings.parse({
      name: stores.clusterName,
      displayName: 'North',
      host: 'login.north.example',
      hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
      scratchFolder: '/scratch/{user}/tally',
      partitions: [{ name: 'batch', wallTimeSecondsMax: 3_600, memoryMibMax: 4_000 }],
      arrayTasksMax: 4,
      nodeProgram: '/opt/node',
    });
  }

  get folder(): string {
    return `/scratch/${LOGINS.get(this.userId)}/tally/${this.jobId}`;
  }

  /** As SubmitBatch does. */
  accept(): Promise<SubmissionOutcome> {
    const { jobId, userId } = this;
    const options = { partition: 'batch', wallTimeSeconds: 600, memoryMib: 1_000 };
    const tasks = { userId, firstTask: this.firstTask, lastTask: this.taskCount, origin: ORIGIN };
    const submission = { jobId, clusterName: this.cluster.name, options, ...tasks };
    const now = this.clock.now();
    return this.stores.store.change(jobId, (stored) => {
      const decide = () => {
        if (isExtension(stored, this.taskCount)) return extend(stored, tasks, now);
        return stored === undefined ? accept(submission, now) : repeat(stored, now);
      };
      return { ...decide(), spec: this.#spec };
    });
  }

  /** The same, for further tasks. */
  extend(taskCount: number): Promise<SubmissionOutcome> {
    this.firstTask = this.taskCount + 1;
    this.taskCount += taskCount;
    return this.accept();
  }

  get #spec(): JobSpec {
    const tasks = Array.from({ length: this.taskCount }, (_, i) => ({ primaries: 1, firstHistory: i }));
    return { simType: 'simA', inputType: 'editor', seed: 1n, tasks };
  }

  /** As CancelBatch and DeleteBatch do. */
  stop(desired: 'canceled' | 'deleted'): Promise<void> {
    const { jobId, clock, stores } = this;
    return stores.store.change(jobId, (stored) => requestStop(stored, jobId, desired, clock.now()));
  }

  /** The lease of the cluster goes to this copy of the service, if it is free. */
  takeLease(holder: string, now: Date, leaseMs: number): Promise<boolean> {
    const taken = { holder, expiresAt: new Date(now.getTime() + leaseMs) };
    return this.stores.leases.change(this.cluster.name, (lease) => takeLease(lease, taken, now));
  }

  /** What a SubmitBatch hears that waits for the outcome. */
  answer(): Promise<SubmissionOutcome> {
    const { jobId, clock, stores } = this;
    return stores.store.change(jobId, (stored) => takeFailure(stored, clock.now()));
  }

  async submission(): Promise<Submission> {
    const stored = await this.stores.store.find(this.jobId);
    if (typeof stored !== 'object') throw new Error('there is no submission');
    return stored;
  }

  async outcome(): Promise<SubmissionOutcome> {
    return outcomeOf(await this.stores.store.find(this.jobId));
  }

  readonly #scheduler: Scheduler = {
    writeScript: ({ argv, taskOffset }) => [...argv, ...(taskOffset === undefined ? [] : [`+${taskOffset}`])].join(' '),
    submit: async (_shell, job) => {
      const refusal = this.refusals.findIndex(({ marker }) => marker === job.marker);
      if (refusal >= 0) throw this.refusals.splice(refusal, 1)[0]?.err ?? fail('SCHEDULER_REFUSED');
      const lost = this.jobs.find(({ marker }) => job.array === undefined && marker === this.lostAtCollect);
      if (lost !== undefined) {
        this.jobs.splice(this.jobs.indexOf(lost), 1);
        throw fail('SCHEDULER_DEPENDENCY_LOST');
      }
      const id = String(this.#nextId++) as SchedulerJobId;
      this.jobs.push({ ...job, id, isCanceled: false });
      this.submitContexts.push(currentContext());
      return id;
    },
    find: async (_shell, marker) => this.#visible().flatMap((job) => (job.marker === marker ? job.id : [])),
    listOpen: async () => this.#visible().filter(({ isCanceled }) => !isCanceled),
    observe: async (_shell, queries) => ({
      open: this.#visible().filter(({ isCanceled }) => !isCanceled),
      observations: queries.flatMap(({ id, marker, indices = [undefined] }) => {
        const job = this.#visible().find((visible) => visible.id === id && visible.marker === marker);
        const state = job?.isCanceled ? ({ kind: 'ended', outcome: 'canceled' } as const) : RUNNING;
        return job !== undefined
          ? indices.map(
              (arrayIndex): Observation => ({ schedulerJobId: id, arrayIndex, marker, state, description: '' }),
            )
          : [];
      }),
    }),
    cancel: async (_shell, targets) => {
      for (const job of this.jobs) if (targets.some(({ id }) => id === job.id)) job.isCanceled = true;
    },
  };

  /** The scheduler has a job of this name, whoever asked for it. */
  addJob(marker: string): void {
    const options = { partition: 'batch', wallTimeSeconds: 1, memoryMib: 1 };
    this.jobs.push({ id: '7' as SchedulerJobId, marker, script: '', logName: '', options, isCanceled: false });
  }

  #visible(): FakeJob[] {
    return this.jobs.filter(({ marker }) => !this.hidden.has(marker));
  }

  readonly #session: Pick<ClusterSession, 'run' | 'upload' | 'removeFolder'> = {
    run: async ({ argv }) => {
      this.commands.push([...argv]);
      if (argv[0] === 'mkdir') for (const folder of argv.slice(argv.indexOf('--') + 1)) this.files.add(folder);
      const isMissing = argv[0] === 'test' && !this.files.has(argv[2] ?? '');
      return { stdout: '', stderr: '', exitCode: isMissing ? 1 : 0 };
    },
    upload: async (files) => {
      await this.onUpload();
      for (const { path } of files) {
        this.uploads.push(path);
        this.files.add(path);
      }
    },
    removeFolder: async () => {},
  };

  /** Everything a process calls, counted; at the call of its death it dies, and nothing it does after that counts. */
  #mortal(death: Death | undefined, holder: string) {
    let isDead = false;
    let count = 0;
    const around = async (name: string, call: () => Promise<unknown>): Promise<unknown> => {
      if (isDead) throw new Died();
      const number = ++count;
      this.callCount = number;
      await this.onCall(holder, number);
      const dies = death?.atCall === number;
      if (dies) isDead = true;
      if (dies && death.mode === 'late' && name === 'scheduler.submit') {
        void this.clock.sleep(LATE_MS).then(call);
        throw new Died();
      }
      if (dies && death.mode !== 'after') throw new Died();
      const fault = this.faults.get(name);
      if (fault !== undefined) throw fault;
      const result = await call();
      if (dies) throw new Died();
      return result;
    };
    return <T extends object>(port: string, target: T): T =>
      new Proxy(target, {
        get: (_, key) => {
          const method: unknown = Reflect.get(target, key);
          if (typeof method !== 'function' || key === 'writeScript') return method;
          return (...args: unknown[]) =>
            around(`${port}.${String(key)}`, () => method.apply(target, args) as Promise<unknown>);
        },
      });
  }

  #ports(death: Death | undefined, holder: string): WorkerPorts {
    const mortal = this.#mortal(death, holder);
    const { clock, logger } = this;
    const store = mortal('store', this.stores.store);
    const scheduler = mortal('scheduler', this.#scheduler);
    const session = mortal('session', this.#session) as ClusterSession;
    const jobs = mortal('jobs', {
      getState: async () => ({
        isOpen: this.isJobOpen,
        endedTasks: new Set<number>(),
        updateKey: this.updateKey,
        mustFinish: false,
      }),
      reportBatch: async (_: JobId, report: BatchReport) => {
        this.reports.push(report);
        return this.isJobOpen;
      },
      updateTask: async () => true,
      isOutputWanted: async () => true,
      reportTaskOutput: async () => true,
    });
    const results = mortal('results', {
      getDeck: async () => new Map([['input.txt', Buffer.from('deck')]]),
      putLog: async (_: JobId, name: string, text: string) => {
        this.logs.set(name, text);
      },
      appendTaskLog: async () => {},
      putTaskOutput: async () => {},
    });
    const program = { localPath: '/here', sha256: '00', sizeBytes: 1, name: this.helperName };
    return {
      store,
      tasks: memoryTasks(new Map()),
      jobs,
      results,
      credentials: mortal('credentials', {
        get: async (userId: bigint) => ({ username: LOGINS.get(userId) ?? '', certificate: 'c', privateKey: 'k' }),
      }),
      sessions: { withSession: async (_login, work) => this.#connect(() => work(session)) },
      scheduler,
      programs: { find: async () => ({ helper: program, node: program }) },
      gatewayUrl: null,
      holder,
      stopping: this.stopping.signal,
      metrics: { polled: () => {}, bytesFetched: () => {} },
      limits: LIMITS,
      clock,
      logger,
    };
  }

  async #connect<T>(work: () => Promise<T>): Promise<T> {
    const fault = this.faults.get('sessions.withSession');
    if (fault !== undefined) throw fault;
    return work();
  }

  /**
   * A copy of the service takes the cluster over and does what is due for a while, a round a second.
   * @param death - how it ends; absent: it lives until it is decided and nothing is due, or the rounds are over
   */
  async live(rounds: number, death?: Death): Promise<void> {
    const holder = `copy-${++this.#processCount}`;
    await this.clock.advance(61_000); // the lease of the one before is over
    if (!(await this.takeLease(holder, this.clock.now(), 60_000))) throw new Error('no lease');
    const ports = this.#ports(death, holder);
    for (let round = 0; round < rounds; round++) {
      const users = await this.stores.store.listDueUsers(this.cluster.name, this.clock.now());
      try {
        for (const userId of users) await processUser(ports, this.cluster, userId);
      } catch (err) {
        if (err instanceof Died) return;
        throw err;
      }
      if (users.length === 0 && (await this.outcome()).kind !== 'underway') return;
      await this.clock.advance(1_000);
    }
  }
}

/** The scenario of a new job, whose submission has been accepted. */
export async function acceptedScenario(stores: Stores): Promise<SubmissionScenario> {
  const scenario = new SubmissionScenario(stores, newJobId(new Date()) as JobId);
  await scenario.accept();
  return scenario;
}
