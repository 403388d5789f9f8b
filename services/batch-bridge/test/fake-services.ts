import { auth, type batchBridge, jobs, results } from '@tally/contracts';
import {
  defineReasons,
  type Handler,
  implement,
  kitError,
  type MethodDefinition,
  Readiness,
  type Routes,
  type ServiceDefinition,
  silentLogger,
  startGrpcServer,
} from '@tally/service-kit';
import { testCallers } from '@tally/testkit';
import type { Credentials } from '../src/domain/ports.js';

type Answers<S extends ServiceDefinition> = { -readonly [K in keyof S]?: Handler<S[K]> };

const unasked = () => kitError('INTERNAL', { message: 'the test did not say what to answer' });
const refuseStream = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(unasked()) }),
});

/** A real gRPC server in the place of a service, with answers of the test. */
async function startFake<S extends ServiceDefinition>(definition: S, answers: Answers<S>) {
  const routeOf = (rpc: string, method: MethodDefinition) => ({
    callers: ['batch-bridge'],
    handle: (request: unknown) => {
      const handle = answers[rpc] as ((request: unknown) => unknown) | undefined;
      if (handle !== undefined) return handle(request);
      return method.responseStream ? refuseStream() : Promise.reject(unasked());
    },
  });
  const routes = Object.fromEntries(Object.entries(definition).map(([rpc, method]) => [rpc, routeOf(rpc, method)]));
  const server = await startGrpcServer({
    address: '127.0.0.1:0',
    callers: testCallers('batch-bridge'),
    implementations: [implement(definition, routes as unknown as Routes<S>)],
    readiness: new Readiness({}),
    logger: silentLogger,
    graceMs: 1_000,
  });
  return { address: `127.0.0.1:${server.port}`, stop: () => server.stop() };
}

const failJobs = defineReasons('jobs', {
  JOB_NOT_FOUND: { status: 'NOT_FOUND', message: 'no job', when: 'unknown' },
  UPDATE_KEY_INVALID: { status: 'UNAUTHENTICATED', message: 'wrong key', when: 'another key' },
});
const failAuth = defineReasons('auth', {
  CREDENTIAL_NOT_FOUND: { status: 'NOT_FOUND', message: 'No valid SSH credential is stored', when: 'none' },
});

/** A batch job as the fake jobs service knows it. */
export interface FakeJob {
  /** What SubmitBatch carries. */
  readonly spec: batchBridge.JobSpec;
  /** State of each task, of task 1 first. */
  readonly states: jobs.State[];
  /** Requests of ReportBatch, in order. */
  readonly reports: jobs.ReportBatchRequest[];
  /** Requests of UpdateTask, in order. */
  readonly updates: jobs.UpdateTaskRequest[];
  /** Tasks whose outputs results has, with the bytes of their numbers. */
  readonly outputs: Map<number, number>;
  isOpen: boolean;
}

const OPEN: ReadonlySet<jobs.State> = new Set([jobs.State.STATE_PENDING, jobs.State.STATE_RUNNING]);

/** Sets the state of a task; one that has ended stays as it is. Whether it was open. */
function setTaskState({ states, isOpen }: FakeJob, taskId: number, state: jobs.State): boolean {
  const before = states[taskId - 1];
  if (before === undefined || !isOpen || !OPEN.has(before)) return false;
  if (state !== jobs.State.STATE_UNSPECIFIED) states[taskId - 1] = state;
  return true;
}

/** The services that batch-bridge calls, in a contract test: fakes of jobs, results and auth behind real gRPC. */
export interface FakeServices {
  readonly addresses: { readonly jobsAddress: string; readonly resultsAddress: string; readonly authAddress: string };
  /** Adds a job of so many tasks with this deck, known to jobs and results. */
  addJob(jobId: string, taskCount: number, deck: Readonly<Record<string, string>>): FakeJob;
  job(jobId: string): FakeJob;
  /** Logs as results has them, by job and name. */
  log(jobId: string, name: string): string | undefined;
  /** The log of a task as results has it. */
  taskLog(jobId: string, taskId: number): string;
  /** Credentials by user; a user without one has none. */
  readonly credentials: Map<bigint, Awaited<ReturnType<Credentials['get']>>>;
  /** These services answer UNAVAILABLE until the set is cleared. */
  readonly down: Set<'jobs' | 'results' | 'auth'>;
  stop(): Promise<void>;
}

export const UPDATE_KEY = 'update-key-of-a-test';

function specOf(taskCount: number): batchBridge.JobSpec {
  return {
    simulator: jobs.Simulator.SIMULATOR_SIM_A,
    inputType: jobs.InputType.INPUT_TYPE_EDITOR,
    firstTask: 0,
    seed: 12_345_678_901_234_567_890n,
    tasks: Array.from({ length: taskCount }, (_, i) => ({ primaries: 10n, firstHistory: BigInt(10 * i) })),
  };
}

export async function startFakeServices(): Promise<FakeServices> {
  const known = new Map<string, FakeJob>();
  const decks = new Map<string, Readonly<Record<string, string>>>();
  const logs = new Map<string, string>();
  const taskLogs = new Map<string, Buffer>();
  const credentials: FakeServices['credentials'] = new Map();
  const down: FakeServices['down'] = new Set();
  const requireUp = (name: 'jobs' | 'results' | 'auth') => {
    if (down.has(name)) throw kitError('SERVICE_UNAVAILABLE');
  };
  const find = (jobId: string): FakeJob => {
    const job = known.get(jobId);
    if (job === undefined) throw failJobs('JOB_NOT_FOUND');
    return job;
  };

  const findByKey = (credential: jobs.WorkerCredential | undefined): FakeJob => {
    if (credential?.updateKey !== UPDATE_KEY) throw failJobs('UPDATE_KEY_INVALID');
    return find(credential.jobRef);
  };

  const parts = await Promise.all([
    startFake(jobs.JobsServiceService, {
      async reportBatch(request) {
        requireUp('jobs');
        const job = find(request.jobId);
        if (!request.wantsState) job.reports.push(request);
        for (const { taskId, state } of request.tasks) setTaskState(job, taskId, state);
        if (request.end !== undefined) job.isOpen = false;
        const endedTasks = job.states.flatMap((state, i) => (OPEN.has(state) ? [] : i + 1));
        const state = { endedTasks, updateKey: UPDATE_KEY, mustFinish: false };
        return { isOpen: job.isOpen, state: request.wantsState ? state : undefined };
      },
      async updateTask(request) {
        requireUp('jobs');
        const job = findByKey(request.credential);
        job.updates.push(request);
        return { isApplied: setTaskState(job, request.taskId, request.state), mustStop: false, mustFinish: false };
      },
      async getWorkerTarget({ credential, taskId }) {
        requireUp('jobs');
        const job = findByKey(credential);
        const isWanted = setTaskState(job, taskId, jobs.State.STATE_UNSPECIFIED);
        const jobId = credential?.jobRef ?? '';
        return { jobId, isWanted, isRepeat: false, primaries: 0n, taskCount: 0, isPartial: false };
      },
      async reportWorkerOutput({ credential, taskId }) {
        requireUp('jobs');
        return { isApplied: setTaskState(findByKey(credential), taskId, jobs.State.STATE_UNSPECIFIED) };
      },
    }),
    startFake(results.ResultsServiceService, {
      async *getInput({ jobId }) {
        requireUp('results');
        for (const [name, text] of Object.entries(decks.get(jobId) ?? {})) {
          const role = results.DocumentRole.DOCUMENT_ROLE_DECK;
          yield { part: { $case: 'document', value: { role, name, sizeBytes: BigInt(Buffer.byteLength(text)) } } };
          yield { part: { $case: 'chunk', value: Buffer.from(text) } };
        }
      },
      async putTaskOutput(parts: AsyncIterable<results.PutTaskOutputRequest>) {
        requireUp('results');
        let target: { readonly job: FakeJob; readonly taskId: number } | undefined;
        let bytes = 0;
        for await (const { part } of parts) {
          if (part?.$case === 'header') {
            target = { job: find(part.value.jobId), taskId: part.value.taskId };
            bytes += part.value.whole?.content.length ?? 0;
          }
          if (part?.$case === 'chunk') bytes += part.value.length;
        }
        target?.job.outputs.set(target.taskId, bytes);
        return {};
      },
      async appendLogs({ jobId, attemptId, texts }) {
        requireUp('results');
        if (attemptId === '') throw kitError('INTERNAL', { message: 'results takes no log without an attempt' });
        for (const { taskId, offset, name, text, isRestart } of texts) {
          if (taskId !== 0) {
            const known = taskLogs.get(`${jobId} ${taskId}`) ?? Buffer.alloc(0);
            const fresh = text.subarray(Math.max(0, known.length - Number(offset)));
            taskLogs.set(`${jobId} ${taskId}`, Buffer.concat([known, fresh]));
            continue;
          }
          const key = `${jobId} ${name ?? ''}`;
          logs.set(key, isRestart === true ? text.toString() : `${logs.get(key) ?? ''}${text.toString()}`);
        }
        return {};
      },
    }),
    startFake(auth.AuthServiceService, {
      async getClusterCredential({ userId }) {
        requireUp('auth');
        const credential = credentials.get(userId);
        if (credential === undefined) throw failAuth('CREDENTIAL_NOT_FOUND');
        return credential;
      },
    }),
  ]);
  const [jobsPart, resultsPart, authPart] = parts;
  return {
    addresses: {
      jobsAddress: jobsPart.address,
      resultsAddress: resultsPart.address,
      authAddress: authPart.address,
    },
    addJob(jobId, taskCount, deck) {
      const states = Array.from({ length: taskCount }, () => jobs.State.STATE_PENDING);
      const spec = specOf(taskCount);
      const job: FakeJob = { spec, states, reports: [], updates: [], outputs: new Map(), isOpen: true };
      known.set(jobId, job);
      decks.set(jobId, deck);
      return job;
    },
    job: find,
    log: (jobId, name) => logs.get(`${jobId} ${name}`),
    taskLog: (jobId, taskId) => String(taskLogs.get(`${jobId} ${taskId}`) ?? ''),
    credentials,
    down,
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}
