import { ServiceError } from '@tally/service-kit';
import type { RemoteShell } from '../../domain/remote-shell.js';
import type { JobQuery, NamedJob, Observation, Scheduler } from '../../domain/scheduler.js';
import { parseSacct, sacct } from './commands/sacct.js';
import { parseSbatch, sbatch } from './commands/sbatch.js';
import { parseScancel, scancel } from './commands/scancel.js';
import { parseSqueue, squeue } from './commands/squeue.js';
import { submitScript } from './submit-script.js';

/**
 * Ends that the accounting knows. It only ever adds: whatever keeps it from answering, the controller's word stands. What it
 * alone calls pending or running the controller does not know any more, as after a crash that took its latest state
 * (sacctmgr(1), RunawayJobs): that is not shown, and lost when it stays so.
 */
async function readEnds(shell: RemoteShell, of: Parameters<typeof sacct>[0]): Promise<Observation[]> {
  try {
    return parseSacct(await shell.run(sacct(of))).filter(hasEnded);
  } catch (err) {
    if (err instanceof ServiceError) return []; // counted by its outcome, as every command
    throw err;
  }
}

const hasEnded = ({ state }: Observation): boolean => state.kind === 'ended';

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

/** Tasks of an array leave squeue one by one; and only sacct shows the exit code of one that failed. */
function mustAskAccounting(query: JobQuery, queued: ReadonlyMap<string, Observation>): boolean {
  return keysOf(query).some((key) => {
    const state = queued.get(key)?.state;
    return state === undefined || (state.kind === 'ended' && state.outcome === 'failed');
  });
}

/** Jobs that have not ended, each array once. */
function openJobs(rows: readonly Observation[]): NamedJob[] {
  const open = rows.filter((row) => !hasEnded(row));
  const jobs = open.map(({ schedulerJobId: id, marker }) => [keyOf(id, marker, undefined), { id, marker }] as const);
  return [...new Map(jobs).values()];
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
    const known = queued.length > 0 ? queued : await readEnds(shell, { marker });
    const ours = known.filter((job) => job.marker === marker);
    const open = new Set(openJobs(ours).map(({ id }) => id));
    const ids = [...new Set(ours.map((job) => job.schedulerJobId))];
    return ids.sort((a, b) => Number(open.has(b)) - Number(open.has(a)) || Number(a) - Number(b));
  },

  async listOpen(shell) {
    return openJobs(parseSqueue(await shell.run(squeue())));
  },

  async observe(shell, queries) {
    if (queries.length === 0) return { observations: [], open: [] };
    const rows = parseSqueue(await shell.run(squeue()));
    const open = openJobs(rows);
    const queued = ofQueried(queries, rows);
    const ids = queries.filter((query) => mustAskAccounting(query, queued)).map(({ id }) => id);
    if (ids.length === 0) return { observations: [...queued.values()], open };
    const accounted = ofQueried(queries, await readEnds(shell, { ids }));
    const all = new Map([...accounted, ...queued]); // squeue is never behind
    for (const [key, { exit }] of accounted) {
      const known = queued.get(key);
      if (known?.state.kind === 'ended' && exit) all.set(key, { ...known, exit });
    }
    return { observations: [...all.values()], open };
  },

  async cancel(shell, targets) {
    if (targets.length > 0) parseScancel(await shell.run(scancel(targets)));
  },
};
