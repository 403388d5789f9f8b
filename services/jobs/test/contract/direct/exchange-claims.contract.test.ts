import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, openSuite, receiveTask, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const submit = (taskCount = 1, primaries = 1_000) =>
  as(alice, () => gateway.submitJob(submission({ taskCount, seed: 42n }, primaries)));

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ExchangeTasks, claims: OK', () => {
  it('gives the work order and sets task and job RUNNING', async () => {
    const { jobId } = await submit(3, 10);
    const orders = [];
    for (let i = 0; i < 3; i++) orders.push((await claimNextTask(suite.queue, runner)).order);
    const byTask = orders.toSorted((a, b) => a.taskId - b.taskId);
    expect(byTask.map(({ primaries }) => primaries)).toEqual([4n, 3n, 3n]);
    expect(byTask.map(({ firstHistory }) => firstHistory)).toEqual([0n, 4n, 7n]);
    for (const order of byTask) {
      expect(order).toMatchObject({
        jobId,
        attempt: 1,
        seed: 42n,
        simulator: jobs.Simulator.SIMULATOR_SIM_A,
        inputType: jobs.InputType.INPUT_TYPE_EDITOR,
        lease: { seconds: 15n, nanos: 0 },
        heartbeat: { seconds: 2n, nanos: 0 },
      });
    }
    const job = await findJob(gateway, alice, jobId);
    expect(job?.state).toBe(jobs.State.STATE_RUNNING);
    expect(job?.tasks.every(({ state }) => state === jobs.State.STATE_RUNNING)).toBe(true);
  });

  it('gives the same runner the same order again, and keeps the first start time', async () => {
    const { jobId } = await submit();
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    const startOf = async () => (await findJob(gateway, alice, jobId)).tasks[0]?.startTime;
    const startTime = await startOf();
    await runner.reportTask({ attemptId, simulatedPrimaries: 5n });
    expect(await runner.claimTask({ attemptId, runnerId: 'runner-1' })).toEqual(order);
    expect(await startOf()).toEqual(startTime);
  });

  it('takes the message out of the outbox', async () => {
    await submit();
    const { attemptId } = await claimNextTask(suite.queue, runner);
    expect(await suite.sql('SELECT 1 FROM outbox WHERE attempt_id = $1', [attemptId])).toEqual([]);
  });
});

describe('ExchangeTasks, claims: nothing', () => {
  const refused = (attemptId: string, runnerId = 'runner-2') =>
    expect(runner.claimTask({ attemptId, runnerId })).resolves.toBeUndefined();

  it('lets one of many runners have an attempt', async () => {
    await submit();
    const { delivery, task } = await receiveTask(suite.queue);
    await delivery.ack();
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) => runner.claimTask({ attemptId: task.attemptId, runnerId: `racer-${n}` })),
    );
    expect(claims.filter((order) => order !== undefined)).toHaveLength(1);
    await refused(task.attemptId);
  });

  it('refuses an attempt of a cancelled job', async () => {
    const { jobId } = await submit();
    const { delivery, task } = await receiveTask(suite.queue);
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    await refused(task.attemptId);
    await delivery.ack();
  });

  it('refuses an attempt that has ended, also to its own runner', async () => {
    await submit();
    const { attemptId, order } = await claimNextTask(suite.queue, runner);
    const value = { simulatedPrimaries: order.primaries };
    await runner.reportTaskEnd({ attemptId, outcome: { $case: 'completed', value } });
    await refused(attemptId, 'runner-1');
  });

  it('refuses an attempt that never was', () => refused('no-such-attempt'));
});

describe('ExchangeTasks, claims: INVALID_ARGUMENT and PERMISSION_DENIED', () => {
  it('needs the name of a runner', async () => {
    await expect(runner.claimTask({ attemptId: 'a', runnerId: '' })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'REQUEST_INVALID',
    });
  });
  it('is for runners', async () => {
    await expect(gateway.claimTask({ attemptId: 'a', runnerId: 'r' })).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
