import { describe, expect, it } from '@jest/globals';
import { DENYING_TEXTS, PASSING_TEXTS, REFUSING_TEXTS } from '../../../test/scheduler-texts.js';
import { fail } from '../../domain/errors.js';
import { observationsByTask } from '../../domain/observe/tracked-tasks.js';
import type { CommandResult, RemoteShell } from '../../domain/remote-shell.js';
import type { SchedulerJobId } from '../../domain/scheduler.js';
import { slurmScheduler } from './slurm-scheduler.js';

const MARKER = 'tally-a-1';
const query = { id: '12' as SchedulerJobId, marker: MARKER, indices: [1, 2, 3] };

/** A login node whose accounting answers like this. */
const shellWith = (squeue: readonly string[], sacct: () => Promise<CommandResult>): RemoteShell => ({
  run: async (command) => (command.argv.includes('sacct') ? sacct() : shellOf(squeue, []).run(command)),
});

/** A login node whose squeue and sacct print these rows. */
const shellOf = (squeue: readonly string[], sacct: readonly string[]): RemoteShell => ({
  run: async ({ argv }) => {
    const rows = argv.includes('sacct') ? sacct : squeue;
    return { stdout: rows.map((row) => `${row}\n`).join(''), stderr: '', exitCode: 0 };
  },
});

async function observe(squeue: readonly string[], sacct: readonly string[]) {
  const { observations } = await slurmScheduler.observe(shellOf(squeue, sacct), [query]);
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

describe('the accounting only ever adds', () => {
  const failed = (stderr: string, exitCode: number): (() => Promise<CommandResult>) => {
    return async () => ({ stdout: '', stderr, exitCode });
  };
  const ways = [
    ...[...PASSING_TEXTS, ...REFUSING_TEXTS, ...DENYING_TEXTS].map((text) => failed(text, 1)),
    failed('sacct: error: Access/permission denied\n', 1),
    failed('Slurm accounting storage is disabled\n', 1),
    failed('sh: 1: exec: sacct: not found\n', 127),
    failed('', 139),
    ...(['COMMAND_TIMED_OUT', 'COMMAND_LOST', 'COMMAND_OUTPUT_TOO_LARGE', 'COMMAND_NOT_RUN', 'SSH_FAULT'] as const).map(
      (reason) => async () => {
        throw fail(reason);
      },
    ),
  ];

  it('what squeue shows counts, whatever keeps sacct from answering', async () => {
    const rows = [`12|1|FAILED|NonZeroExitCode|${MARKER}`, `12|2|RUNNING|None|${MARKER}`];
    for (const sacct of ways) {
      const { observations } = await slurmScheduler.observe(shellWith(rows, sacct), [query]);
      expect(observations.map(({ description }) => description)).toEqual(['FAILED: NonZeroExitCode', 'RUNNING']);
      expect(await slurmScheduler.find(shellWith([], sacct), MARKER)).toEqual([]);
    }
  });
});

it('finds what still runs before what has ended under the same name', async () => {
  const rows = [`9|1|CANCELLED|None|${MARKER}`, `12|1|PENDING|None|${MARKER}`, `13|1|RUNNING|None|${MARKER}`];
  expect(await slurmScheduler.find(shellOf(rows, []), MARKER)).toEqual(['12', '13', '9']);
});

it('lists what is open, each array once, whoever submitted it', async () => {
  const rows = [
    `12|1|RUNNING|None|${MARKER}`,
    `12|2|PENDING|None|${MARKER}`,
    '7|N/A|RUNNING|None|other|name',
    `8|N/A|FAILED|None|x`,
  ];
  const open = [
    { id: '12', marker: MARKER },
    { id: '7', marker: 'other|name' },
  ];
  expect(await slurmScheduler.listOpen(shellOf(rows, []))).toEqual(open);
  expect((await slurmScheduler.observe(shellOf(rows, []), [query])).open).toEqual(open);
});
