import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../../shown-job.js';
import { ANY_PLATFORM, as, claimNextTask, openSuite, receiveTask, type Suite, submission } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const runnerId = 'runner-1';
const { STATE_COMPLETED, STATE_RUNNING } = jobs.State;
const submit = (taskCount: number) => as(alice, () => gateway.submitJob(submission({ taskCount, seed: 42n }, 10)));
const tasksOf = async (jobId: string) => (await findJob(gateway, alice, jobId)).tasks ?? [];
const completed = (simulatedPrimaries: bigint) => ({ $case: 'completed' as const, value: { simulatedPrimaries } });
/** Takes messages off the queue. */
async function receiveAttempts(count: number): Promise<string[]> {
  const attempts = [];
  for (let i = 0; i < count; i++) {
    const { delivery, task } = await receiveTask(suite.queue);
    await delivery.ack();
    attempts.push(task.attemptId);
  }
  return attempts;
}

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  runner = suite.client('direct-runner');
});
afterAll(() => suite.stop());

describe('ExchangeTasks OK', () => {
  it('renews, ends and claims in one call, as the RPCs for one do', async () => {
    const { jobId } = await submit(4);
    const [running, ending] = [await claimNextTask(suite.queue, runner), await claimNextTask(suite.queue, runner)];
    const claims = await receiveAttempts(2);
    const answer = await runner.exchangeTasks({
      runnerId,
      executables: [],
      progress: [
        { attemptId: running.attemptId, simulatedPrimaries: 1n, estimatedTime: { seconds: 61n, nanos: 0 } },
        { attemptId: 'gone', simulatedPrimaries: 1n },
      ],
      ends: [
        { attemptId: ending.attemptId, outcome: completed(ending.order.primaries) },
        { attemptId: 'gone', outcome: { $case: 'released', value: {} } },
      ],
      claims: [...claims, 'gone'],
    });
    expect(answer).toMatchObject({ mustStop: [false, true], isApplied: [true, false] });
    expect(answer.jobs).toEqual([
      {
        jobId,
        simulator: jobs.Simulator.SIMULATOR_SIM_A,
        inputType: jobs.InputType.INPUT_TYPE_EDITOR,
        seed: 42n,
      },
    ]);
    const alone = await Promise.all(claims.map((attemptId) => runner.claimTask({ attemptId, runnerId })));
    const { lease, heartbeat } = answer;
    const orders = answer.claims.map(({ order }) => {
      if (order === undefined) return undefined;
      const { jobIndex, ...task } = order;
      return { ...task, ...answer.jobs[jobIndex], lease, heartbeat };
    });
    expect(orders).toEqual([...alone, undefined]);
    const tasks = await tasksOf(jobId);
    expect(tasks.find(({ taskId }) => taskId === running.order.taskId)).toMatchObject({
      state: STATE_RUNNING,
      simulatedPrimaries: 1n,
    });
    expect(tasks.map(({ state }) => state).filter((state) => state === STATE_COMPLETED)).toHaveLength(1);
  });

  it('takes the job on with its last ends, and claims for several jobs', async () => {
    const first = await submit(2);
    const second = await submit(1);
    const attempts = await receiveAttempts(3);
    const claimed = await runner.exchangeTasks({ runnerId, executables: [], progress: [], ends: [], claims: attempts });
    expect(claimed.jobs.map(({ jobId }) => jobId).toSorted()).toEqual([first.jobId, second.jobId].toSorted());
    const ends = claimed.claims.map(({ order }, i) => ({
      attemptId: attempts[i] ?? '',
      outcome: completed(order?.primaries ?? 0n),
    }));
    expect(
      (await runner.exchangeTasks({ runnerId, executables: [], progress: [], ends, claims: [] })).isApplied,
    ).toEqual([true, true, true]);
    for (const { jobId } of [first, second]) {
      const job = await findJob(gateway, alice, jobId);
      expect(job?.tasks.every(({ state }) => state === jobs.State.STATE_COMPLETED)).toBe(true);
    }
  });

  it('answers for a thousand messages of a cancelled job at once', async () => {
    const { jobId } = await submit(2);
    const [one = '', other = ''] = await receiveAttempts(2);
    await as(alice, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    const claims = Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? one : other));
    const { claims: outcomes } = await runner.exchangeTasks({
      runnerId,
      executables: [],
      progress: [],
      ends: [],
      claims,
    });
    expect(outcomes.every(({ order }) => order === undefined)).toBe(true);
    expect(outcomes).toHaveLength(1_000);
  });
});

describe('ExchangeTasks INVALID_ARGUMENT', () => {
  it.each([
    ['no runner id', { runnerId: '' }, '/runner_id'],
    ['an end without an outcome', { ends: [{ attemptId: 'a' }] }, '/outcome'],
    ['more than 1000 entries', { claims: Array.from({ length: 1_001 }, () => 'a') }, '/claims'],
  ])('refuses %s', async (_, change, field) => {
    const request = { runnerId, executables: [], progress: [], ends: [], claims: [], ...change };
    await expect(runner.exchangeTasks(request)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      fields: [expect.objectContaining({ field })],
    });
  });
});

describe('ExchangeTasks PERMISSION_DENIED', () => {
  it('is for runners', async () => {
    await expect(
      gateway.exchangeTasks({ runnerId, executables: [], progress: [], ends: [], claims: [] }),
    ).rejects.toMatchObject({
      reason: 'CALLER_NOT_ALLOWED',
    });
  });
});
