import { describe, expect, it } from '@jest/globals';
import { type BatchTaskEnd, deliveredFile, type FileFormat, taskEndFile, taskProgressFile } from '@tally/batch-helper';
import { encodeTaskOutput, type TaskOutput } from '@tally/merge';
import {
  canceled,
  completed,
  ObservationFixture,
  pending,
  running,
  timeout,
} from '../../../test/observation-fixture.js';
import { fail } from '../errors.js';
import { observeSubmissions } from '../observe/observe-submissions.js';

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

async function round(fixture: ObservationFixture): Promise<void> {
  await observeSubmissions(fixture.ports, fixture.session, fixture.cluster, [fixture.submission]);
}
/** A cluster whose nodes do not reach the gateway. */
const pulling = (taskCount: number, limits = {}) =>
  new ObservationFixture(taskCount, { isReachingGateway: false }, limits);
const write = <T>(fixture: ObservationFixture, task: number, format: FileFormat<T>, value: T) =>
  fixture.write(`tasks/${task}/${format.name}`, format.encode(value));

/** Puts down what a task that has completed leaves. */
function complete(fixture: ObservationFixture, ...tasks: number[]): void {
  for (const task of tasks) {
    fixture.write(`tasks/${task}/log`, `log of ${task}\n`);
    fixture.write(`tasks/${task}/output.bin`, encodeTaskOutput(output));
    write(fixture, task, taskEndFile, done);
    fixture.show(completed, task);
  }
}

describe('while nodes cannot reach the gateway', () => {
  it('reports progress and copies the log as they grow, and each piece once', async () => {
    const fixture = pulling(2);
    fixture.show(running, 1);
    fixture.write('tasks/1/log', 'first é');
    write(fixture, 1, taskProgressFile, { simulatedPrimaries: 3, estimatedSeconds: 20, startTime });
    await round(fixture);
    await round(fixture);
    expect(fixture.updates).toEqual([
      expect.objectContaining({ taskId: 1, state: 'RUNNING', simulatedPrimaries: 3, remainingMs: 20_000, startTime }),
    ]);
    expect(fixture.calls.append).toBe(1);
    fixture.write('tasks/1/log', 'first é second\n');
    write(fixture, 1, taskProgressFile, { simulatedPrimaries: 50, estimatedSeconds: undefined, startTime });
    await round(fixture);
    expect(fixture.logs.get(1)?.toString()).toBe('first é second\n');
    expect(fixture.updates[1]).not.toHaveProperty('remainingMs');
    expect(fixture.calls).toMatchObject({ append: 2, state: 2, list: 3 });
  });

  it('delivers log, output and end of a task that has completed, in this order, and once', async () => {
    const fixture = pulling(2);
    complete(fixture, 2);
    await round(fixture);
    await round(fixture);
    expect(fixture.logs.get(2)?.toString()).toBe('log of 2\n');
    expect(fixture.outputs).toEqual(new Map([[2, OUTPUT_BYTES]]));
    expect(fixture.updates).toEqual([
      { jobId: fixture.jobId, updateKey: 'key', taskId: 2, state: 'COMPLETED', ...facts },
    ]);
    expect(fixture.record(2)).toMatchObject({ reported: 'ended', isOutputStored: true, logBytes: 9 });
    expect(fixture.calls.state).toBe(1);
  });

  it("passes the helper's own words on, not the scheduler's", async () => {
    const fixture = pulling(1);
    write(fixture, 1, taskEndFile, failed);
    fixture.show(timeout, 1);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    expect(fixture.updates).toMatchObject([{ state: 'FAILED', failure: 'the simulator ended with exit code 1' }]);
  });

  it('waits for an output that a file server does not show yet, and gives it up at the end', async () => {
    const fixture = pulling(2);
    fixture.show(running, 2);
    write(fixture, 1, taskEndFile, done);
    fixture.show(completed, 1);
    await round(fixture);
    expect(fixture.updates).toEqual([]);
    fixture.write('tasks/1/output.bin', encodeTaskOutput(output));
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('COMPLETED');
    write(fixture, 2, taskEndFile, done);
    fixture.show(completed, 0, 2);
    await round(fixture);
    expect(fixture.updates.at(-1)).toMatchObject({
      taskId: 2,
      state: 'FAILED',
      failure: expect.stringContaining('output'),
    });
    expect(fixture.ended).toBeDefined();
  });

  it('is not repeated for what results has, when it broke off between output and end', async () => {
    const fixture = pulling(1);
    complete(fixture, 1);
    fixture.records.set(1, { ...fixture.record(1), isOutputStored: true });
    fixture.outputFault = new Error('it must not be sent again');
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('COMPLETED');
  });

  it('fetches in the next round what there was no time for, ended tasks first', async () => {
    const fixture = pulling(3, { fetchTimeMs: 0 });
    complete(fixture, 1, 3);
    fixture.show(running, 2);
    await round(fixture);
    expect(fixture.updates).toEqual([]);
    const patient = { ...fixture.ports, limits: { ...fixture.ports.limits, fetchTimeMs: 1_000 } };
    fixture.write('tasks/2/log', 'x');
    await observeSubmissions(patient, fixture.session, fixture.cluster, [fixture.submission]);
    expect([...fixture.taskStates.values()]).toEqual(['COMPLETED', 'RUNNING', 'COMPLETED']);
  });

  it('leaves alone what nodes deliver themselves', async () => {
    const fixture = new ObservationFixture(1);
    complete(fixture, 1);
    await round(fixture);
    expect(fixture.calls).toMatchObject({ list: 0, state: 0 });
  });
});

describe('what cannot be used', () => {
  it.each([
    ['no JSON', 'end.json', '{'],
    ['another shape', 'end.json', '{"task_state":"COMPLETED"}'],
    ['a long one', 'end.json', `${' '.repeat(70_000)}{}`],
  ])('fails the task: an end of %s', async (_, name, content) => {
    const fixture = pulling(1);
    complete(fixture, 1);
    fixture.write(`tasks/1/${name}`, content);
    await round(fixture);
    expect(fixture.updates).toMatchObject([
      { state: 'FAILED', failure: expect.stringContaining('end cannot be read') },
    ]);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array(0)],
    ['foreign bytes', Buffer.from('ELF something else entirely')],
    ['half of one', encodeTaskOutput(output).subarray(0, 100)],
    ['one with an arm too many', Buffer.concat([encodeTaskOutput(output), Buffer.alloc(8)])],
    ['one whose header would fill the memory', Buffer.from('TALLYOUT\xff\xff\xff\xff\0\0\0\0', 'latin1')],
    ['one beyond the limit', Buffer.alloc(1_000_001)],
  ])('fails the task: an output that is %s', async (_, content) => {
    const fixture = pulling(1);
    complete(fixture, 1);
    fixture.write('tasks/1/output.bin', content);
    await round(fixture);
    expect(fixture.updates).toMatchObject([{ state: 'FAILED', failure: expect.stringContaining('output') }]);
    expect(fixture.outputs.size).toBe(0);
  });

  it('fails the task: an output that results refuses; waits while results is unavailable', async () => {
    const fixture = pulling(2);
    complete(fixture, 1);
    fixture.outputFault = fail('CLUSTER_UNREACHABLE', { message: 'results is down' });
    await expect(round(fixture)).rejects.toThrow('results is down');
    expect(fixture.updates).toEqual([]);
    fixture.outputFault = fail('OPTION_INVALID', { message: 'has another page' });
    await round(fixture);
    expect(fixture.updates).toMatchObject([{ state: 'FAILED', failure: expect.stringContaining('another page') }]);
  });

  it('is passed over: progress of a wrong shape, a delivered.json of a wrong shape, a log that is no text', async () => {
    const fixture = pulling(1);
    fixture.show(running, 1);
    fixture.write('tasks/1/progress.json', '[]');
    fixture.write('tasks/1/delivered.json', '{"log_bytes":-1}');
    fixture.write('tasks/1/log', Buffer.from([0x61, 0xff, 0xfe, 0x0a]));
    await round(fixture);
    expect(fixture.updates).toEqual([]);
    expect(fixture.logs.get(1)?.toString()).toBe('a??\n');
  });

  it('of a log takes no more than the limit, and says so', async () => {
    const fixture = pulling(1, { taskLogBytesMax: 10 });
    complete(fixture, 1);
    fixture.write('tasks/1/log', 'x'.repeat(1_000));
    await round(fixture);
    expect(fixture.logs.get(1)?.toString()).toBe(
      `${'x'.repeat(10)}\n--- 990 more bytes of this log were left on the cluster ---\n`,
    );
  });

  it('does not keep the other tasks: a file that cannot be read', async () => {
    const fixture = pulling(3);
    complete(fixture, 1, 2, 3);
    fixture.unreadable.add('tasks/1/log');
    await round(fixture);
    expect([...fixture.taskStates.values()]).toEqual(['PENDING', 'COMPLETED', 'COMPLETED']);
    fixture.unreadable.clear();
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('COMPLETED');
  });
});

describe('the end of a submission', () => {
  it('comes when arrays and collect job are over, not before', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(completed, 1, 2);
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    fixture.show(running, 0);
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    fixture.show(completed, 0);
    await round(fixture);
    expect(fixture.ended).toMatchObject({ message: 'Nothing more comes from the cluster' });
    const states = fixture.submission.phase.remoteJob.schedulerJobs.map(
      ({ state }) => state.kind === 'ended' && state.description,
    );
    expect(states).toEqual(['completed 1', 'completed 2']);
  });

  it('also when the collect job was canceled by hand while tasks still run: they are waited for', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(canceled, 0);
    fixture.show(running, 1, 2);
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    complete(fixture, 1, 2);
    await round(fixture);
    expect(fixture.ended).toBeDefined();
    expect([...fixture.taskStates.values()]).toEqual(['COMPLETED', 'COMPLETED']);
  });

  it('brings what neither tasks nor the collect job could deliver, for all clusters', async () => {
    const fixture = new ObservationFixture(3);
    complete(fixture, 1, 2);
    write(fixture, 1, deliveredFile, { logBytes: 9, output: true, end: true });
    fixture.taskStates.set(1, 'COMPLETED');
    write(fixture, 2, deliveredFile, { logBytes: 4, output: false, end: false });
    fixture.logs.set(2, Buffer.from('log '));
    fixture.show(completed, 0, 3);
    await round(fixture);
    expect([...fixture.taskStates.values()]).toEqual(['COMPLETED', 'COMPLETED', 'FAILED']);
    expect(fixture.logs.get(2)?.toString()).toBe('log of 2\n');
    expect(fixture.logs.has(1)).toBe(false);
    expect([...fixture.outputs.keys()]).toEqual([2]);
    expect(fixture.reports.at(-1)).toEqual({
      tasks: [
        {
          taskId: 3,
          state: 'FAILED',
          failure: 'OUTPUT_MISSING: The task left no result; the scheduler says: COMPLETED',
        },
      ],
    });
  });

  it("appends the scheduler's own log, its last 64 KiB, and its reason to that of a task that left no end, once", async () => {
    const fixture = new ObservationFixture(2);
    fixture.write('tasks/1/log', 'it went well until\n');
    fixture.write('log-1-1', `${'y'.repeat(100_000)}slurmstepd: error: exceeded memory limit\n`);
    fixture.write('log-1-2', '');
    fixture.show(timeout, 1, 2);
    fixture.show(completed, 0);
    await round(fixture);
    const log = fixture.logs.get(1)?.toString() ?? '';
    expect(log).toMatch(
      /^it went well until\n\n--- what the scheduler kept of this task, its last 65536 of 100041 bytes ---\ny/,
    );
    expect(log).toMatch(/exceeded memory limit\n\n--- The scheduler ended the task: .*TIMEOUT.* ---\n$/);
    expect(fixture.logs.get(2)?.toString()).toMatch(/^--- The scheduler ended the task: .*TIMEOUT.* ---\n$/);
    expect(fixture.ended).toBeDefined();
    const { append } = fixture.calls;
    fixture.stored = fixture.submission;
    await round(fixture); // as after a crash before the end was stored
    expect(fixture.calls.append).toBe(append);
    expect(fixture.ended).toBeDefined();
  });

  it('waits until what was written last has had time to arrive', async () => {
    const fixture = new ObservationFixture(1, {}, { failureGraceMs: 60_000 });
    fixture.show(timeout, 0, 1);
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    complete(fixture, 1);
    await fixture.clock.advance(60_000);
    await round(fixture);
    expect(fixture.taskStates.get(1)).toBe('COMPLETED');
    expect(fixture.ended).toBeDefined();
  });

  it('waits while a file cannot be read, but not for ever', async () => {
    const fixture = new ObservationFixture(2);
    complete(fixture, 1, 2);
    fixture.show(completed, 0);
    fixture.unreadable.add('tasks/1/output.bin');
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    expect(fixture.taskStates.get(2)).toBe('COMPLETED');
    await fixture.clock.advance(86_400_000);
    await round(fixture);
    expect(fixture.ended?.message).toContain('not all that was left there could be fetched');
  });

  it('waits while the folder cannot be listed, but not for ever, and the job says why it waits', async () => {
    const fixture = new ObservationFixture(2);
    fixture.show(timeout, 0, 1, 2);
    fixture.listingFault = fail('FILE_UNREADABLE');
    await round(fixture);
    await round(fixture);
    expect(fixture.ended).toBeUndefined();
    expect(fixture.reports).toHaveLength(1);
    expect(fixture.waitingReason).toContain('cannot be read');
    await fixture.clock.advance(86_400_000);
    await round(fixture);
    expect(fixture.ended).toBeDefined();
  });

  it('of a job that jobs does not know any more asks for nothing', async () => {
    const fixture = new ObservationFixture(1);
    complete(fixture, 1);
    fixture.show(completed, 0);
    fixture.isJobThere = false;
    await round(fixture);
    expect(fixture.ended).toBeDefined();
    expect(fixture.calls.list).toBe(0);
  });

  it('of a canceled job fails nothing', async () => {
    const fixture = new ObservationFixture(2);
    fixture.setDesired('canceled');
    fixture.isJobOpen = false;
    for (const task of [1, 2]) fixture.taskStates.set(task, 'CANCELED');
    complete(fixture, 1);
    fixture.show(canceled, 2);
    fixture.show(completed, 0);
    await round(fixture);
    expect(fixture.reports).toEqual([]);
    expect(fixture.logs.get(1)?.toString()).toBe('log of 1\n');
    expect(fixture.outputs.size).toBe(0);
    expect(fixture.ended).toBeDefined();
  });

  it('of a canceled job brings outputs that jobs still wants and nobody has delivered', async () => {
    const fixture = new ObservationFixture(3);
    fixture.setDesired('canceled');
    fixture.isCanceledOutputWanted = true;
    fixture.isJobOpen = false;
    for (const task of [1, 2, 3]) fixture.taskStates.set(task, 'CANCELED');
    complete(fixture, 1, 2);
    write(fixture, 2, deliveredFile, { logBytes: 9, output: true, end: true });
    fixture.show(canceled, 3);
    fixture.show(completed, 0);
    await round(fixture);
    expect([...fixture.outputs.keys()]).toEqual([1]);
    expect(fixture.updates).toEqual([]);
  });

  it('of a task that never ran says so', async () => {
    const fixture = new ObservationFixture(1);
    fixture.show(canceled, 1);
    fixture.show(canceled, 0);
    await round(fixture);
    expect(fixture.reports).toEqual([
      { tasks: [{ taskId: 1, state: 'FAILED', failure: 'SCHEDULER_ENDED: The scheduler ended the task: CANCELLED' }] },
    ]);
    expect(fixture.ended).toBeDefined();
  });
});

it('does not fetch for a task that waits', async () => {
  const fixture = pulling(1);
  fixture.write('tasks/1/log', 'from nowhere');
  fixture.show(pending, 1);
  await round(fixture);
  expect(fixture.calls).toMatchObject({ list: 0, state: 0 });
});
