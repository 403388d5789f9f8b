import { describe, expect, it } from '@jest/globals';
import { observationsByTask } from '../../domain/observe/tracked-tasks.js';
import type { RemoteShell } from '../../domain/remote-shell.js';
import type { SchedulerJobId } from '../../domain/scheduler.js';
import { slurmScheduler } from './slurm-scheduler.js';

const MARKER = 'tally-a-1';
const query = { id: '12' as SchedulerJobId, marker: MARKER, indices: [1, 2, 3] };

/** A login node whose squeue and sacct print these rows. */
const shellOf = (squeue: readonly string[], sacct: readonly string[]): RemoteShell => ({
  run: async ({ argv }) => {
    const rows = argv.includes('sacct') ? sacct : squeue;
    return { stdout: rows.map((row) => `${row}\n`).join(''), stderr: '', exitCode: 0 };
  },
});

async function observe(squeue: readonly string[], sacct: readonly string[]) {
  const { observations, isComplete } = await slurmScheduler.observe(shellOf(squeue, sacct), [query]);
  expect(isComplete).toBe(true);
  return observations.map(({ arrayIndex, state }) => `${arrayIndex} ${state.kind}`).toSorted();
}

it('tells two jobs apart that were given one id, as after a crash of the controller', async () => {
  const other = { ...query, marker: 'tally-b-1' };
  const rows = [1, 2, 3].map((index) => `12|${index}|COMPLETED|None|${other.marker}`);
  for (const queries of [
    [query, other],
    [other, query],
  ]) {
    const { observations } = await slurmScheduler.observe(shellOf(rows, []), queries);
    const find = observationsByTask(observations);
    const task = { taskId: 1, ordinal: 1, id: query.id, index: 1 };
    expect(find({ ...task, marker: MARKER })).toBeUndefined();
    expect(find({ ...task, marker: other.marker })?.state.kind).toBe('ended');
  }
});

describe('what the controller does not show', () => {
  it('has ended as the accounting says', async () => {
    const ends = [`12_1|COMPLETED|0:0|${MARKER}`, `12_3|FAILED|1:0|${MARKER}`];
    expect(await observe([`12|2|RUNNING|None|${MARKER}`], ends)).toEqual(['1 ended', '2 running', '3 ended']);
  });

  it('is not shown where only the accounting calls it open: the controller has lost it', async () => {
    const open = [`12_1|RUNNING|0:0|${MARKER}`, `12_[2-3]|PENDING|0:0|${MARKER}`];
    expect(await observe([], open)).toEqual([]);
    expect(await observe([`12|2|PENDING|Resources|${MARKER}`], open)).toEqual(['2 pending']);
    expect(await slurmScheduler.find(shellOf([], open), MARKER)).toEqual([]);
  });

  it('is found by its name where the accounting says that it has ended', async () => {
    expect(await slurmScheduler.find(shellOf([], [`12_1|COMPLETED|0:0|${MARKER}`]), MARKER)).toEqual(['12']);
  });
});
