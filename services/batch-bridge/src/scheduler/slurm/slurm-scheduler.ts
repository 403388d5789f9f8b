import type { RemoteShell } from '../../domain/ports.js';
import type { Observation, Scheduler, SchedulerJobId, SubmittedJob } from '../../domain/scheduler.js';
import { hasNoAccounting, parseSacct, sacct } from './commands/sacct.js';
import { parseSbatch, sbatch } from './commands/sbatch.js';
import { parseScancel, scancel } from './commands/scancel.js';
import { parseScontrolPing, scontrolPing } from './commands/scontrol-ping.js';
import { parseSqueue, squeue } from './commands/squeue.js';

/** Asks sacct; nothing where the site keeps no accounts. */
async function readAccounts(shell: RemoteShell, of: Parameters<typeof sacct>[0]): Promise<Observation[]> {
  const result = await shell.run(sacct(of));
  return hasNoAccounting(result) ? [] : parseSacct(result);
}

/**
 * Slurm behind the scheduler port. A dependency on an id that the controller does not know (any more) counts as
 * fulfilled: submit what depends on a job right after it, and look the job up first when there was a break.
 */
export const slurmScheduler: Scheduler = {
  async submit(shell, job) {
    return parseSbatch(await shell.run(sbatch(job)));
  },

  async find(shell, marker) {
    const queued = parseSqueue(await shell.run(squeue(marker)));
    const known = queued.length > 0 ? queued : await readAccounts(shell, { marker });
    const ids = new Set(known.filter((job) => job.marker === marker).map((job) => job.schedulerJobId));
    return [...ids].sort((a, b) => Number(a) - Number(b));
  },

  async observe(shell, jobs) {
    const wanted = new Set<SchedulerJobId>(jobs.map(({ id }) => id));
    const queued = parseSqueue(await shell.run(squeue())).filter((job) => wanted.has(job.schedulerJobId));
    // tasks of one array leave squeue one by one
    const isWhole = ({ id, taskCount }: SubmittedJob) =>
      queued.filter((job) => job.schedulerJobId === id).length >= taskCount;
    const ids = jobs.filter((job) => !isWhole(job)).map(({ id }) => id);
    if (ids.length === 0) return queued;
    const keyOf = (job: Observation): string => `${job.schedulerJobId}_${job.arrayIndex}`;
    const seen = new Set(queued.map(keyOf));
    const accounted = await readAccounts(shell, { ids });
    return [...queued, ...accounted.filter((job) => !seen.has(keyOf(job)))];
  },

  async cancel(shell, ids) {
    if (ids.length > 0) parseScancel(await shell.run(scancel(ids)));
  },

  async ping(shell) {
    parseScontrolPing(await shell.run(scontrolPing()));
  },
};
