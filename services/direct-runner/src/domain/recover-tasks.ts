import { combineSignals, workFor } from '@tally/service-kit';
import { deliverTask } from './deliver-task.js';
import { newFailure } from './errors.js';
import type { OrphanedTask, StopSignals, TaskPorts } from './ports.js';
import { shipLog } from './ship-log.js';
import type { TaskEnd } from './task.js';

/**
 * Puts in order what an earlier run of this runner left behind: ends its processes, delivers what was finished, and
 * reports what was not as failed, so that jobs need not wait for the lease to run out. Before new work. What cannot be
 * put in order stays for the next start.
 */
export async function recoverTasks(
  ports: TaskPorts,
  orphaned: readonly OrphanedTask[],
  signals: StopSignals,
): Promise<void> {
  const recover = (task: OrphanedTask) =>
    workFor(task.folder.order, 'recovery', {}, () => recoverTask(ports, task, signals)).catch((err: unknown) =>
      ports.logger.error({ err, attempt_id: task.folder.order.attemptId }, 'task of an earlier run was not recovered'),
    );
  await Promise.all(orphaned.map(recover));
}

async function recoverTask(ports: TaskPorts, task: OrphanedTask, { handBack, quit }: StopSignals): Promise<void> {
  const { folder } = task;
  const { order } = folder;
  const logger = ports.logger.child({ job_id: order.jobId, task_id: order.taskId, attempt_id: order.attemptId });
  const own = { ...ports, logger };
  const processCount = await task.endProcesses();
  logger.warn({ is_finished: task.end !== undefined, processCount }, 'found a task of an earlier run');
  const simulatedPrimaries = task.end?.kind === 'completed' ? task.end.simulatedPrimaries : 0;
  const progress = { simulatedPrimaries, cpuMs: task.end?.cpuMs };
  const lease = ports.leases.keep(order, (timeoutMs) => ports.jobs.reportTask(order.attemptId, progress, timeoutMs));
  const shipper = shipLog(own, folder);
  const stop = combineSignals(handBack, quit);
  try {
    const end = task.end ?? (await sealLost(task));
    await deliverTask(own, { folder, end, shipper, lease, logger }, stop.signal);
  } finally {
    stop.end();
    await shipper.end();
    lease.end();
  }
}

async function sealLost({ folder }: OrphanedTask): Promise<TaskEnd> {
  const end: TaskEnd = { kind: 'failed', ...newFailure('RUNNER_LOST') };
  folder.log.write(`${end.reason}: ${end.message}`);
  folder.log.finish();
  await folder.seal(end);
  return end;
}
