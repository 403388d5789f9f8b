import type { LaunchedCommand } from '@tally/launcher';
import { combineSignals, limitTime } from '@tally/service-kit';
import { createProgressMeter } from '@tally/simulators/run';
import type { SealedTask } from './deliver-task.js';
import { newFailure } from './errors.js';
import type { HeartbeatAnswer, Lease, StopSignals, TaskFolder, TaskPorts } from './ports.js';
import { type LogShipper, shipLog } from './ship-log.js';
import { type Simulated, simulate } from './simulate.js';
import type { TaskEnd, WorkOrder } from './task.js';

/** How long the end of a cancelled task's log may keep its slot. */
const FINAL_LOG_TIMEOUT_MS = 2_000;
/** How long its last processor time may. */
const USAGE_TIMEOUT_MS = 2_000;

/**
 * Carries out a claimed attempt from its deck to its sealed end. When it resolves no process of it is left, and its slot
 * is free for another: what remains is to deliver it. `undefined`: nothing remains.
 */
export async function runTask(
  ports: TaskPorts,
  order: WorkOrder,
  { handBack, quit }: StopSignals,
): Promise<SealedTask | undefined> {
  const logger = ports.logger.child({ job_id: order.jobId, task_id: order.taskId, attempt_id: order.attemptId });
  const own = { ...ports, logger };
  const meter = createProgressMeter(order.primaries, () => ports.clock.monotonicMs());
  let simulator: LaunchedCommand | undefined;
  const report = (timeoutMs: number) =>
    ports.jobs.reportTask(order.attemptId, { ...meter.read(), cpuMs: simulator?.readCpuMs() }, timeoutMs);
  const lease = ports.leases.keep(order, report);
  let sealed: SealedTask | undefined;
  try {
    logger.debug({ sim_type: order.simType, primaries: order.primaries, attempt: order.attempt }, 'task started');
    const folder = await createFolder(own, order);
    if (folder === undefined) return undefined;
    const shipper = shipLog(own, folder);
    try {
      const interrupt = combineSignals(lease.lost, handBack);
      const onLaunched = (launched: LaunchedCommand) => {
        simulator = launched;
      };
      const simulated = await simulate(own, folder, meter, interrupt.signal, lease.finish, onLaunched).finally(
        interrupt.end,
      );
      await shipper.end();
      folder.log.finish();
      const cpuMs = simulator?.readCpuMs();
      if (simulated === undefined) {
        if (cpuMs !== undefined) await reportUsage(own, report);
        await dropTask(own, folder, shipper, lease, quit);
      } else {
        const measured = { ...simulated, end: { ...simulated.end, cpuMs } };
        sealed = { folder, end: await sealTask(own, folder, measured), shipper, lease, logger };
      }
    } finally {
      await shipper.end();
    }
    return sealed;
  } finally {
    if (sealed === undefined) lease.end();
  }
}

/** What a simulator had used counts, though its attempt is not wanted any more. One try: its heartbeats have said most of it. */
async function reportUsage(
  { logger }: TaskPorts,
  report: (timeoutMs: number) => Promise<HeartbeatAnswer>,
): Promise<void> {
  try {
    await report(USAGE_TIMEOUT_MS);
  } catch (err) {
    logger.warn({ err }, 'the last processor time of a dropped task was not reported');
  }
}

/** The attempt is revoked or its lease lost: it leaves nothing here. */
async function dropTask(
  ports: TaskPorts,
  folder: TaskFolder,
  shipper: LogShipper,
  lease: Lease,
  quit: AbortSignal,
): Promise<void> {
  ports.logger.info({ cause: String(lease.lost.reason) }, 'task dropped');
  if (lease.revoked.aborted) await flushFinalLog(ports, folder, shipper, quit);
  await folder.remove();
}

/** A cancelled task keeps its log, if results takes it at once. */
async function flushFinalLog(
  { logger, results }: TaskPorts,
  { order }: TaskFolder,
  shipper: LogShipper,
  quit: AbortSignal,
): Promise<void> {
  const { signal, end } = limitTime(FINAL_LOG_TIMEOUT_MS, quit);
  try {
    const piece = await shipper.flush(signal);
    if (piece !== undefined) await results.appendLog(order, piece, signal);
  } catch (err) {
    logger.warn({ err }, 'end of the log was not sent');
  } finally {
    end();
  }
}

async function createFolder({ folders, jobs, logger }: TaskPorts, order: WorkOrder): Promise<TaskFolder | undefined> {
  try {
    return await folders.create(order);
  } catch (err) {
    logger.error({ err }, 'task folder could not be made');
    await jobs.reportTaskEnd(order.attemptId, { kind: 'failed', ...newFailure('RUNNER_FAULT') });
    return undefined;
  }
}

/** Writes the end to disk before it is sent. Where the disk does not take it, the task has failed. */
async function sealTask({ logger }: TaskPorts, folder: TaskFolder, { end, output }: Simulated): Promise<TaskEnd> {
  try {
    await folder.seal(end, output);
    return end;
  } catch (err) {
    logger.error({ err }, 'task could not be written to the spool');
    return end.kind === 'completed' ? { kind: 'failed', ...newFailure('RUNNER_FAULT'), cpuMs: end.cpuMs } : end;
  }
}
