import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { waitFor } from '@tally/testkit';
import { listJobs } from '../shown-job.js';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const [alice, bob, carol, many] = [1n, 2n, 3n, 4n];
const { STATE_PENDING, STATE_COMPLETED, STATE_FAILED, STATE_CANCELED, STATE_UNSPECIFIED } = jobs.State;
const list = (userId: bigint, asked: Partial<jobs.ListJobsRequest> = {}) => listJobs(gateway, userId, asked);
const ids = ({ jobs: page }: jobs.JobPage) => page.map(({ jobId }) => jobId);

/** Jobs j1…jn, started a minute apart but for j2 and j3, in the given states; terminal ones ended in reversed order. */
async function seed(userId: bigint, states: readonly string[]): Promise<void> {
  for (const [index, state] of states.entries()) {
    const isOver = ['COMPLETED', 'FAILED', 'CANCELED'].includes(state);
    await suite.sql(
      `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count,
         primaries_max, start_time, end_time)
       VALUES ($1, $2, 'T', 'direct', 'editor', 'simA', $3, 1, 5, 50, timestamptz '2026-01-01 10:00' + $4 * interval '1 min',
         CASE WHEN $5 THEN timestamptz '2026-01-02 10:00' - $4 * interval '1 min' END)`,
      [`${userId}-j${index + 1}`, String(userId), state, index === 2 ? 1 : index, isOver],
    );
  }
}

beforeAll(async () => {
  suite = await openSuite();
  await suite.start({ cleanUpIntervalMs: 20 });
  gateway = suite.client('gateway');
  await seed(alice, ['COMPLETED', 'FAILED', 'RUNNING', 'COMPLETED', 'PENDING', 'CANCELED', 'COMPLETED']);
});
afterAll(() => suite.stop());

describe('ListJobs OK', () => {
  it('shows the newest first, ties by id, with everything a listing needs and no tasks', async () => {
    const page = await list(alice);
    expect(ids(page)).toEqual(['1-j7', '1-j6', '1-j5', '1-j4', '1-j3', '1-j2']);
    expect(page.jobCount).toBe(7n);
    expect(page.jobs[0]).toMatchObject({ title: 'T', taskCount: 5, state: STATE_COMPLETED });
    expect(ids(await list(alice, { pageIndex: 2 }))).toEqual(['1-j1']);
    expect(ids(await list(alice, { isAscending: true, pageSize: 3 }))).toEqual(['1-j1', '1-j2', '1-j3']);
  });

  it('orders by end, jobs without one last when descending and first when ascending', async () => {
    const order = jobs.JobOrder.JOB_ORDER_END_TIME;
    const descending = ids(await list(alice, { order, pageSize: 100 }));
    expect(descending).toEqual(['1-j1', '1-j2', '1-j4', '1-j6', '1-j7', '1-j5', '1-j3']);
    expect(ids(await list(alice, { order, pageSize: 100, isAscending: true }))).toEqual(descending.toReversed());
  });

  it('keeps only the wanted states and counts them', async () => {
    const page = await list(alice, { states: [STATE_COMPLETED, STATE_FAILED, STATE_FAILED], pageSize: 2 });
    expect(ids(page)).toEqual(['1-j7', '1-j4']);
    expect(page.jobCount).toBe(4n);
    expect(ids(await list(alice, { states: [STATE_COMPLETED, STATE_FAILED], pageSize: 2, pageIndex: 2 }))).toEqual([
      '1-j2',
      '1-j1',
    ]);
  });

  it('is empty beyond the end, with the right count', async () => {
    expect(await list(alice, { pageIndex: 3 })).toMatchObject({ jobs: [], jobCount: 7n });
    expect(await list(alice, { pageIndex: 2 ** 31 - 1, pageSize: 100 })).toMatchObject({ jobs: [], jobCount: 7n });
  });

  it("shows nothing of another user's", async () => {
    expect(await list(bob)).toMatchObject({ jobs: [], jobCount: 0n });
  });

  it('counts exactly while jobs come, change and go, and the ledger is folded meanwhile', async () => {
    const submitted = [];
    for (let i = 0; i < 40; i++) {
      submitted.push(await as(carol, () => gateway.submitJob(submission())));
    }
    const cancelled = submitted.slice(0, 30);
    for (const { jobId } of cancelled) {
      await as(carol, () => gateway.cancelJob({ jobId, platform: ANY_PLATFORM }));
    }
    for (const { jobId } of cancelled.slice(0, 10)) await as(carol, () => gateway.deleteJob({ jobId }));
    await waitFor(async () => (await suite.sql(`SELECT 1 FROM job_counts WHERE owner_id = 3`)).length <= 32, {
      what: 'the ledger to be folded',
    });
    expect((await list(carol)).jobCount).toBe(30n);
    expect((await list(carol, { states: [STATE_CANCELED] })).jobCount).toBe(20n);
    expect((await list(carol, { states: [STATE_PENDING] })).jobCount).toBe(10n);
  });

  it('costs a user with 100 000 jobs at most three times what it costs one with 10', async () => {
    await suite.sql(
      `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count,
         primaries_max, start_time, end_time)
       SELECT 'many-' || n, $1, 'T', 'direct', 'editor', 'simA', (ARRAY['COMPLETED', 'FAILED', 'CANCELED'])[1 + n % 3], 1, 1, 10,
         timestamptz '2026-01-01' + n * interval '1 s', timestamptz '2026-01-01' + n * interval '2 s'
       FROM generate_series(1, 100000) n`,
      [String(many)],
    );
    await suite.sql('ANALYZE jobs');
    await waitFor(async () => (await suite.sql('SELECT 1 FROM job_counts WHERE owner_id = 4')).length <= 48, {
      what: 'the ledger to be folded',
    });
    const order = jobs.JobOrder.JOB_ORDER_END_TIME;
    expect(await list(many, { order })).toMatchObject({
      jobCount: 100_000n,
      jobs: [{ jobId: 'many-100000' }, {}, {}, {}, {}, {}],
    });
    const lastPage = Math.ceil(100_000 / 6);
    expect(ids(await list(many, { order, pageIndex: lastPage }))).toEqual(['many-4', 'many-3', 'many-2', 'many-1']);
    // the least of many, by turns: what a request costs when nothing else on the machine delays it
    const pages = [
      [alice, 1],
      [many, 1],
      [many, lastPage],
    ] as const;
    const leastMs = pages.map(() => Number.POSITIVE_INFINITY);
    for (let i = 0; i < 40; i++) {
      for (const [at, [userId, pageIndex]] of pages.entries()) {
        const startedAt = performance.now();
        await list(userId, { order, pageIndex });
        leastMs[at] = Math.min(leastMs[at] ?? 0, performance.now() - startedAt);
      }
    }
    const [few = 0, first, last] = leastMs;
    expect(first).toBeLessThan(3 * few + 2);
    expect(last).toBeLessThan(3 * few + 2);
  });
});

describe('ListJobs INVALID_ARGUMENT', () => {
  it.each([
    [{ pageSize: 0 }, '/page_size'],
    [{ pageSize: 101 }, '/page_size'],
    [{ pageIndex: 0 }, '/page_idx'],
    [{ states: [STATE_UNSPECIFIED] }, '/job_state'],
  ])('refuses %j', async (overrides, field) => {
    await expect(list(alice, overrides)).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'REQUEST_INVALID',
      fields: [{ field }],
    });
  });
});
