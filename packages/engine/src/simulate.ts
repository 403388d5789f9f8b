import { Worker } from 'node:worker_threads';

import type { TaskOutput } from '@tally/merge';

import { BatchSums, type TouchedSums } from './batch-sums.js';
import { engineWorkerUrl } from './engine-assets.js';
import { ProblemError } from './fault.js';
import { geometryMap } from './geometry-map.js';
import { layoutPages } from './page-layout.js';
import type { EngineTask, TransportProblem } from './problem.js';
import { loadTransportModule, type SetupCall, setupCalls } from './setup-calls.js';
import { readTallyLayout, type TallyGroup } from './tally-layout.js';
import { compileTransportModule } from './transport-module.js';
import { validateProblem, validateTask } from './validate-problem.js';
import { ENGINE_NAME } from './version.js';

/** Batches of a task: enough for an error bar (16 % uncertain), few enough to be cheap. */
const BATCHES_MAX = 20;
const PROGRESS_INTERVAL_MS = 250;

export interface SimulateOptions {
  /** Worker threads; default 1. More than batches are not started. */
  readonly threads?: number;
  /** Called at most four times a second, and at the end, with histories done and in all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Stops the simulation within a fraction of a second; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What a worker sends for a finished batch. `totals`: see `total` in assembly/index.ts. */
interface Batch extends TouchedSums {
  readonly batch: number;
  readonly totals: readonly number[];
}

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

/** First history and number of histories of every batch of a task. */
export function splitBatches({ primaries, firstHistory }: EngineTask): [first: number, count: number][] {
  const batches = Math.min(BATCHES_MAX, primaries);
  const border = (batch: number) => Math.floor((batch * primaries) / batches);
  return Array.from({ length: batches }, (_, b) => [firstHistory + border(b), border(b + 1) - border(b)]);
}

/** Takes batches in any order, hands them on in theirs. */
class Reducer {
  private readonly waiting = new Map<number, Batch>();
  private next = 0;
  readonly counters = new Float64Array(COUNTER_NAMES.length);

  constructor(
    private readonly sums: BatchSums,
    private readonly batches: readonly (readonly [number, number])[],
  ) {}

  take(batch: Batch): void {
    this.waiting.set(batch.batch, batch);
    for (let ready = this.waiting.get(this.next); ready !== undefined; ready = this.waiting.get(this.next)) {
      this.waiting.delete(this.next);
      const primaries = this.batches[this.next]?.[1] ?? 0;
      this.sums.add(ready, primaries);
      for (const i of this.counters.keys()) this.counters[i] = (this.counters[i] ?? 0) + (ready.totals[i] ?? 0);
      this.next++;
    }
  }

  get complete(): boolean {
    return this.next === this.batches.length;
  }
}

interface WorkerData {
  readonly module: WebAssembly.Module;
  readonly calls: readonly SetupCall[];
  readonly groups: readonly TallyGroup[];
  readonly batches: readonly (readonly [number, number])[];
  readonly seed: readonly [low: number, high: number];
  readonly control: SharedArrayBuffer;
  readonly progress: SharedArrayBuffer;
}

/** Resolves when the thread has ended by itself; rejects when it fails. */
function runThread(workerData: WorkerData, onBatch: (batch: Batch) => void, failure: AbortSignal): Promise<void> {
  const worker = new Worker(engineWorkerUrl(), { workerData, execArgv: [] });
  const stop = () => void worker.terminate();
  failure.addEventListener('abort', stop, { once: true });
  return new Promise<void>((resolve, reject) => {
    worker.on('message', onBatch);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  }).finally(() => failure.removeEventListener('abort', stop));
}

async function runThreads(data: WorkerData, threads: number, reducer: Reducer): Promise<void> {
  const failure = new AbortController();
  const runs = Array.from({ length: threads }, () =>
    runThread(data, (batch) => reducer.take(batch), failure.signal).catch((error: unknown) => {
      failure.abort();
      throw error;
    }),
  );
  const ends = await Promise.allSettled(runs);
  for (const end of ends)
    if (end.status === 'rejected') throw new Error('A simulation thread failed.', { cause: end.reason });
}

/** Reports progress and passes on cancellation until `work` has ended. */
async function watch(
  data: WorkerData,
  total: number,
  options: SimulateOptions,
  work: () => Promise<void>,
): Promise<void> {
  const control = new Int32Array(data.control);
  const progress = new BigInt64Array(data.progress);
  const cancel = () => void Atomics.store(control, 0, 1);
  const report = () => options.onProgress?.(Number(Atomics.load(progress, 0)), total);
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', cancel, { once: true });
  const timer = setInterval(report, PROGRESS_INTERVAL_MS);
  try {
    await work();
    options.signal?.throwIfAborted();
    report();
  } finally {
    clearInterval(timer);
    options.signal?.removeEventListener('abort', cancel);
  }
}

/**
 * Simulates one task. The numbers depend on the problem, the seed and the histories only: not on the number of threads,
 * and only by rounding (1e-12) on how a job is split into tasks.
 * @throws ProblemError when the problem or the task has faults; the signal's reason when stopped
 */
export async function simulate(
  problem: TransportProblem,
  task: EngineTask,
  options: SimulateOptions = {},
): Promise<TaskOutput> {
  const faults = [...validateProblem(problem), ...validateTask(task)];
  if (faults.length > 0) throw new ProblemError(faults);
  const batches = splitBatches(task);
  const layouts = layoutPages(problem);
  const calls = setupCalls(problem);
  const module = loadTransportModule(calls);
  const tally = readTallyLayout(module, layouts);
  const sums = new BatchSums(layouts, tally);
  const reducer = new Reducer(sums, batches);
  const seed = BigInt(task.seed);
  const data: WorkerData = {
    module: compileTransportModule(),
    calls,
    groups: tally.groups,
    batches,
    seed: [Number(seed & 0xffffffffn), Number(seed >> 32n)],
    control: new SharedArrayBuffer(8),
    progress: new SharedArrayBuffer(8),
  };
  const threads = Math.max(1, Math.min(options.threads ?? 1, batches.length));
  await watch(data, task.primaries, options, () => runThreads(data, threads, reducer));
  if (!reducer.complete) throw new Error('A simulation thread ended before its work.');

  const keywords = problem.outputs.flatMap((output) => output.quantities.map(({ keyword }) => keyword));
  return {
    primaries: task.primaries,
    batches: batches.length,
    engine: ENGINE_NAME,
    counters: {
      histories: task.primaries,
      ...Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, reducer.counters[i] ?? 0])),
    },
    pages: layouts.map((layout, i) => sums.page(i) ?? geometryMap(layout, keywords[i] ?? '', problem, module)),
  };
}
