import { deliverTask } from '../domain/deliver-task.js';
import type { StopSignals, TaskPorts } from '../domain/ports.js';
import { runTask } from '../domain/run-task.js';
import type { AttemptId, WorkOrder } from '../domain/task.js';
import { claimReceived, type ReceivedMessage } from './claim.js';
import type { Deliveries } from './deliveries.js';
import type { Meter } from './meter.js';

export interface TaskWorkerOptions {
  readonly receive: (signal: AbortSignal) => Promise<ReceivedMessage<AttemptId>>;
  readonly deliveries: Deliveries;
  readonly signals: StopSignals;
  readonly meter: Meter;
}

/**
 * Takes one message of the task queue and carries its task out; the slot is free when the simulator has ended and the
 * output is sealed. Delivering goes on meanwhile.
 */
export function createTaskWorker(
  ports: TaskPorts,
  { receive, deliveries, signals, meter }: TaskWorkerOptions,
): (drain: AbortSignal) => Promise<void> {
  // The same runner may claim an attempt twice (its first acknowledgement may have been lost): once is enough.
  const running = new Set<AttemptId>();
  const run = async (order: WorkOrder): Promise<void> => {
    const end = meter.begin('task');
    const finish = () => {
      running.delete(order.attemptId);
      end();
    };
    const sealed = await meter
      .busy('task', () => runTask(ports, order, signals))
      .catch((err: unknown) => {
        finish();
        throw err;
      });
    if (sealed === undefined) return finish();
    await deliveries.start(() => deliverTask(ports, sealed, signals.quit).finally(finish));
  };
  return async (drain) => {
    await ports.folders.requireFreeSpace();
    const received = await receive(drain);
    const attemptId = received.content;
    if (attemptId !== undefined && running.has(attemptId)) return received.ack();
    if (attemptId !== undefined) running.add(attemptId);
    let order: WorkOrder | undefined;
    try {
      order = await claimReceived(ports, received, (id) => ports.jobs.claimTask(id), drain);
    } finally {
      if (attemptId !== undefined && order === undefined) running.delete(attemptId);
    }
    if (order !== undefined) await run(order);
  };
}
