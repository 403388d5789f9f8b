import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { findJob } from '../shown-job.js';
import {
  ANY_PLATFORM,
  as,
  completeNextTask,
  mergeNext,
  openSuite,
  type SubmissionChanges,
  type Suite,
  submission,
} from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let runner: ReturnType<Suite['client']>;
const alice = 1n;
const { STATE_COMPLETED, STATE_PENDING } = jobs.State;
const target: jobs.Target = { estimatorName: 'depth_dose', relativeError: 0.02, maxPrimaries: 100_000n };

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  [gateway, runner] = [suite.client('gateway'), suite.client('direct-runner')];
});
afterAll(() => suite.stop());

const submit = (overrides: Partial<jobs.Target> = {}, more: SubmissionChanges = {}) =>
  as(alice, () => gateway.submitJob(submission({ taskCount: 2, target: { ...target, ...overrides }, ...more })));
const jobOf = async (jobId: string) => {
  const job = await findJob(gateway, alice, jobId);
  if (job === undefined) throw new Error('no job');
  return job;
};
/** Runs the tasks that wait, and merges; the error of the merged results. */
async function round(relativeError: number | undefined, taskCount = 2) {
  const orders = [];
  for (let i = 0; i < taskCount; i++) orders.push((await completeNextTask(suite.queue, runner)).order);
  return { orders, merge: await mergeNext(suite, { relativeError }) };
}
const errors = ({ convergence }: jobs.Job) =>
  convergence?.points.map(({ primaries, relativeError }) => [primaries, relativeError]);

describe('a job with a target', () => {
  it('goes on in chunks until its results are as good, and says how near it is', async () => {
    const { jobId } = await submit();
    expect((await round(0.05)).merge.errorPages).toEqual({ estimatorName: 'depth_dose' });
    const first = await jobOf(jobId);
    expect(first).toMatchObject({ state: STATE_PENDING, taskCount: 4, simulatedPrimaries: 1_000n });
    expect(first.convergence).toMatchObject({ target, predictedPrimaries: 6_250n });
    expect(first.convergence?.isReached).toBeUndefined();
    const second = await round(0.0223);
    expect(new Set(second.orders.map(({ firstHistory }) => firstHistory))).toEqual(new Set([1_000n, 3_000n]));
    expect(second.merge).toMatchObject({ taskIds: [1, 2, 3, 4], mergeNumber: 2 });
    await round(0.0199);
    const ended = await jobOf(jobId);
    expect(ended).toMatchObject({ state: STATE_COMPLETED, taskCount: 6, convergence: { isReached: true } });
    expect(ended.convergence?.predictedPrimaries).toBeUndefined();
    expect(ended.extensions).toEqual({ submittedTaskCount: 2, extensions: [] });
    const used = ended.simulatedPrimaries;
    expect(errors(ended)).toEqual([
      [1_000n, 0.05],
      [5_000n, 0.0223],
      [used, 0.0199],
    ]);
    const told = await suite.sql<{ state: string; count: number }>(
      "SELECT state, json_array_length(convergence->'points') AS count FROM job_events WHERE job_id = $1 AND kind = 'job' ORDER BY id",
      [jobId],
    );
    expect(told.filter(({ state }) => state === 'PENDING' || state === 'COMPLETED').map(({ count }) => count)).toEqual([
      0, 1, 2, 3,
    ]);
  });

  it('is given no more at a time than its simulator counts in its tasks', async () => {
    const { jobId } = await submit();
    await suite.sql('UPDATE jobs SET task_primaries_max = 600 WHERE job_id = $1', [jobId]);
    await round(0.05);
    const { orders } = await round(0.0199);
    expect(orders.map(({ primaries }) => primaries)).toEqual([600n, 600n]);
    expect(await jobOf(jobId)).toMatchObject({ state: STATE_COMPLETED, simulatedPrimaries: 2_200n });
  });

  it('ends with the most primaries, also when nobody knows the error', async () => {
    const { jobId } = await submit({ maxPrimaries: 2_000n });
    for (let i = 0; i < 10; i++) await round(undefined);
    const ended = await jobOf(jobId);
    expect(ended).toMatchObject({
      state: STATE_COMPLETED,
      simulatedPrimaries: 2_000n,
      convergence: { isReached: false },
    });
  });

  it('ends when it is stopped, and when it was extended after its end', async () => {
    const { jobId } = await submit();
    await round(0.05);
    await as(alice, () => gateway.stopJob({ jobId, platform: ANY_PLATFORM }));
    await round(0.05, 0);
    expect(await jobOf(jobId)).toMatchObject({
      state: STATE_COMPLETED,
      isStopped: true,
      convergence: { isReached: false },
    });
    await as(alice, () =>
      gateway.extendJob({ jobId, platform: ANY_PLATFORM, primaries: 10n, taskCount: 1, idempotencyKey: '' }),
    );
    await round(0.019, 1);
    expect(await jobOf(jobId)).toMatchObject({
      state: STATE_COMPLETED,
      convergence: { isReached: true, points: { length: 3 } },
    });
  });
});

describe('SubmitJob INVALID_ARGUMENT', () => {
  it.each<[string, Partial<jobs.Target>, string]>([
    ['an estimator that the project does not have', { estimatorName: 'Nothing' }, '/target/estimator'],
    ['a page that it does not have', { pageNumber: 99 }, '/target/page'],
    ['an error that is none', { relativeError: 1 }, '/target/relative_error'],
    ['fewer primaries than ten for each task', { maxPrimaries: 19n }, '/target/max_primaries'],
  ])('names %s', async (_, overrides, field) => {
    await expect(submit(overrides)).rejects.toMatchObject({ reason: 'REQUEST_INVALID', fields: [{ field }] });
  });

  it('names a target where there can be none', async () => {
    const files = { inputType: jobs.InputType.INPUT_TYPE_FILES };
    await expect(submit({}, files)).rejects.toMatchObject({ fields: [{ field: '/target' }] });
  });
});
