import type { StopSignals, TaskPorts } from '../domain/ports.js';
import { runTask } from '../domain/run-task.js';
import type { AttemptId } from '../domain/task.js';
import { claimReceived, type Received } from './claim.js';
import type { Meter } from './meter.js';

/** Takes one message of the task queue and carries its task out. */
export function createTaskWorker(
  ports: TaskPorts,
  receive: (signal: AbortSignal) => Promise<Received<AttemptId>>,
  signals: StopSignals,
  meter: Meter,
): (drain: AbortSignal) => Promise<void> {
  // The same runner may claim an attempt twice (its first acknowledgement may have been lost): once is enough.
  const running = new Set<AttemptId>();
  return async (drain) => {
    await ports.folders.requireRoom();
    const received = await receive(drain);
    const attemptId = received.content;
    if (attemptId !== undefined && running.has(attemptId)) return received.done();
    if (attemptId !== undefined) running.add(attemptId);
    try {
      const order = await claimReceived(ports, received, (id) => ports.jobs.claimTask(id), drain);
      if (order !== undefined) await meter('task', () => runTask(ports, order, signals));
    } finally {
      if (attemptId !== undefined) running.delete(attemptId);
    }
  };
}
