import { workFor } from '@tally/service-kit';
import { deliverTask } from '../domain/deliver-task.js';
import type { StopSignals, TaskPorts } from '../domain/ports.js';
import { retryTerms, retryToOutcome } from '../domain/retry.js';
import { runTask } from '../domain/run-task.js';
import type { AttemptId, WorkOrder } from '../domain/task.js';
import { claimReceived, type ReceivedMessage } from './claim.js';
import type { Deliveries } from './deliveries.js';
import type { Meter } from './meter.js';
import { createTaskFeed, type TaskFeedOptions } from './task-feed.js';

export interface TaskWorkerOptions extends Pick<TaskFeedOptions, 'prefetchMax' | 'prefetchHoldMsMax'> {
  readonly receive: (signal: AbortSignal) => Promise<ReceivedMessage<AttemptId>>;
  readonly deliveries: Deliveries;
  readonly signals: StopSignals;
  readonly meter: Meter;
}

export interface TaskWorker {
  /**
   * Carries out one task; the slot is free when the simulator has ended and the output is sealed. Delivering
   * continues meanwhile.
   */
  runNext(): Promise<void>;
  /** Resolves when nothing is being claimed or handed back. */
  settled(): Promise<void>;
}

/** Takes messages of the task queue and carries their tasks out. */
export function createTaskWorker(
  ports: TaskPorts,
  { receive, deliveries, signals, meter, ...prefetch }: TaskWorkerOptions,
): TaskWorker {
  // The same runner may claim an attempt twice (its first acknowledgement may have been lost): once is enough.
  const running = new Set<AttemptId>();
  const claimNext = async (signal: AbortSignal): Promise<WorkOrder | undefined> => {
    await ports.folders.requireFreeSpace();
    await ports.simulators.requireReady();
    const received = await receive(signal);
    const attemptId = received.content;
    if (attemptId !== undefined && running.has(attemptId)) {
      await received.ack();
      return undefined;
    }
    if (attemptId !== undefined) running.add(attemptId);
    let order: WorkOrder | undefined;
    try {
      const claimed = await claimReceived(ports, received, (id) => ports.jobs.claimTask(id), signal);
      order = claimed && { ...claimed, ...received.origin };
    } finally {
      if (attemptId !== undefined && order === undefined) running.delete(attemptId);
    }
    return order;
  };
  /** What cannot be handed back is lost with its lease. */
  const release = async ({ attemptId, leaseMs }: WorkOrder): Promise<void> => {
    const report = () => ports.jobs.reportTaskEnd(attemptId, { kind: 'released' }, signals.quit);
    await retryToOutcome(report, retryTerms(ports, leaseMs, signals.quit, 'release'));
    running.delete(attemptId);
  };
  const feed = createTaskFeed({ claimNext, release, ...prefetch, drain: signals.drain, clock: ports.clock });
  const run = (order: WorkOrder): Promise<void> => {
    const facts = { job_id: order.jobId, task_id: order.taskId, attempt_id: order.attemptId };
    return workFor(order, 'task', facts, () => runClaimed(order));
  };
  const runClaimed = async (order: WorkOrder): Promise<void> => {
    const startedAtMs = performance.now();
    const end = meter.begin();
    const finish = () => {
      running.delete(order.attemptId);
      end();
    };
    const sealed = await meter
      .busy(() => runTask(ports, order, signals))
      .catch((err: unknown) => {
        finish();
        throw err;
      });
    feed.noteDuration(performance.now() - startedAtMs);
    if (sealed === undefined) return finish();
    await deliveries.start(() => deliverTask(ports, sealed, signals.quit).finally(finish));
  };
  return { runNext: async () => run(await feed.next()), settled: () => feed.settled() };
}
