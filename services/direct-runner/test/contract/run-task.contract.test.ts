import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { TASK_QUEUE } from '@tally/contracts';
import { encodeMoments } from '@tally/merge';
import { createGrpcClient, createLogger } from '@tally/service-kit';
import { waitFor } from '@tally/testkit';
import type { AttemptId, JobId } from '../../src/domain/task.js';
import { simulatorsSettings } from '../../src/simulator-settings.js';
import { deckOf, outputOf, WARNINGS, writeOutput } from '../attempt.js';
import { useTestEnvironment } from '../stand-in/environment.js';
import type { StandInAttempt } from '../stand-in/jobs.js';

const environment = useTestEnvironment();
const awaitFailure = async (...[attempt, timeoutMs]: Parameters<typeof environment.endOf>) => {
  const end = await environment.endOf(attempt, timeoutMs);
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

/** What a simulator has written; undefined: nothing yet, though the file may be there. */
const written = async (file: string) => (await readFile(file, 'utf8')) || undefined;

describe('a task that goes well', () => {
  it('has its output stored bit for bit, and is then reported as completed', async () => {
    await environment.startRunner();
    const output = outputOf(100);
    const attempt = await environment.submit(deckOf(writeOutput(output)));
    expect(await environment.endOf(attempt)).toEqual({ $case: 'completed', value: { simulatedPrimaries: 100n } });
    const stored = environment.results.outputs.get(`${attempt.order.jobId}/1`);
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
    expect(environment.results.logs.get(attempt.order.attemptId)).toContain(
      'warning: AXIS_UNNAMED: an axis has no name\n',
    );
    expect(stored?.pages).toHaveLength(1);
    const [page] = output.pages;
    expect(stored?.pages[0]?.bytes).toEqual(Buffer.from(encodeMoments('linear', 3, page?.moments ?? [])));
    expect(stored?.pages[0]?.header).toMatchObject({
      estimatorIndex: 0,
      estimatorName: 'depth',
      pageNumber: 1,
      scale: 2,
    });
    await waitFor(async () => (await environment.folders()).length === 0);
    expect(await environment.queue.depth(TASK_QUEUE)).toBe(0);
  });

  it('tells its log which engine, histories and seed it has, while it still runs', async () => {
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(['print', 'working'], ['hang']), {
      firstHistory: 300,
      seed: '18446744073709551615',
    });
    const log = await waitFor(() => {
      const text = environment.results.logs.get(attempt.order.attemptId);
      return text?.includes('working') && text;
    });
    expect(log).toMatch(/^engine: reference \S+ \(asked for: simA\)\n/);
    expect(log).toContain('primaries: 100, first history: 300, seed: 18446744073709551615\n');
    attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('reports progress and the remaining time with its heartbeats', async () => {
    await environment.startRunner();
    const steps = deckOf(
      ['wait', 100],
      ['print', 'progress 25 100'],
      ['print', 'progress 25/100'],
      ['waitFor', 'go'],
      writeOutput(outputOf(100)),
    );
    const attempt = await environment.submit(steps);
    const beat = await waitFor(() => attempt.heartbeats.find(({ simulatedPrimaries }) => simulatedPrimaries === 25));
    expect(beat.hasEstimate).toBe(true);
    attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('gets its own histories and seed in its deck', async () => {
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(['hang']), {
      primaries: 7,
      firstHistory: 40,
      seed: '9007199254740993',
    });
    const file = environment.taskFile(attempt, 'task.json');
    const task = await waitFor(() => written(file));
    expect(JSON.parse(task)).toEqual({ primaries: 7, firstHistory: 40, seed: '9007199254740993' });
    attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('shows no secret of the runner to the simulator', async () => {
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(['tell'], ['hang']));
    const told = await waitFor(() => written(environment.taskFile(attempt, 'told.json')));
    expect(told).not.toContain('test-caller-token');
    expect(told).not.toContain(environment.queueUrl);
    expect(told).toContain('TALLY_ATTEMPT_ID');
    attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
  });
});

describe('a task of a traced request', () => {
  it('continues it: in the environment of the simulator, in calls of other services and in log lines', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    await environment.startRunner({}, createLogger({ service: 'direct-runner', level: 'debug', write }));
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const origin = { 'x-request-id': 'r-42', traceparent };
    const attempt = await environment.submit(
      deckOf(['tell'], ['waitFor', 'go'], writeOutput(outputOf(100))),
      {},
      origin,
    );
    const told = await waitFor(() => written(environment.taskFile(attempt, 'told.json')));
    expect((JSON.parse(told) as object[])[0]).toMatchObject({ TRACEPARENT: traceparent });
    await writeFile(environment.taskFile(attempt, 'go'), '');
    await environment.endOf(attempt);
    const { jobId, taskId } = attempt.order;
    const about = { request_id: 'r-42', trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', job_id: jobId, task_id: taskId };
    await waitFor(() => lines.some(({ msg }) => msg === 'task ended'));
    const own = lines.filter((line) => line.attempt_id === attempt.order.attemptId);
    expect(own.length).toBeGreaterThan(1);
    for (const line of own) expect(line).toMatchObject(about);
  });
});

describe('a task that fails', () => {
  it.each([
    ['SIMULATOR_FAILED', true, deckOf(['printError', 'no such isotope'], ['exit', 3]), /exit code 3.*no such isotope/],
    ['SIMULATOR_CRASHED', true, deckOf(['crash', 'SIGSEGV']), /signal SIGSEGV/],
    ['OUTPUT_MISSING', true, deckOf(['exit', 0]), /no output/],
    ['OUTPUT_UNREADABLE', true, deckOf(['output', 'bm90IGFuIG91dHB1dA==']), /not a task output/],
    ['OUTPUT_INCOMPLETE', false, deckOf(writeOutput(outputOf(99))), /99 instead of 100/],
    ['DECK_INVALID', false, { 'problem.json': '{}', '../x': 'evil' }, /"\.\.\/x" is not a file name/],
    ['SIMULATOR_UNSUPPORTED', true, { 'beam.dat': 'NSTAT 100' }, /simA, of which there is no executable/],
    ['DECK_UNAVAILABLE', true, {}, /no files/],
  ] as const)('says %s', async (reason, isRetryable, deck, message) => {
    await environment.startRunner();
    const attempt = await environment.submit(deck);
    const failure = await awaitFailure(attempt);
    expect(failure).toMatchObject({ reason, isRetryable, message: expect.stringMatching(message) });
    expect(failure.message).not.toContain(environment.workDir);
    await waitFor(() => environment.results.logs.get(attempt.order.attemptId)?.includes(reason));
    expect(environment.results.outputs.size).toBe(0);
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it.each([
    ['FILES_UNCONFINED', false],
    ['OUTPUT_MISSING', true],
  ] as const)(
    "says %s where nothing confines it, and users' files are allowed: %s",
    async (expected, allowUnconfinedFiles) => {
      const simulators = simulatorsSettings.parse({ simB: { executable: '/bin/true' } });
      await environment.startRunner({ simulators, confinement: 'none', allowUnconfinedFiles });
      const attempt = await environment.submit({ 'a.inp': 'START 100.\n' }, { inputType: 'files' });
      expect(await awaitFailure(attempt)).toMatchObject({ reason: expected });
    },
  );

  it.each([
    ['TIME_LIMIT_EXCEEDED', { taskTimeLimitMs: 300 }, deckOf(['ignoreSignals'], ['hang'])],
    ['MEMORY_LIMIT_EXCEEDED', { taskMemoryBytesMax: 2 ** 28 }, deckOf(['allocate', 2 ** 28], ['hang'])],
    ['PROCESS_LIMIT_EXCEEDED', { taskProcessesMax: 2 }, deckOf(['fork', 'child'], ['fork', 'stray'], ['hang'])],
    ['OUTPUT_LIMIT_EXCEEDED', { taskOutputBytesMax: 2 ** 20 }, deckOf(['fill', 2 ** 20], ['hang'])],
  ] as const)('says %s, and is not tried again', async (reason, settings, deck) => {
    await environment.startRunner(settings);
    const attempt = await environment.submit(deck);
    expect(await awaitFailure(attempt)).toMatchObject({ reason, isRetryable: false });
  });

  it('says DECK_INVALID for a deck that cannot be divided', async () => {
    await environment.startRunner({
      simulators: simulatorsSettings.parse({ simA: { executable: process.execPath, version: '1' } }),
    });
    const failure = await awaitFailure(await environment.submit({ 'beam.dat': 'without a number of histories' }));
    expect(failure).toMatchObject({ reason: 'DECK_INVALID', isRetryable: false });
    expect(failure.message).toContain('NSTAT');
  });

  it('says TASK_STALLED when the simulator tells no progress for too long, and may be tried again', async () => {
    await environment.startRunner({ taskStallLimitMs: 1_000 });
    const startedAt = performance.now();
    const deck = deckOf(['print', 'progress 1 100'], ['wait', 700], ['print', 'progress 2 100'], ['hang']);
    expect(await awaitFailure(await environment.submit(deck))).toMatchObject({
      reason: 'TASK_STALLED',
      message: expect.stringContaining('no progress'),
      isRetryable: true,
    });
    expect(performance.now() - startedAt).toBeGreaterThan(1_700); // the second line began the time anew
  });

  it('says RUNNER_FAULT when its folder cannot be made', async () => {
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(['exit', 0]), { attemptId: '../../escaped' as AttemptId });
    expect(await awaitFailure(attempt)).toMatchObject({ reason: 'RUNNER_FAULT', isRetryable: true });
    expect(await environment.folders()).toEqual([]);
  });

  it('says OUTPUT_REFUSED when results does not take its output', async () => {
    environment.results.refusesOutputs = true;
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    expect(await awaitFailure(attempt)).toMatchObject({
      reason: 'OUTPUT_REFUSED',
      isRetryable: false,
      message: expect.stringContaining('too large'),
    });
  });

  it('says OUTPUT_UNDELIVERED when results stays away too long', async () => {
    environment.results.down.add('putTaskOutput');
    await environment.startRunner({ deliveryTimeLimitMs: 1_000 });
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    expect(await awaitFailure(attempt)).toMatchObject({ reason: 'OUTPUT_UNDELIVERED', isRetryable: true });
  });
});

describe('an outage', () => {
  it('of results delays a task, and loses neither output nor log', async () => {
    for (const rpc of ['getInput', 'putTaskOutput', 'appendLogs'] as const) environment.results.down.add(rpc);
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(['print', 'hello'], writeOutput(outputOf(100))));
    await waitFor(() => attempt.heartbeats.length >= 2);
    environment.results.down.delete('getInput');
    await waitFor(() => attempt.heartbeats.length >= 5);
    expect(attempt.end).toBeUndefined();
    environment.results.down.clear();
    expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.logs.get(attempt.order.attemptId)).toContain('hello');
  });

  it('of jobs delays claim and end, and loses no task', async () => {
    environment.jobs.down.add('claim').add('end');
    await environment.startRunner();
    const attempt = await environment.submit(deckOf(writeOutput(outputOf(100))));
    expect(environment.results.outputs.size).toBe(0);
    environment.jobs.down.delete('claim');
    await waitFor(() => environment.results.outputs.size === 1);
    environment.jobs.down.clear();
    expect((await environment.endOf(attempt)).$case).toBe('completed');
  });
});

describe('the deck of a job', () => {
  it('is fetched once for all of its tasks', async () => {
    await environment.startRunner({ slots: 2 });
    const deck = deckOf(writeOutput(outputOf(100)));
    const attempts: StandInAttempt[] = [];
    for (let taskId = 1; taskId <= 5; taskId += 1) attempts.push(await environment.submit(deck, { taskId }));
    for (const attempt of attempts) expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.deckCount).toBe(1);
  });
});

describe('slots', () => {
  it('are free when the simulator has ended: what it gave is delivered meanwhile', async () => {
    environment.results.down.add('putTaskOutput');
    await environment.startRunner({ slots: 1, deliveriesMax: 3 });
    const deck = deckOf(writeOutput(outputOf(100)));
    const attempts: StandInAttempt[] = [];
    for (let taskId = 1; taskId <= 4; taskId += 1) attempts.push(await environment.submit(deck, { taskId }));
    await waitFor(() => attempts[2]?.claimedBy !== undefined);
    // three wait for results, and no more: the disk would fill
    await waitFor(async () => (await environment.folders()).length === 3);
    await waitFor(() => attempts.slice(0, 3).every(({ heartbeats }) => heartbeats.length > 2));
    expect(attempts[3]?.claimedBy).toBeUndefined();
    environment.results.down.clear();
    for (const attempt of attempts) expect((await environment.endOf(attempt)).$case).toBe('completed');
    expect(environment.results.outputs.size).toBe(4);
  });

  it('bound how many tasks run at once, and a message waits until one is free', async () => {
    await environment.startRunner({ slots: 2 });
    const deck = deckOf(['print', 'ready'], ['hang']);
    const attempts: StandInAttempt[] = [];
    for (let task = 1; task <= 3; task += 1) attempts.push(await environment.submit(deck, { taskId: task }));
    await waitFor(() => attempts.filter(({ heartbeats }) => heartbeats.length > 0).length === 2);
    expect(attempts.filter(({ claimedBy }) => claimedBy !== undefined)).toHaveLength(2);
    for (const attempt of attempts) if (attempt.claimedBy !== undefined) attempt.mustStop = true;
    await waitFor(() => attempts.every(({ claimedBy }) => claimedBy !== undefined));
    for (const attempt of attempts) attempt.mustStop = true;
    await waitFor(async () => (await environment.folders()).length === 0);
  });

  it('take nothing that is not claimable, and the message is gone', async () => {
    const attempt = await environment.submit(deckOf(['hang']));
    attempt.mustStop = true;
    const runner = await environment.startRunner();
    await waitFor(async () => (await environment.queue.depth(TASK_QUEUE)) === 0);
    await runner.stop();
    expect(await environment.queue.depth(TASK_QUEUE)).toBe(0);
    expect(await environment.folders()).toEqual([]);
    expect(attempt.heartbeats).toEqual([]);
  });

  it('take nothing while the disk is full', async () => {
    const runner = await environment.startRunner({ workDirFreeBytesMin: Number.MAX_SAFE_INTEGER });
    const attempt = await environment.submit(deckOf(['hang']));
    await expect(probe(runner.port)).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    await runner.stop();
    expect(await environment.queue.depth(TASK_QUEUE)).toBe(1);
    attempt.mustStop = true;
    await environment.startRunner();
    await waitFor(async () => (await environment.queue.depth(TASK_QUEUE)) === 0);
  });

  it.each([
    ['as many as it is told', 2],
    ['twice as many as slots', undefined],
  ])('claim short tasks ahead, %s, and hand back what then waits behind a long one', async (_, prefetchMax) => {
    await environment.startRunner({ slots: 1, prefetchMax, prefetchHoldMsMax: 60_000 });
    const submitShort = (taskId: number) => environment.submit(deckOf(writeOutput(outputOf(100))), { taskId });
    expect((await environment.endOf(await submitShort(1))).$case).toBe('completed');
    const long = await environment.submit(deckOf(['hang']), { jobId: 'another' as JobId });
    await waitFor(() => long.claimedBy !== undefined);
    expect(await environment.endOf(await submitShort(2))).toEqual({ $case: 'released', value: {} });
    const later = await submitShort(3);
    await waitFor(() => long.heartbeats.length > 1);
    expect(later.claimedBy).toBeUndefined();
    long.mustStop = true;
    expect((await environment.endOf(later)).$case).toBe('completed');
  });

  it('put a message that nobody can read into the dead-letter queue', async () => {
    await environment.startRunner();
    await environment.queue.publish(TASK_QUEUE, { id: 'odd', body: Buffer.from([0xff, 0xff]), headers: {} });
    await waitFor(async () => (await environment.queue.depth(`${TASK_QUEUE}.dead`)) === 1);
  });
});
