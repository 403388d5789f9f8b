import { systemClock } from '@tally/service-kit/clock';
import type { ProgressMeter } from '@tally/simulators';
import type { BatchTaskProgress } from '../folder/task-files.js';
import type { TaskStore } from '../folder/task-store.js';
import type { Gateway } from '../gateway/gateway.js';
import { deliverLog } from './deliver-task.js';
import type { StopCause } from './stop-cause.js';

export interface ProgressPorts {
  /** undefined: nodes do not reach it. */
  readonly gateway: Gateway | undefined;
  readonly store: TaskStore;
  readonly meter: ProgressMeter;
  readonly startTime: Date;
  readonly progressIntervalMs: number;
  readonly print: (line: string) => void;
  /** Called when the task is to be stopped. */
  readonly onStop: (cause: StopCause) => void;
  /** Called, perhaps again and again, when the task is to end with what it has simulated. */
  readonly onFinish: () => void;
}

/**
 * While a task runs: writes its progress into the folder, and sends progress and log to the service. No error here stops the
 * simulation. Also checks whether another run has ended the task, or it is canceled.
 */
export function reportProgress(ports: ProgressPorts): { end(): Promise<void> } {
  const ended = new AbortController();
  const running = Promise.all([
    repeat(ports, ended.signal, () => writeProgress(ports)),
    repeat(ports, ended.signal, () => sendProgress(ports, ended.signal)),
  ]);
  return {
    async end() {
      ended.abort();
      await running;
    },
  };
}

/** Prints each fault once, until it changes. */
async function repeat(ports: ProgressPorts, ended: AbortSignal, work: () => Promise<void>): Promise<void> {
  let fault = '';
  while (!ended.aborted) {
    const before = fault;
    try {
      await work();
      fault = '';
    } catch (err) {
      fault = err instanceof Error ? err.message : String(err);
    }
    if (fault !== before && !ended.aborted)
      ports.print(`task ${ports.store.taskId}: progress: ${fault || 'works again'}`);
    await systemClock.sleep(ports.progressIntervalMs * (0.8 + 0.4 * Math.random()), ended); // a thousand tasks begin at once
  }
}

async function writeProgress({ store, meter, startTime, onStop, onFinish }: ProgressPorts): Promise<void> {
  if ((await store.readEnd()) !== undefined) return onStop('ended-elsewhere');
  if (store.isFinishWanted()) onFinish();
  await store.writeProgress(readProgress(meter, startTime));
}

async function sendProgress(
  { gateway, store, meter, startTime, onStop, onFinish }: ProgressPorts,
  ended: AbortSignal,
): Promise<void> {
  if (gateway === undefined) return;
  const { simulatedPrimaries, estimatedSeconds } = readProgress(meter, startTime);
  const { mustStop, mustFinish } = await gateway.updateTask(
    store.taskId,
    {
      task_state: 'RUNNING',
      simulated_primaries: simulatedPrimaries,
      ...(estimatedSeconds === undefined ? {} : { estimated_time: estimatedSeconds }),
      start_time: startTime.toISOString(),
    },
    ended,
  );
  if (mustStop) return onStop('cancelled');
  if (mustFinish) onFinish();
  await deliverLog(gateway, store, await store.readDelivered(), (work) => work(), ended);
}

function readProgress(meter: ProgressMeter, startTime: Date): BatchTaskProgress {
  const { simulatedPrimaries, remainingMs } = meter.read();
  const estimatedSeconds = remainingMs === undefined ? undefined : Math.ceil(remainingMs / 1_000);
  return { simulatedPrimaries, estimatedSeconds, startTime };
}
