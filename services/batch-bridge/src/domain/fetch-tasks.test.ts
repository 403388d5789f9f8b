import { describe, expect, it } from '@jest/globals';
import { type BatchTaskEnd, deliveredFile, type FileFormat, taskEndFile, taskProgressFile } from '@tally/batch-helper';
import { encodeTaskOutput, type TaskOutput } from '@tally/merge';
import { canceled, completed, ObservationWorld, pending, running, timeout } from '../../test/observation-world.js';
import { fail } from './errors.js';
import { observeSubmissions } from './observe-submissions.js';

/* What is fetched from a job's folder while it runs (nodes that cannot reach the gateway) and at its end (all). */

const startTime = new Date('2026-11-21T15:00:00.000Z');
const endTime = new Date('2026-11-21T15:10:00.000Z');
const facts = { simulatedPrimaries: 10, startTime, endTime };
const done: BatchTaskEnd = { taskState: 'COMPLETED', ...facts };
const failed: BatchTaskEnd = { taskState: 'FAILED', ...facts, failure: 'the simulator ended with exit code 1' };

const output: TaskOutput = {
  primaries: 10,
  batches: 2,
  engine: 'reference 0.1.0',
  counters: {},
  pages: [
    {
      estimatorName: 'dose',
      fileName: 'dose',
      pageNumber: 1,
      pageName: 'dose',
      kind: 'linear',
      unit: 'Gy',
      scale: 1,
      axes: [{ name: 'Z', unit: 'cm', centers: [1, 2, 3] }],
      moments: [new Float64Array([1, 2, 3]), new Float64Array([1, 4, 9])],
    },
  ],
};
const OUTPUT_BYTES = 2 * 3 * 8;

async function round(world: ObservationWorld): Promise<void> {
  await observeSubmissions(world.ports, world.session, world.cluster, [world.submission]);
}
/** A cluster whose nodes do not reach the gateway. */
const pulling = (taskCount: number, limits = {}) =>
  new ObservationWorld(taskCount, { isReachingGateway: false }, limits);
const write = <T>(world: ObservationWorld, task: number, format: FileFormat<T>, value: T) =>
  world.write(`tasks/${task}/${format.name}`, format.encode(value));

/** Puts down what a task that has completed leaves. */
function complete(world: ObservationWorld, ...tasks: number[]): void {
  for (const task of tasks) {
    world.write(`tasks/${task}/log`, `log of ${task}\n`);
    world.write(`tasks/${task}/output.bin`, encodeTaskOutput(output));
    write(world, task, taskEndFile, done);
    world.show(completed, task);
  }
}

describe('while nodes cannot reach the gateway', () => {
  it('tells progress and brings the log as they grow, and each piece once', async () => {
    const world = pulling(2);
    world.show(running, 1);
    world.write('tasks/1/log', 'first é');
    write(world, 1, taskProgressFile, { simulatedPrimaries: 3, estimatedSeconds: 20, startTime });
    await round(world);
    await round(world);
    expect(world.updates).toEqual([
      expect.objectContaining({ taskId: 1, state: 'RUNNING', simulatedPrimaries: 3, remainingMs: 20_000, startTime }),
    ]);
    expect(world.calls.append).toBe(1);
    world.write('tasks/1/log', 'first é second\n');
    write(world, 1, taskProgressFile, { simulatedPrimaries: 50, estimatedSeconds: undefined, startTime });
    await round(world);
    expect(world.logs.get(1)?.toString()).toBe('first é second\n');
    expect(world.updates[1]).not.toHaveProperty('remainingMs');
    expect(world.calls).toMatchObject({ append: 2, order: 2, list: 3 });
  });

  it('brings log, output and end of a task that has completed, in this order, and once', async () => {
    const world = pulling(2);
    complete(world, 2);
    await round(world);
    await round(world);
    expect(world.logs.get(2)?.toString()).toBe('log of 2\n');
    expect(world.outputs).toEqual(new Map([[2, OUTPUT_BYTES]]));
    expect(world.updates).toEqual([{ jobId: world.jobId, updateKey: 'key', taskId: 2, state: 'COMPLETED', ...facts }]);
    expect(world.record(2)).toMatchObject({ told: 'ended', isOutputStored: true, logBytes: 9 });
    expect(world.calls.order).toBe(1);
  });

  it("passes the helper's own words on, not the scheduler's", async () => {
    const world = pulling(1);
    write(world, 1, taskEndFile, failed);
    world.show(timeout, 1);
    await round(world);
    expect(world.reports).toEqual([]);
    expect(world.updates).toMatchObject([{ state: 'FAILED', failure: 'the simulator ended with exit code 1' }]);
  });

  it('waits for an output that a file server does not show yet, and gives it up at the end', async () => {
    const world = pulling(2);
    world.show(running, 2);
    write(world, 1, taskEndFile, done);
    world.show(completed, 1);
    await round(world);
    expect(world.updates).toEqual([]);
    world.write('tasks/1/output.bin', encodeTaskOutput(output));
    await round(world);
    expect(world.taskStates.get(1)).toBe('COMPLETED');
    write(world, 2, taskEndFile, done);
    world.show(completed, 0, 2);
    await round(world);
    expect(world.updates.at(-1)).toMatchObject({
      taskId: 2,
      state: 'FAILED',
      failure: expect.stringContaining('output'),
    });
    expect(world.ended).toBeDefined();
  });

  it('is not repeated for what results has, when it broke off between output and end', async () => {
    const world = pulling(1);
    complete(world, 1);
    world.records.set(1, { ...world.record(1), isOutputStored: true });
    world.outputFault = new Error('it must not be sent again');
    await round(world);
    expect(world.taskStates.get(1)).toBe('COMPLETED');
  });

  it('goes on in the next round with what there was no time for, ended tasks first', async () => {
    const world = pulling(3, { fetchTimeMs: 0 });
    complete(world, 1, 3);
    world.show(running, 2);
    await round(world);
    expect(world.updates).toEqual([]);
    const patient = { ...world.ports, limits: { ...world.ports.limits, fetchTimeMs: 1_000 } };
    world.write('tasks/2/log', 'x');
    await observeSubmissions(patient, world.session, world.cluster, [world.submission]);
    expect([...world.taskStates.values()]).toEqual(['COMPLETED', 'RUNNING', 'COMPLETED']);
  });

  it('leaves alone what nodes deliver themselves', async () => {
    const world = new ObservationWorld(1);
    complete(world, 1);
    await round(world);
    expect(world.calls).toMatchObject({ list: 0, order: 0 });
  });
});

describe('what cannot be used', () => {
  it.each([
    ['no JSON', 'end.json', '{'],
    ['another shape', 'end.json', '{"task_state":"COMPLETED"}'],
    ['a long one', 'end.json', `${' '.repeat(70_000)}{}`],
  ])('fails the task: an end of %s', async (_, name, content) => {
    const world = pulling(1);
    complete(world, 1);
    world.write(`tasks/1/${name}`, content);
    await round(world);
    expect(world.updates).toMatchObject([{ state: 'FAILED', failure: expect.stringContaining('end cannot be read') }]);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['foreign bytes', Buffer.from('ELF something else entirely')],
    ['half of one', encodeTaskOutput(output).subarray(0, 100)],
    ['one with an arm too many', Buffer.concat([encodeTaskOutput(output), Buffer.alloc(8)])],
    ['one whose header would fill the memory', Buffer.from('TALLYOUT\xff\xff\xff\xff\0\0\0\0', 'latin1')],
    ['one beyond the limit', Buffer.alloc(1_000_001)],
  ])('fails the task: an output that is %s', async (_, content) => {
    const world = pulling(1);
    complete(world, 1);
    world.write('tasks/1/output.bin', content);
    await round(world);
    expect(world.updates).toMatchObject([{ state: 'FAILED', failure: expect.stringContaining('output') }]);
    expect(world.outputs.size).toBe(0);
  });

  it('fails the task: an output that results refuses; waits while results is away', async () => {
    const world = pulling(2);
    complete(world, 1);
    world.outputFault = fail('CLUSTER_UNREACHABLE', { message: 'results is down' });
    await expect(round(world)).rejects.toThrow('results is down');
    expect(world.updates).toEqual([]);
    world.outputFault = fail('OPTION_INVALID', { message: 'has another page' });
    await round(world);
    expect(world.updates).toMatchObject([{ state: 'FAILED', failure: expect.stringContaining('another page') }]);
  });

  it('is passed over: progress of a wrong shape, a delivered.json of a wrong shape, a log that is no text', async () => {
    const world = pulling(1);
    world.show(running, 1);
    world.write('tasks/1/progress.json', '[]');
    world.write('tasks/1/delivered.json', '{"log_bytes":-1}');
    world.write('tasks/1/log', Buffer.from([0x61, 0xff, 0xfe, 0x0a]));
    await round(world);
    expect(world.updates).toEqual([]);
    expect(world.logs.get(1)?.toString()).toBe('a??\n');
  });

  it('of a log takes no more than the limit, and says so', async () => {
    const world = pulling(1, { taskLogBytesMax: 10 });
    complete(world, 1);
    world.write('tasks/1/log', 'x'.repeat(1_000));
    await round(world);
    expect(world.logs.get(1)?.toString()).toBe(
      `${'x'.repeat(10)}\n--- 990 more bytes of this log were left on the cluster ---\n`,
    );
  });

  it('does not keep the other tasks: a file that cannot be read', async () => {
    const world = pulling(3);
    complete(world, 1, 2, 3);
    world.unreadable.add('tasks/1/log');
    await round(world);
    expect([...world.taskStates.values()]).toEqual(['PENDING', 'COMPLETED', 'COMPLETED']);
    world.unreadable.clear();
    await round(world);
    expect(world.taskStates.get(1)).toBe('COMPLETED');
  });
});

describe('the end of a submission', () => {
  it('comes when arrays and collect job are over, not before', async () => {
    const world = new ObservationWorld(2);
    world.show(completed, 1, 2);
    await round(world);
    expect(world.ended).toBeUndefined();
    world.show(running, 0);
    await round(world);
    expect(world.ended).toBeUndefined();
    world.show(completed, 0);
    await round(world);
    expect(world.ended).toMatchObject({ message: 'Nothing more comes from the cluster' });
    const states = world.submission.phase.jobs.map(({ state }) => state.kind === 'ended' && state.description);
    expect(states).toEqual(['completed 1', 'completed 2']);
  });

  it('also when the collect job was canceled by hand while tasks still run: they are waited for', async () => {
    const world = new ObservationWorld(2);
    world.show(canceled, 0);
    world.show(running, 1, 2);
    await round(world);
    expect(world.ended).toBeUndefined();
    complete(world, 1, 2);
    await round(world);
    expect(world.ended).toBeDefined();
    expect([...world.taskStates.values()]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('brings what neither tasks nor the collect job could deliver, for all clusters', async () => {
    const world = new ObservationWorld(3);
    complete(world, 1, 2);
    write(world, 1, deliveredFile, { logBytes: 9, output: true, end: true });
    world.taskStates.set(1, 'COMPLETED');
    write(world, 2, deliveredFile, { logBytes: 4, output: false, end: false });
    world.logs.set(2, Buffer.from('log '));
    world.show(completed, 0, 3);
    await round(world);
    expect([...world.taskStates.values()]).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
    expect(world.logs.get(2)?.toString()).toBe('log of 2\n');
    expect(world.logs.has(1)).toBe(false);
    expect([...world.outputs.keys()]).toEqual([2]);
    expect(world.reports.at(-1)).toEqual({
      tasks: [{ taskId: 3, state: 'FAILED', failure: 'The task left no result; the scheduler says: COMPLETED' }],
    });
  });

  it("puts the scheduler's own log, its last 64 KiB, and its word behind that of a task that left no end, once", async () => {
    const world = new ObservationWorld(2);
    world.write('tasks/1/log', 'it went well until\n');
    world.write('log-1-1', `${'y'.repeat(100_000)}slurmstepd: error: exceeded memory limit\n`);
    world.write('log-1-2', '');
    world.show(timeout, 1, 2);
    world.show(completed, 0);
    await round(world);
    const log = world.logs.get(1)?.toString() ?? '';
    expect(log).toMatch(
      /^it went well until\n\n--- what the scheduler kept of this task, its last 65536 of 100041 bytes ---\ny/,
    );
    expect(log).toMatch(/exceeded memory limit\n\n--- The scheduler ended the task: .*TIMEOUT.* ---\n$/);
    expect(world.logs.get(2)?.toString()).toMatch(/^--- The scheduler ended the task: .*TIMEOUT.* ---\n$/);
    expect(world.ended).toBeDefined();
    const { append } = world.calls;
    world.ended = undefined;
    await round(world); // as after a crash before the end was stored
    expect(world.calls.append).toBe(append);
    expect(world.ended).toBeDefined();
  });

  it('waits until what was written last has had time to arrive', async () => {
    const world = new ObservationWorld(1, {}, { failureGraceMs: 60_000 });
    world.show(timeout, 0, 1);
    await round(world);
    expect(world.ended).toBeUndefined();
    complete(world, 1);
    await world.clock.advance(60_000);
    await round(world);
    expect(world.taskStates.get(1)).toBe('COMPLETED');
    expect(world.ended).toBeDefined();
  });

  it('is put off while a file cannot be read, but not for ever', async () => {
    const world = new ObservationWorld(2);
    complete(world, 1, 2);
    world.show(completed, 0);
    world.unreadable.add('tasks/1/output.bin');
    await round(world);
    expect(world.ended).toBeUndefined();
    expect(world.taskStates.get(2)).toBe('COMPLETED');
    await world.clock.advance(86_400_000);
    await round(world);
    expect(world.ended?.message).toContain('not all that was left there could be fetched');
  });

  it('is put off while the folder cannot be looked at, but not for ever, and the job says why it waits', async () => {
    const world = new ObservationWorld(2);
    world.show(timeout, 0, 1, 2);
    world.listingFault = fail('FILE_UNREADABLE');
    await round(world);
    await round(world);
    expect(world.ended).toBeUndefined();
    expect(world.reports).toHaveLength(1);
    expect(world.waitingReason).toContain('cannot be read');
    await world.clock.advance(86_400_000);
    await round(world);
    expect(world.ended).toBeDefined();
  });

  it('of a job that jobs does not know any more asks for nothing', async () => {
    const world = new ObservationWorld(1);
    complete(world, 1);
    world.show(completed, 0);
    world.isJobThere = false;
    await round(world);
    expect(world.ended).toBeDefined();
    expect(world.calls.list).toBe(0);
  });

  it('of a canceled job fails nothing', async () => {
    const world = new ObservationWorld(2);
    world.want({ isCancelWanted: true });
    world.isJobOpen = false;
    for (const task of [1, 2]) world.taskStates.set(task, 'CANCELED');
    complete(world, 1);
    world.show(canceled, 2);
    world.show(completed, 0);
    await round(world);
    expect(world.reports).toEqual([]);
    expect(world.logs.get(1)?.toString()).toBe('log of 1\n');
    expect(world.outputs.size).toBe(0);
    expect(world.ended).toBeDefined();
  });

  it('of a canceled job brings outputs that jobs still wants and nobody has delivered', async () => {
    const world = new ObservationWorld(3);
    world.want({ isCancelWanted: true });
    world.isCanceledOutputWanted = true;
    world.isJobOpen = false;
    for (const task of [1, 2, 3]) world.taskStates.set(task, 'CANCELED');
    complete(world, 1, 2);
    write(world, 2, deliveredFile, { logBytes: 9, output: true, end: true });
    world.show(canceled, 3);
    world.show(completed, 0);
    await round(world);
    expect([...world.outputs.keys()]).toEqual([1]);
    expect(world.updates).toEqual([]);
  });

  it('of a task that never ran says so', async () => {
    const world = new ObservationWorld(1);
    world.show(canceled, 1);
    world.show(canceled, 0);
    await round(world);
    expect(world.reports).toEqual([
      { tasks: [{ taskId: 1, state: 'FAILED', failure: 'The scheduler ended the task: CANCELLED' }] },
    ]);
    expect(world.ended).toBeDefined();
  });
});

it('does not fetch for a task that waits', async () => {
  const world = pulling(1);
  world.write('tasks/1/log', 'from nowhere');
  world.show(pending, 1);
  await round(world);
  expect(world.calls).toMatchObject({ list: 0, order: 0 });
});
