import { deliverTask } from './deliver-task.js';
import { failure } from './errors.js';
import { keepLease } from './lease.js';
import type { LeftOver, StopSignals, TaskPorts } from './ports.js';
import { shipLog } from './ship-log.js';
import type { TaskEnd } from './task.js';

/**
 * Puts in order what an earlier run of this runner left behind: ends its processes, delivers what was finished, and
 * reports what was not as failed, so that jobs need not wait for the lease to run out. Before new work. What cannot be
 * put in order stays for the next start.
 */
export async function recoverTasks(
  ports: TaskPorts,
  leftOver: readonly LeftOver[],
  signals: StopSignals,
): Promise<void> {
  const recover = (found: LeftOver) =>
    recoverTask(ports, found, signals).catch((err: unknown) =>
      ports.logger.error({ err, attempt_id: found.folder.order.attemptId }, 'task of an earlier run was not recovered'),
    );
  await Promise.all(leftOver.map(recover));
}

async function recoverTask(ports: TaskPorts, found: LeftOver, { drain, quit }: StopSignals): Promise<void> {
  const { order } = found.folder;
  const logger = ports.logger.child({ job_id: order.jobId, task_id: order.taskId, attempt_id: order.attemptId });
  const own = { ...ports, logger };
  const processCount = await found.endProcesses();
  logger.warn({ is_finished: found.end !== undefined, processCount }, 'found a task of an earlier run');
  const progress = { simulatedPrimaries: found.end?.kind === 'completed' ? found.end.simulatedPrimaries : 0 };
  const lease = keepLease(own, order, (timeoutMs) => ports.jobs.reportTask(order.attemptId, progress, timeoutMs));
  const shipper = shipLog(own, found.folder);
  try {
    const end = found.end ?? (await sealLost(found));
    await deliverTask(own, found.folder, end, shipper, {
      unwanted: lease.unwanted,
      quit: AbortSignal.any([drain, quit]),
    });
  } finally {
    await shipper.end();
    lease.end();
  }
}

async function sealLost({ folder }: LeftOver): Promise<TaskEnd> {
  const end: TaskEnd = { kind: 'failed', ...failure('RUNNER_LOST') };
  folder.log.write(`${end.reason}: ${end.message}`);
  folder.log.finish();
  await folder.seal(end);
  return end;
}
