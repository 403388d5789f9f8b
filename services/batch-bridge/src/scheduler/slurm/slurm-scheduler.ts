import { hasReason } from '@tally/service-kit';
import type { RemoteShell } from '../../domain/remote-shell.js';
import type { JobQuery, Observation, Scheduler } from '../../domain/scheduler.js';
import { hasNoAccounting, parseSacct, sacct } from './commands/sacct.js';
import { parseSbatch, sbatch } from './commands/sbatch.js';
import { parseScancel, scancel } from './commands/scancel.js';
import { parseScontrolPing, scontrolPing } from './commands/scontrol-ping.js';
import { parseSqueue, squeue } from './commands/squeue.js';
import { submitScript } from './submit-script.js';

/** Asks sacct; empty where the site has no accounting. */
async function readAccounting(shell: RemoteShell, of: Parameters<typeof sacct>[0]): Promise<Observation[]> {
  const result = await shell.run(sacct(of));
  return hasNoAccounting(result) ? [] : parseSacct(result);
}

/** By id and name: an id that was given out again may be in two queries. */
const keyOf = (id: string, marker: string, index: number | undefined): string => `${id} ${marker} ${index ?? ''}`;
const keysOf = ({ id, marker, indices }: JobQuery): string[] =>
  (indices ?? [undefined]).map((index) => keyOf(id, marker, index));

/** Those rows that are of a queried job: the same id with another name is not. */
function ofQueried(queries: readonly JobQuery[], rows: readonly Observation[]): Map<string, Observation> {
  const asked = new Set(queries.flatMap(keysOf));
  const all = rows.map((row) => [keyOf(row.schedulerJobId, row.marker, row.arrayIndex), row] as const);
  return new Map(all.filter(([key]) => asked.has(key)));
}

/**
 * What sacct has to add: ends. What it alone calls pending or running the controller does not know any more, as after a crash
 * that took its latest state (sacctmgr(1), RunawayJobs): that is not shown, and lost when it stays so.
 */
const isEnd = ({ state }: Observation): boolean => state.kind === 'ended';

/** Tasks of an array leave squeue one by one; and only sacct shows the exit code of one that failed. */
function mustAskAccounting(query: JobQuery, queued: ReadonlyMap<string, Observation>): boolean {
  return keysOf(query).some((key) => {
    const state = queued.get(key)?.state;
    return state === undefined || (state.kind === 'ended' && state.outcome === 'failed');
  });
}

/**
 * Slurm behind the scheduler port. A dependency on an id that the controller does not know (any more) counts as
 * fulfilled: submit what depends on a job right after it, and check first that the job is known when that took long.
 */
export const slurmScheduler: Scheduler = {
  writeScript: submitScript,

  async submit(shell, spec) {
    return parseSbatch(await shell.run(sbatch(spec)));
  },

  async find(shell, marker) {
    const queued = parseSqueue(await shell.run(squeue(marker)));
    const known = queued.length > 0 ? queued : (await readAccounting(shell, { marker })).filter(isEnd);
    const ids = new Set(known.filter((job) => job.marker === marker).map((job) => job.schedulerJobId));
    return [...ids].sort((a, b) => Number(a) - Number(b));
  },

  async observe(shell, queries) {
    if (queries.length === 0) return { observations: [], isComplete: true };
    const queued = ofQueried(queries, parseSqueue(await shell.run(squeue())));
    const ids = queries.filter((query) => mustAskAccounting(query, queued)).map(({ id }) => id);
    if (ids.length === 0) return { observations: [...queued.values()], isComplete: true };
    let accounted: Map<string, Observation>;
    try {
      accounted = ofQueried(queries, (await readAccounting(shell, { ids })).filter(isEnd));
    } catch (err) {
      if (!hasReason(err, 'SCHEDULER_UNREACHABLE')) throw err;
      return { observations: [...queued.values()], isComplete: false };
    }
    const all = new Map([...accounted, ...queued]); // squeue is never behind
    for (const [key, { state, exit }] of accounted) {
      const known = queued.get(key);
      if (known?.state.kind === 'ended' && state.kind === 'ended' && exit) all.set(key, { ...known, exit });
    }
    return { observations: [...all.values()], isComplete: true };
  },

  async cancel(shell, targets) {
    if (targets.length > 0) parseScancel(await shell.run(scancel(targets)));
  },

  async ping(shell) {
    parseScontrolPing(await shell.run(scontrolPing()));
  },
};
