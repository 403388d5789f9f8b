import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import {
  type BatchSuite,
  batchBody,
  batchEnded,
  batchReached,
  schedulerJobs,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { ended, exampleProject, flatten, results, submit } from '../fixtures/suite-fixture.js';

const SEED = '20261123';

let suite: BatchSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startBatchSuite();
  user = await suite.newSsoSession();
});
afterAll(() => suite?.stop());

const project = (primaries: number) => exampleProject('proton-150mev-water', primaries);
const extend = (jobId: string, primaries: number, ntasks: number, headers = {}) =>
  user.request('POST', '/jobs/batch/extend', { body: { job_id: jobId, primaries, ntasks }, headers });
/** The same with all primaries at once, on the direct platform. */
const atOnce = async (primaries: number) => {
  const jobId = await submit(user, { project: project(primaries), ntasks: 1, seed: SEED });
  await ended(user, jobId);
  return results(user, jobId);
};

describe('a job on a cluster', () => {
  it('that is extended, and once more, gives what it gives with all primaries at once, bit for bit', async () => {
    const { job_id: jobId } = await user.request('POST', '/jobs/batch', {
      body: batchBody({ project: project(3_000), ntasks: 2, seed: SEED, options: { time: '7' } }),
    });
    expect((await batchEnded(user, jobId)).job_state).toBe('COMPLETED');
    const headers = { 'Idempotency-Key': 'once' };
    const first = await extend(jobId, 4_000, 3, headers);
    expect(first).toMatchObject({ primaries: 7_000, ntasks: 5, job_state: 'PENDING' });
    expect(await extend(jobId, 4_000, 3, headers)).toEqual(first);
    expect(await batchEnded(user, jobId)).toMatchObject({ job_state: 'COMPLETED', simulated_primaries: 7_000 });
    expect(await extend(jobId, 4_000, 3, headers)).toEqual(first); // a repeat adds nothing, also after the end
    await extend(jobId, 1_000, 1);
    const status = await batchEnded(user, jobId);
    expect(status).toMatchObject({ job_state: 'COMPLETED', simulated_primaries: 8_000 });
    const requested = [1_500, 1_500, 1_334, 1_333, 1_333, 1_000];
    expect(status.job_tasks_status.map((task) => task.requested_primaries)).toEqual(requested);
    const [extended, whole] = [await results(user, jobId), await atOnce(8_000)];
    expect(extended).toMatchObject({ primaries: 8_000, partial: false, tasks_merged: 6 });
    expect(flatten(extended)).toEqual(flatten(whole));
    const { arrays, collects } = schedulerJobs(suite, jobId);
    expect([arrays.length, collects.length]).toEqual([3, 3]);
    const limits = suite.slurm('squeue', '-h', '-t', 'all', '-j', arrays.join(','), '-o', '%l');
    expect(limits).toMatch(/^(7:00\n)+$/);
  });

  it('with a target of 1.5 % goes on in further arrays until its error is at most that', async () => {
    const target = { estimator: 'depth_dose', page: 1, relative_error: 0.015, max_primaries: 1_000_000 };
    const body = { ...batchBody({ project: project(500), ntasks: 2, seed: SEED }), target };
    const { job_id: jobId } = await user.request('POST', '/jobs/batch', { body });
    const status = await batchEnded(user, jobId, 300_000);
    expect(status).toMatchObject({ job_state: 'COMPLETED', target_reached: true });
    const points = status.target?.convergence ?? [];
    expect(points.length).toBeGreaterThan(1);
    expect(points[0]).toMatchObject({ primaries: 500 });
    const error = points.at(-1)?.relative_error ?? 1;
    expect([error <= 0.015, error >= 0.01125]).toEqual([true, true]);
    const used = points.at(-1)?.primaries ?? 0;
    expect(status.simulated_primaries).toBe(used);
    expect(schedulerJobs(suite, jobId).arrays).toHaveLength(points.length);
    expect(flatten(await results(user, jobId))).toEqual(flatten(await atOnce(used)));
  }, 400_000);

  it('that is stopped keeps what its tasks have simulated, and can be extended', async () => {
    const jobId = await submitBatch(user, { project: project(200_000_000), ntasks: 6 });
    await batchReached(user, jobId, ({ job_tasks_status: tasks }) =>
      tasks.some((task) => task.simulated_primaries > 0),
    );
    const stopped = await user.request('POST', '/jobs/batch/stop', { query: { job_id: jobId } });
    expect(stopped).toMatchObject({ stopped: true });
    const status = await batchEnded(user, jobId);
    const done = status.job_tasks_status.filter((task) => task.task_state === 'COMPLETED');
    const primaries = done.reduce((sum, task) => sum + task.simulated_primaries, 0);
    expect(status).toMatchObject({ job_state: 'COMPLETED', stopped: true, simulated_primaries: primaries });
    expect(primaries).toBeLessThan(200_000_000);
    expect(await results(user, jobId)).toMatchObject({ primaries, partial: false, tasks_merged: done.length });
    const inQueue = () =>
      suite
        .slurm('squeue', '-h', '-r', '-o', '%j')
        .split('\n')
        .filter((name) => name.includes(jobId));
    await waitFor(() => inQueue().length === 0, { what: 'an empty queue' });

    await extend(jobId, 500, 1);
    const extended = await batchEnded(user, jobId, 150_000);
    expect(extended).toMatchObject({ job_state: 'COMPLETED', simulated_primaries: primaries + 500 });
  }, 300_000);

  it('that was given to another user is extended by his certificate, under his account and for his usage', async () => {
    const { name: heirLogin, home } = suite.cluster.facts.users.plain;
    const heir = await suite.newSsoSession(heirLogin);
    const operator = await suite.newOperator();
    const { job_id: jobId } = await user.request('POST', '/jobs/batch', {
      body: batchBody({ project: project(3_000), ntasks: 2, seed: SEED }),
    });
    await batchEnded(user, jobId);
    const before = schedulerJobs(suite, jobId).arrays;
    const whole = await atOnce(4_000);
    const idOf = async (search: string) => {
      const { users } = await operator.request('GET', '/admin/users', { query: { search } });
      return users[0]?.user_id ?? 0;
    };
    const [user_id, new_owner_id] = [await idOf(suite.login), await idOf(heirLogin)];
    const body = { user_id, new_owner_id, reason: 'has left' };
    await operator.request('POST', '/admin/users/delete', { body });
    const isGiven = async () => (await heir.send('GET', `/jobs/batch?job_id=${jobId}`)).status === 200;
    await waitFor(isGiven, { what: 'the job of the new owner', timeoutMs: 60_000 });
    expect((await user.send('GET', `/jobs/batch?job_id=${jobId}`)).status).toBe(401);
    const { processor_seconds: usedBefore } = await heir.request('GET', '/usage');

    const further = { job_id: jobId, primaries: 1_000, ntasks: 1 };
    await heir.request('POST', '/jobs/batch/extend', { body: further });
    expect(await batchEnded(heir, jobId)).toMatchObject({ job_state: 'COMPLETED', simulated_primaries: 4_000 });
    expect(flatten(await results(heir, jobId))).toEqual(flatten(whole));
    const [array = ''] = schedulerJobs(suite, jobId).arrays.filter((id) => !before.includes(id));
    const accountOf = (id: string) => suite.slurm('squeue', '-h', '-t', 'all', '-j', id, '-o', '%u').split('\n')[0];
    expect([accountOf(before[0] ?? ''), accountOf(array)]).toEqual([suite.login, heirLogin]);
    expect(existsSync(path.join(home, 'tally', jobId, 'job.json'))).toBe(true);
    expect((await heir.request('GET', '/usage')).processor_seconds).toBeGreaterThan(usedBefore);
  }, 300_000);
});
