import type { StopSignals, TaskPorts } from '../domain/ports.js';
import { recoverTasks } from '../domain/recover-tasks.js';
import type { AttemptId, StopCause } from '../domain/task.js';
import type { ReceivedMessage } from './claim.js';
import { createDeliveries } from './deliveries.js';
import type { Meter } from './meter.js';
import { runPool } from './pool.js';
import { createTaskWorker } from './task-worker.js';

export interface RunnerOptions {
  readonly tasks: TaskPorts;
  readonly receiveTask: (signal: AbortSignal) => Promise<ReceivedMessage<AttemptId>>;
  readonly meter: Meter;
  readonly slots: number;
  /** Tasks that are delivered at once while slots run others; with more, slots wait. */
  readonly deliveriesMax: number;
  /** Tasks that are claimed before a slot is free for them, while tasks are short. */
  readonly prefetchMax: number;
  readonly prefetchHoldMsMax: number;
  /** How long a stop lets running work go on. */
  readonly drainMs: number;
  /** How long it then waits for handed-back work to be reported. */
  readonly graceMs: number;
}

export interface Runner {
  /** Takes no more work, hands back what has not ended within the drain, leaves what cannot be delivered in the spool. */
  stop(): Promise<void>;
}

/** Kept of the grace for what comes after a stop that had to give up waiting. */
const GRACE_REST_MS = 500;

/** Recovers what an earlier run left, then works until stopped. Rejects when the working folder cannot be read. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const { tasks, meter, receiveTask, slots, deliveriesMax } = options;
  const { clock, logger } = tasks;
  const [drain, handBack, quit] = [new AbortController(), new AbortController(), new AbortController()];
  const signals: StopSignals = { drain: drain.signal, handBack: handBack.signal, quit: quit.signal };
  const pool = { drain: drain.signal, errorPauseMs: tasks.limits.retryPauseMsMax, clock, logger };
  const deliveries = createDeliveries(deliveriesMax, logger);
  const worker = createTaskWorker(tasks, {
    ...options,
    receive: receiveTask,
    deliveries,
    signals,
  });
  const orphaned = await tasks.folders.listOrphaned();
  const work = async () => {
    await recoverTasks(tasks, orphaned, signals);
    await runPool({ ...pool, slots, takeNext: () => worker.runNext() });
    await worker.settled();
    await deliveries.settled();
  };
  const running = work();
  const giveUp = async (ended: AbortSignal) => {
    await clock.sleep(options.drainMs, ended);
    handBack.abort('draining' satisfies StopCause);
    await clock.sleep(Math.max(0, options.graceMs - GRACE_REST_MS), ended);
    quit.abort();
  };
  return {
    async stop() {
      logger.info({ drain_ms: options.drainMs }, 'draining');
      drain.abort('draining' satisfies StopCause);
      meter.drain();
      const ended = new AbortController();
      const givenUp = giveUp(ended.signal);
      await running;
      ended.abort('ended');
      await givenUp;
    },
  };
}
