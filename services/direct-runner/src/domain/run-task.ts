import { createProgressMeter } from '@tally/simulators';
import { deliverTask } from './deliver-task.js';
import { failure } from './errors.js';
import { keepLease } from './lease.js';
import type { StopSignals, TaskFolder, TaskPorts } from './ports.js';
import { type LogShipper, shipLog } from './ship-log.js';
import { type Simulated, simulate } from './simulate.js';
import type { TaskEnd, WorkOrder } from './task.js';

/** How long the end of a cancelled task's log may hold its slot. */
const LAST_WORDS_MS = 2_000;

/**
 * Carries out a claimed attempt from deck to reported end. Resolves when nothing of it is left here: neither a process
 * nor, unless the runner ended before it could be delivered, a folder.
 */
export async function runTask(ports: TaskPorts, order: WorkOrder, { drain, quit }: StopSignals): Promise<void> {
  const logger = ports.logger.child({ job_id: order.jobId, task_id: order.taskId, attempt_id: order.attemptId });
  const own = { ...ports, logger };
  const meter = createProgressMeter(order.primaries, () => ports.clock.now().getTime());
  const lease = keepLease(own, order, (timeoutMs) => ports.jobs.reportTask(order.attemptId, meter.read(), timeoutMs));
  try {
    logger.info({ sim_type: order.simType, primaries: order.primaries, attempt: order.attempt }, 'task started');
    const folder = await createFolder(own, order);
    if (folder === undefined) return;
    const shipper = shipLog(own, folder);
    try {
      const simulated = await simulate(own, folder, meter, AbortSignal.any([lease.lost, drain]));
      await shipper.end();
      folder.log.finish();
      if (simulated === undefined) {
        logger.info({ cause: String(lease.lost.reason) }, 'task dropped');
        if (lease.unwanted.aborted) await sendLastWords(own, shipper, quit);
        return await folder.remove();
      }
      const end = await seal(own, folder, simulated);
      await deliverTask(own, folder, end, shipper, { unwanted: lease.unwanted, quit });
    } finally {
      await shipper.end();
    }
  } finally {
    lease.end();
  }
}

/** A cancelled task keeps its log, if results takes it at once. */
async function sendLastWords({ logger }: TaskPorts, shipper: LogShipper, quit: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([quit, AbortSignal.timeout(LAST_WORDS_MS)]);
  await shipper.flush(signal).catch((err: unknown) => logger.warn({ err }, 'end of the log was not sent'));
}

async function createFolder({ folders, jobs, logger }: TaskPorts, order: WorkOrder): Promise<TaskFolder | undefined> {
  try {
    return await folders.create(order);
  } catch (err) {
    logger.error({ err }, 'task folder could not be made');
    await jobs.reportTaskEnd(order.attemptId, { kind: 'failed', ...failure('RUNNER_FAULT') });
    return undefined;
  }
}

/** Writes the end to disk before it is sent. Where the disk does not take it, the task has failed. */
async function seal({ logger }: TaskPorts, folder: TaskFolder, { end, output }: Simulated): Promise<TaskEnd> {
  try {
    await folder.seal(end, output);
    return end;
  } catch (err) {
    logger.error({ err }, 'task could not be written to the spool');
    return end.kind === 'completed' ? { kind: 'failed', ...failure('RUNNER_FAULT') } : end;
  }
}
