import { randomUUID } from 'node:crypto';
import { openLogFile } from '@tally/launcher';
import { encodeTaskOutput } from '@tally/merge';
import { type CommandConfig, createProgressMeter, type ProgressMeter } from '@tally/simulators';
import type { BatchJob, BatchTaskShare } from '../folder/batch-job.js';
import { readDeck } from '../folder/read-job.js';
import { type BatchTaskEnd, FAILURE_CHARS_MAX } from '../folder/task-files.js';
import type { TaskStore } from '../folder/task-store.js';
import type { Gateway } from '../gateway/gateway.js';
import { deadlineAfter } from './deadline.js';
import { deliverTask } from './deliver-task.js';
import { reportProgress } from './report-progress.js';
import { type Simulated, type Simulation, STALLED, simulateTask } from './simulate-task.js';
import { causeOf, type StopCause } from './stop-cause.js';

export interface RunPorts {
  /** Absolute path of the job's folder. */
  readonly folder: string;
  readonly job: BatchJob;
  /** Resolves to nothing where nodes do not reach the service. Where it rejects the task fails. */
  readonly openGateway: () => Promise<Gateway | undefined>;
  readonly store: TaskStore;
  /** How this program is started as the built-in engine. */
  readonly engine: CommandConfig;
  /** The scheduler's name of this run, for example `4711-0`. */
  readonly run: string;
  /** How often the scheduler has started the task again before. */
  readonly restartCount: number;
  /** Lines for the operators of the cluster. */
  readonly print: (line: string) => void;
  /** Aborts when the scheduler wants the task to end. */
  readonly terminated: AbortSignal;
}

/**
 * Runs a task: when it resolves, the folder holds how it ended, no process of it is left, and it has been delivered as far
 * as time allowed. A task that has ended already is only delivered. Two runs of the same task at once do no harm: the first
 * end counts, and the other run stops.
 * @returns undefined: the scheduler stopped it. It leaves no end, because only the scheduler knows why it did that
 */
export async function runTask(ports: RunPorts, share: BatchTaskShare): Promise<BatchTaskEnd | undefined> {
  const { store, print } = ports;
  await store.create();
  const gateway = await ports.openGateway().catch(toError);
  try {
    const end = (await store.readEnd()) ?? (await run(ports, share, gateway));
    print(`task ${store.taskId}: ${describeEnd(end)}`);
    if (gateway !== undefined && !(gateway instanceof Error)) await deliver(ports, gateway);
    return end;
  } finally {
    await store.removeWorkFolder().catch((err: unknown) => print(`task ${store.taskId}: ${toError(err).message}`));
  }
}

function describeEnd(end: BatchTaskEnd | undefined): string {
  if (end === undefined) return 'stopped by the scheduler';
  return end.taskState === 'FAILED' ? `FAILED: ${end.failure}` : end.taskState;
}

/** From the deck to the end in the folder. */
async function run(
  ports: RunPorts,
  share: BatchTaskShare,
  gateway: Gateway | Error | undefined,
): Promise<BatchTaskEnd | undefined> {
  const { job, store } = ports;
  const startTime = new Date();
  const meter = createProgressMeter(share.primaries, () => performance.now());
  const log = openLogFile(store.logPath, job.limits.logBytesMax);
  log.write(`job ${job.jobId}, task ${share.taskId}, run ${ports.run}`);
  const stop = stopSignal(ports.terminated);
  const finish = new AbortController();
  let simulated: Simulated;
  try {
    if (gateway instanceof Error) throw gateway;
    if (ports.restartCount > job.limits.restartsMax) {
      throw new Error(`the cluster has stopped and started it again ${job.limits.restartsMax} times, and may no more`);
    }
    const progress = { store, meter, startTime, progressIntervalMs: job.limits.progressIntervalMs, print: ports.print };
    const reporting = reportProgress({ ...progress, gateway, onStop: stop.stopFor, onFinish: () => finish.abort() });
    try {
      const deck = await readDeck(ports.folder);
      const { engine } = ports;
      const simulation = {
        jobFolder: ports.folder,
        job,
        share,
        engine,
        deck,
        log,
        meter,
        stop: stop.signal,
        finish: finish.signal,
      };
      simulated = await simulate(simulation, ports);
    } finally {
      await reporting.end();
    }
  } catch (err) {
    simulated = { end: { kind: 'failed', code: 'HELPER_FAILED', message: toError(err).message } };
  }
  if (simulated.end.kind === 'failed') log.write(simulated.end.message);
  log.finish(); // before the end: whoever sees that, sees the whole log
  if (simulated.end.kind === 'failed' && causeOf(stop.signal) === 'scheduler') return await store.readEnd();
  return await storeEnd(store, endOf(simulated, meter, startTime));
}

/**
 * Again where the simulator was stopped because it told no progress, as often as it may. The output is in the folder before
 * anybody can see that the task is COMPLETED.
 */
async function simulate(
  simulation: Omit<Simulation, 'runId' | 'workFolder'>,
  { store, run }: Pick<RunPorts, 'store' | 'run'>,
): Promise<Simulated> {
  const { log, stop, finish } = simulation;
  let simulated: Simulated;
  for (let retriesLeft = simulation.job.limits.stallRetriesMax; ; retriesLeft -= 1) {
    const workFolder = await store.createWorkFolder(run);
    simulated = await simulateTask({ ...simulation, runId: randomUUID(), workFolder });
    const { end } = simulated;
    const isStalled = end.kind === 'failed' && end.code === STALLED;
    if (!isStalled || retriesLeft <= 0 || stop.aborted || finish.aborted) break;
    log.write(`${end.message}; it is started again, ${retriesLeft - 1} more times if need be`);
    await store.removeWorkFolder();
  }
  const { output } = simulated;
  if (output !== undefined && (await store.readEnd()) === undefined) await store.writeOutput(encodeTaskOutput(output));
  return simulated;
}

function endOf({ end }: Simulated, meter: ProgressMeter, startTime: Date): BatchTaskEnd {
  const endTime = new Date();
  if (end.kind === 'completed')
    return { taskState: 'COMPLETED', simulatedPrimaries: end.simulatedPrimaries, startTime, endTime };
  const { simulatedPrimaries } = meter.read();
  return {
    taskState: 'FAILED',
    simulatedPrimaries,
    startTime,
    endTime,
    failure: plainText(`${end.code}: ${end.message}`),
  };
}

/** Resolves to the end that counts: the first. */
async function storeEnd(store: TaskStore, end: BatchTaskEnd): Promise<BatchTaskEnd> {
  if (await store.writeEnd(end)) return end;
  return (await store.readEnd()) ?? end;
}

/** One line without control characters and halves of characters, as the service takes it. */
function plainText(text: string): string {
  const line = text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, FAILURE_CHARS_MAX);
  return Buffer.from(line).toString() || 'failed without a reason';
}

/** Aborts with the first cause, the scheduler's among them. */
function stopSignal(terminated: AbortSignal): {
  readonly signal: AbortSignal;
  readonly stopFor: (cause: StopCause) => void;
} {
  const stop = new AbortController();
  const stopFor = (cause: StopCause) => stop.abort(cause);
  if (terminated.aborted) stopFor('scheduler');
  else terminated.addEventListener('abort', () => stopFor('scheduler'), { once: true });
  return { signal: stop.signal, stopFor };
}

/** What cannot be delivered in time is left to the collect job, or to the service. */
async function deliver({ job, store, print, terminated }: RunPorts, gateway: Gateway): Promise<void> {
  const { limits } = job;
  const deadline = deadlineAfter(limits.deliveryTimeLimitMs, terminated, limits.stoppedDeliveryTimeLimitMs);
  try {
    const delivery = await deliverTask({ gateway, limits, print }, store, deadline.signal);
    print(`task ${store.taskId}: ${delivery.kind}${'reason' in delivery ? `: ${delivery.reason}` : ''}`);
  } finally {
    deadline.end();
  }
}

function toError(err: unknown): Error {
  return err instanceof Error ? err : new Error(String(err));
}
