import { Worker } from 'node:worker_threads';

import type { TaskOutput } from '@tally/merge';
import { engineWorkerUrl } from './engine-assets.js';
import { ProblemError } from './fault.js';
import type { EngineTask, TransportProblem } from './problem/problem.js';
import { validateProblem, validateTask } from './problem/validate-problem.js';
import { layoutPages } from './scoring/page-layout.js';
import { readTallyLayout, type TallyGroup } from './scoring/tally-layout.js';
import { type ScoredBins, TaskSums } from './scoring/task-sums.js';
import { geometryMap } from './transport/geometry-map.js';
import { loadTransportModule, type SetupCall, setupCalls } from './transport/setup-calls.js';
import { compileTransportModule } from './transport/transport-module.js';
import { ENGINE_NAME } from './version.js';

/** Shares of a task's histories that threads take one after the other: for one of them at most a thread waits for another at the end. */
const SHARES_MAX = 200;
/** Most that a message can say (int32). */
const BATCHES_MAX = 2 ** 31 - 1;
const PROGRESS_INTERVAL_MS = 250;

export interface SimulateOptions {
  /** Worker threads; default 1. More than histories are not started. */
  readonly threads?: number;
  /** Called at most four times a second, and at the end, with histories done and in all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the simulation within a fraction of a second; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Ends the simulation early, as soon: after the histories that are under way. What has been simulated, one at least, is given. */
  readonly finish?: AbortSignal;
}

/** Values of the flag that threads look at; 0: go on. */
const CANCEL = 1;
const FINISH = 2;

/** What a worker sends for a finished share, `totals` as `total` in assembly/index.ts; and at its end of what it has scored. */
type Message = { readonly share: number; readonly totals: readonly number[] } | ScoredBins;

const COUNTER_NAMES = [
  'startedMev',
  'depositedMev',
  'escapedMev',
  'neutralMev',
  'lostMev',
  'lostParticles',
  'steps',
  'nuclearInteractions',
  'imbalancedHistories',
] as const;

/** First history and number of histories of every share of a task. */
export function splitShares({ primaries, firstHistory }: EngineTask): [first: number, count: number][] {
  const shares = Math.min(SHARES_MAX, primaries);
  const border = (share: number) => Math.floor((share * primaries) / shares);
  return Array.from({ length: shares }, (_, b) => [firstHistory + border(b), border(b + 1) - border(b)]);
}

/** Takes what threads send, in any order. */
class Reducer {
  private readonly totals: (readonly number[] | undefined)[];

  constructor(
    private readonly sums: TaskSums,
    shares: number,
  ) {
    this.totals = Array.from({ length: shares });
  }

  take(message: Message): void {
    if ('group' in message) this.sums.add(message);
    else this.totals[message.share] = message.totals;
  }

  get isComplete(): boolean {
    return this.totals.every((totals) => totals !== undefined);
  }

  /** Counters of all shares, added in their order. */
  counters(): Record<string, number> {
    const sumOf = (item: number) => this.totals.reduce((sum, totals) => sum + (totals?.[item] ?? 0), 0);
    return Object.fromEntries(COUNTER_NAMES.map((name, item) => [name, sumOf(item)]));
  }
}

interface WorkerData {
  readonly module: WebAssembly.Module;
  readonly calls: readonly SetupCall[];
  readonly groups: readonly TallyGroup[];
  readonly shares: readonly (readonly [number, number])[];
  readonly seed: readonly [low: number, high: number];
  readonly control: SharedArrayBuffer;
  readonly progress: SharedArrayBuffer;
}

/** Resolves when the thread has ended by itself; rejects when it fails. */
function runThread(workerData: WorkerData, take: (message: Message) => void, failure: AbortSignal): Promise<void> {
  const worker = new Worker(engineWorkerUrl(), { workerData, execArgv: [] });
  const stop = () => void worker.terminate();
  failure.addEventListener('abort', stop, { once: true });
  return new Promise<void>((resolve, reject) => {
    worker.on('message', take);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  }).finally(() => failure.removeEventListener('abort', stop));
}

async function runThreads(data: WorkerData, threads: number, reducer: Reducer): Promise<void> {
  const failure = new AbortController();
  const runs = Array.from({ length: threads }, () =>
    runThread(data, (message) => reducer.take(message), failure.signal).catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const ends = await Promise.allSettled(runs);
  for (const end of ends)
    if (end.status === 'rejected') throw new Error('A simulation thread failed.', { cause: end.reason });
}

/** Reports progress and passes on what ends it early until `work` has ended. */
async function watch(
  data: WorkerData,
  total: number,
  options: SimulateOptions,
  work: () => Promise<void>,
): Promise<void> {
  const control = new Int32Array(data.control);
  const progress = new BigInt64Array(data.progress);
  const cancel = () => void Atomics.store(control, 0, CANCEL);
  const finish = () => void Atomics.compareExchange(control, 0, 0, FINISH);
  const report = () => options.onProgress?.(Number(Atomics.load(progress, 0)), total);
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.finish?.aborted) finish();
  else options.finish?.addEventListener('abort', finish, { once: true });
  const timer = setInterval(report, PROGRESS_INTERVAL_MS);
  try {
    await work();
    options.signal?.throwIfAborted();
    report();
  } finally {
    clearInterval(timer);
    options.signal?.removeEventListener('abort', cancel);
    options.finish?.removeEventListener('abort', finish);
  }
}

/**
 * Simulates one task. The numbers depend on the problem, the seed and the histories only: not on the number of threads, and
 * merged (packages/merge) not on how a job is split into tasks.
 * @throws ProblemError when the problem or the task has faults; the signal's reason when stopped
 */
export async function simulate(
  problem: TransportProblem,
  task: EngineTask,
  options: SimulateOptions = {},
): Promise<TaskOutput> {
  const faults = [...validateProblem(problem), ...validateTask(task)];
  if (faults.length > 0) throw new ProblemError(faults);
  const shares = splitShares(task);
  const layouts = layoutPages(problem);
  const calls = setupCalls(problem);
  const module = loadTransportModule(calls);
  const tally = readTallyLayout(module, layouts);
  const sums = new TaskSums(layouts, tally);
  const reducer = new Reducer(sums, shares.length);
  const seed = BigInt(task.seed);
  const data: WorkerData = {
    module: compileTransportModule(),
    calls,
    groups: tally.groups,
    shares,
    seed: [Number(seed & 0xffffffffn), Number(seed >> 32n)],
    control: new SharedArrayBuffer(8),
    progress: new SharedArrayBuffer(8),
  };
  const threads = Math.max(1, Math.min(options.threads ?? 1, shares.length));
  await watch(data, task.primaries, options, () => runThreads(data, threads, reducer));
  if (!reducer.isComplete && !options.finish?.aborted) throw new Error('A simulation thread ended before its work.');
  const primaries = Number(new BigInt64Array(data.progress)[0]);

  const keywords = problem.outputs.flatMap((output) => output.quantities.map(({ keyword }) => keyword));
  return {
    primaries,
    // each history is a batch of its own
    batches: Math.min(primaries, BATCHES_MAX),
    engine: ENGINE_NAME,
    counters: { histories: primaries, ...reducer.counters() },
    pages: layouts.map((layout, i) => sums.page(i) ?? geometryMap(layout, keywords[i] ?? '', problem, module)),
  };
}
