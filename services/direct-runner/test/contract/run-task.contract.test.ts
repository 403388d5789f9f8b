import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { TASK_QUEUE } from '@tally/contracts';
import { encodeMoments } from '@tally/merge';
import { createGrpcClient } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import type { AttemptId } from '../../src/domain/task.js';
import { deckOf, outputOf, WARNINGS, writeOutput } from '../attempt.js';
import type { StandInAttempt } from '../stand-in/jobs.js';
import { useWorld } from '../stand-in/world.js';

const world = useWorld();
const failureOf = async (...[attempt, timeoutMs]: Parameters<typeof world.endOf>) => {
  const end = await world.endOf(attempt, timeoutMs);
  if (end.$case !== 'failed') throw new Error(`the task ended ${end.$case}`);
  return end.value;
};

async function probe(port: number): Promise<void> {
  const client = createGrpcClient(
    {},
    { target: `127.0.0.1:${port}`, caller: 'probe', token: 'none', timeoutMs: 1_000 },
  );
  try {
    await client.checkReady();
  } finally {
    client.close();
  }
}

describe('a task that goes well', () => {
  it('has its output stored bit for bit, and is then reported as completed', async () => {
    await world.startRunner();
    const output = outputOf(100);
    const attempt = await world.submit(deckOf(writeOutput(output)));
    expect(await world.endOf(attempt)).toEqual({ $case: 'completed', value: { simulatedPrimaries: 100n } });
    const stored = world.results.outputs.get(`${attempt.order.jobId}/1`);
    expect(stored?.header).toEqual({
      jobId: attempt.order.jobId,
      taskId: 1,
      attemptId: attempt.order.attemptId,
      primaries: 100n,
      batches: 2,
      engine: 'fixture 1',
      counters: { lost: 1 },
      pageCount: 1,
      warnings: WARNINGS,
    });
    expect(world.results.logs.get(attempt.order.attemptId)).toContain('warning: AXIS_UNNAMED: an axis has no name\n');
    expect(stored?.pages).toHaveLength(1);
    const [page] = output.pages;
    expect(stored?.pages[0]?.bytes).toEqual(Buffer.from(encodeMoments('linear', 3, page?.moments ?? [])));
    expect(stored?.pages[0]?.header).toMatchObject({
      estimatorIndex: 0,
      estimatorName: 'depth',
      pageNumber: 1,
      scale: 2,
    });
    await waitFor(async () => (await world.folders()).length === 0);
    expect(await world.queue.depth(TASK_QUEUE)).toBe(0);
  });

  it('tells its log which engine, histories and seed it has, while it still runs', async () => {
    await world.startRunner();
    const attempt = await world.submit(deckOf(['print', 'working'], ['hang']), {
      firstHistory: 300,
      seed: '18446744073709551615',
    });
    const log = await waitFor(() => {
      const text = world.results.logs.get(attempt.order.attemptId);
      return text?.includes('working') && text;
    });
    expect(log).toMatch(/^engine: reference \S+ \(asked for: simA\)\n/);
    expect(log).toContain('primaries: 100, first history: 300, seed: 18446744073709551615\n');
    attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
  });

  it('reports progress and the remaining time with its heartbeats', async () => {
    await world.startRunner();
    const steps = deckOf(
      ['wait', 100],
      ['print', 'progress 25 100'],
      ['print', 'progress 25/100'],
      ['waitFor', 'go'],
      writeOutput(outputOf(100)),
    );
    const attempt = await world.submit(steps);
    const beat = await waitFor(() => attempt.heartbeats.find(({ simulatedPrimaries }) => simulatedPrimaries === 25));
    expect(beat.hasEstimate).toBe(true);
    attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
  });

  it('gets its own histories and seed in its deck', async () => {
    await world.startRunner();
    const attempt = await world.submit(deckOf(['hang']), { primaries: 7, firstHistory: 40, seed: '9007199254740993' });
    const file = path.join(world.workDir, attempt.order.attemptId, 'work/task.json');
    const task = await waitFor(() => readFile(file, 'utf8'));
    expect(JSON.parse(task)).toEqual({ primaries: 7, firstHistory: 40, seed: '9007199254740993' });
    attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
  });

  it('shows no secret of the runner to the simulator', async () => {
    await world.startRunner();
    const attempt = await world.submit(deckOf(['tell'], ['hang']));
    const told = await waitFor(() =>
      readFile(path.join(world.workDir, attempt.order.attemptId, 'work/told.json'), 'utf8'),
    );
    expect(told).not.toContain('test-caller-token');
    expect(told).not.toContain(world.queueUrl);
    expect(told).toContain('TALLY_ATTEMPT_ID');
    attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
  });
});

describe('a task that fails', () => {
  it.each([
    ['SIMULATOR_FAILED', true, deckOf(['printError', 'no such isotope'], ['exit', 3]), /exit code 3.*no such isotope/],
    ['SIMULATOR_CRASHED', true, deckOf(['crash', 'SIGSEGV']), /signal SIGSEGV/],
    ['OUTPUT_MISSING', true, deckOf(['exit', 0]), /no output/],
    ['OUTPUT_UNREADABLE', true, deckOf(['output', 'bm90IGFuIG91dHB1dA==']), /not a task output/],
    ['OUTPUT_INCOMPLETE', true, deckOf(writeOutput(outputOf(99))), /99 of 100/],
    ['DECK_INVALID', false, { 'problem.json': '{}', '../x': 'evil' }, /"\.\.\/x" is not a file name/],
    ['SIMULATOR_UNSUPPORTED', true, { 'beam.dat': 'NSTAT 100' }, /simA, of which there is no executable/],
    ['DECK_UNAVAILABLE', true, {}, /no files/],
  ] as const)('says %s', async (reason, isRetryable, deck, message) => {
    await world.startRunner();
    const attempt = await world.submit(deck);
    const failure = await failureOf(attempt);
    expect(failure).toMatchObject({ reason, isRetryable, message: expect.stringMatching(message) });
    expect(failure.message).not.toContain(world.workDir);
    await waitFor(() => world.results.logs.get(attempt.order.attemptId)?.includes(reason));
    expect(world.results.outputs.size).toBe(0);
    await waitFor(async () => (await world.folders()).length === 0);
  });

  it.each([
    ['TIME_LIMIT_EXCEEDED', { taskTimeLimitMs: 300 }, deckOf(['ignoreSignals'], ['hang'])],
    ['MEMORY_LIMIT_EXCEEDED', { taskMemoryBytesMax: 2 ** 28 }, deckOf(['allocate', 2 ** 28], ['hang'])],
    ['OUTPUT_LIMIT_EXCEEDED', { taskOutputBytesMax: 2 ** 20 }, deckOf(['fill', 2 ** 20], ['hang'])],
  ] as const)('says %s, and is not tried again', async (reason, settings, deck) => {
    await world.startRunner(settings);
    const attempt = await world.submit(deck);
    expect(await failureOf(attempt)).toMatchObject({ reason, isRetryable: false });
  });

  it('says DECK_INVALID for a deck that cannot be divided', async () => {
    await world.startRunner({ simAExecutable: process.execPath, simAVersion: '1' });
    const failure = await failureOf(await world.submit({ 'beam.dat': 'without a number of histories' }));
    expect(failure).toMatchObject({ reason: 'DECK_INVALID', isRetryable: false });
    expect(failure.message).toContain('NSTAT');
  });

  it('says RUNNER_FAULT when its folder cannot be made', async () => {
    await world.startRunner();
    const attempt = await world.submit(deckOf(['exit', 0]), { attemptId: '../../escaped' as AttemptId });
    expect(await failureOf(attempt)).toMatchObject({ reason: 'RUNNER_FAULT', isRetryable: true });
    expect(await world.folders()).toEqual([]);
  });

  it('says OUTPUT_REFUSED when results does not take its output', async () => {
    world.results.refusesOutputs = true;
    await world.startRunner();
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    expect(await failureOf(attempt)).toMatchObject({
      reason: 'OUTPUT_REFUSED',
      isRetryable: false,
      message: expect.stringContaining('too large'),
    });
  });

  it('says OUTPUT_UNDELIVERED when results stays away too long', async () => {
    world.results.down.add('putTaskOutput');
    await world.startRunner({ deliveryTimeLimitMs: 1_000 });
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    expect(await failureOf(attempt)).toMatchObject({ reason: 'OUTPUT_UNDELIVERED', isRetryable: true });
  });
});

describe('an outage', () => {
  it('of results delays a task, and loses neither output nor log', async () => {
    for (const rpc of ['getInput', 'putTaskOutput', 'appendLog'] as const) world.results.down.add(rpc);
    await world.startRunner();
    const attempt = await world.submit(deckOf(['print', 'hello'], writeOutput(outputOf(100))));
    await waitFor(() => attempt.heartbeats.length >= 2);
    world.results.down.delete('getInput');
    await waitFor(() => attempt.heartbeats.length >= 5);
    expect(attempt.end).toBeUndefined();
    world.results.down.clear();
    expect((await world.endOf(attempt)).$case).toBe('completed');
    expect(world.results.logs.get(attempt.order.attemptId)).toContain('hello');
  });

  it('of jobs delays claim and end, and loses no task', async () => {
    world.jobs.down.add('claimTask').add('reportTaskEnd');
    await world.startRunner();
    const attempt = await world.submit(deckOf(writeOutput(outputOf(100))));
    expect(world.results.outputs.size).toBe(0);
    world.jobs.down.delete('claimTask');
    await waitFor(() => world.results.outputs.size === 1);
    world.jobs.down.clear();
    expect((await world.endOf(attempt)).$case).toBe('completed');
  });
});

describe('slots', () => {
  it('bound how many tasks run at once, and a message waits until one is free', async () => {
    await world.startRunner({ slots: 2 });
    const deck = deckOf(['print', 'ready'], ['hang']);
    const attempts: StandInAttempt[] = [];
    for (let task = 1; task <= 3; task += 1) attempts.push(await world.submit(deck, { taskId: task }));
    await waitFor(() => attempts.filter(({ heartbeats }) => heartbeats.length > 0).length === 2);
    expect(attempts.filter(({ claimedBy }) => claimedBy !== undefined)).toHaveLength(2);
    for (const attempt of attempts) if (attempt.claimedBy !== undefined) attempt.mustStop = true;
    await waitFor(() => attempts.every(({ claimedBy }) => claimedBy !== undefined));
    for (const attempt of attempts) attempt.mustStop = true;
    await waitFor(async () => (await world.folders()).length === 0);
  });

  it('take nothing that is not claimable, and the message is gone', async () => {
    const attempt = await world.submit(deckOf(['hang']));
    attempt.mustStop = true;
    const runner = await world.startRunner();
    await waitFor(async () => (await world.queue.depth(TASK_QUEUE)) === 0);
    await runner.stop();
    expect(await world.queue.depth(TASK_QUEUE)).toBe(0);
    expect(await world.folders()).toEqual([]);
    expect(attempt.heartbeats).toEqual([]);
  });

  it('take nothing while the disk is full', async () => {
    const runner = await world.startRunner({ workDirFreeBytesMin: Number.MAX_SAFE_INTEGER });
    const attempt = await world.submit(deckOf(['hang']));
    await expect(probe(runner.port)).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    await runner.stop();
    expect(await world.queue.depth(TASK_QUEUE)).toBe(1);
    attempt.mustStop = true;
    await world.startRunner();
    await waitFor(async () => (await world.queue.depth(TASK_QUEUE)) === 0);
  });

  it('bury a message that nobody can read', async () => {
    await world.startRunner();
    await world.queue.publish(TASK_QUEUE, { id: 'odd', body: Buffer.from([0xff, 0xff]), headers: {} });
    await waitFor(async () => (await world.queue.depth(`${TASK_QUEUE}.dead`)) === 1);
  });
});
