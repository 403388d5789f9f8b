import type { BatchJob } from './folder/batch-job.js';
import type { TaskStore } from './folder/task-store.js';
import type { Gateway } from './gateway/gateway.js';
import { deadlineAfter } from './task/deadline.js';
import { type Delivery, deliverTask } from './task/deliver-task.js';

export interface CollectPorts {
  readonly job: BatchJob;
  readonly gateway: Gateway;
  readonly openStore: (taskId: number) => TaskStore;
  /** Lines for the operators of the cluster. */
  readonly print: (line: string) => void;
  /** Aborts when the scheduler wants the collect job to end. */
  readonly terminated: AbortSignal;
}

/** How many tasks ended up how. */
export type CollectSummary = Readonly<Record<Delivery['kind'] | 'not-ended', number>>;

/**
 * Delivers, a few at once, what tasks could not deliver themselves. Of a task that has not ended only the log: its state the
 * scheduler knows.
 */
export async function collect(ports: CollectPorts): Promise<CollectSummary> {
  const summary = { delivered: 0, 'nothing-to-deliver': 0, refused: 0, unfinished: 0, 'not-ended': 0 };
  const waiting = ports.job.tasks.values();
  const work = async () => {
    for (const { taskId } of waiting) summary[await collectTask(ports, taskId)] += 1;
  };
  await Promise.all(Array.from({ length: ports.job.limits.collectTasksMax }, work));
  return summary;
}

async function collectTask(
  { job, gateway, openStore, print, terminated }: CollectPorts,
  taskId: number,
): Promise<keyof CollectSummary> {
  const { limits } = job;
  const deadline = deadlineAfter(limits.collectTimeLimitMs, terminated, limits.stoppedDeliveryTimeLimitMs);
  try {
    const store = openStore(taskId);
    const delivery = await deliverTask({ gateway, limits, print }, store, deadline.signal);
    if ('reason' in delivery) print(`task ${taskId}: ${delivery.kind}: ${delivery.reason}`);
    else if (delivery.kind === 'delivered') print(`task ${taskId}: delivered`);
    const hasEnded = 'reason' in delivery || (await store.readEnd()) !== undefined;
    return hasEnded ? delivery.kind : 'not-ended';
  } finally {
    deadline.end();
  }
}
