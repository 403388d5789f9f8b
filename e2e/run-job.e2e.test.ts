import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  jobStatus,
  largestRelativeDifference,
  type Project,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;
const SEED = '20261121';

beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

async function run(ntasks: number, primaries: number, seed: string) {
  const jobId = await submit(user, { project: exampleProject('proton-150mev-water', primaries), ntasks, seed });
  const status = await ended(user, jobId);
  expect(status.job_state).toBe('COMPLETED');
  return { jobId, results: await results(user, jobId) };
}

describe('a job on the direct platform', () => {
  it('gives the same values for 1, 3 and 8 tasks with one seed, and others within the error bars with another', async () => {
    const [one, three, eight, other] = [
      await run(1, 8_000, SEED),
      await run(3, 8_000, SEED),
      await run(8, 8_000, SEED),
      await run(4, 8_000, '7'),
    ];
    const reference = flatten(one.results);
    expect(reference.values.some((value) => value > 0)).toBe(true);
    for (const same of [three, eight]) {
      expect(largestRelativeDifference(reference.values, flatten(same.results).values)).toBeLessThan(1e-9);
    }
    const independent = flatten(other.results);
    expect(largestRelativeDifference(reference.values, independent.values)).toBeGreaterThan(1e-6);
    const depth = (source: typeof one) => source.results.estimators[0]?.pages[0]?.data;
    const [a, b] = [depth(eight), depth(other)];
    let chiSquare = 0;
    let bins = 0;
    a?.values.forEach((value, i) => {
      const variance = (a.errors?.[i] ?? 0) ** 2 + (b?.errors?.[i] ?? 0) ** 2;
      if (variance === 0 || value < 0.05 * Math.max(...a.values)) return;
      chiSquare += (value - (b?.values[i] ?? 0)) ** 2 / variance;
      bins++;
    });
    expect(bins).toBeGreaterThan(100);
    expect(chiSquare / bins).toBeGreaterThan(0.8);
    expect(chiSquare / bins).toBeLessThan(1.25);
  }, 240_000);

  it('simulates 10 primaries when 4 tasks share 10', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 4 });
    const { job_state, job_tasks_status } = await ended(user, jobId);
    expect(job_state).toBe('COMPLETED');
    expect(job_tasks_status.map((task) => task.requested_primaries)).toEqual([3, 3, 2, 2]);
    expect(job_tasks_status.map((task) => task.simulated_primaries)).toEqual([3, 3, 2, 2]);
    expect((await results(user, jobId)).primaries).toBe(10);
  }, 60_000);

  it('keeps its inputs as submitted, its logs, its estimators and its place in the listing', async () => {
    const project = { ...exampleProject('proton-150mev-water', 50), keyOfALaterEditor: { kept: [1, 2.5, 'ü'] } };
    const jobId = await submit(user, { project, ntasks: 2 });
    await ended(user, jobId);
    const inputs = await user.call('GET', `/inputs?job_id=${jobId}`);
    expect(inputs).toMatchObject({ input_type: 'editor', input: project });
    const { logfiles } = await user.call<{ logfiles: Record<string, string> }>('GET', `/logfiles?job_id=${jobId}`);
    expect(Object.keys(logfiles).sort()).toEqual(['task_1', 'task_2']);
    expect(logfiles.task_1).toContain('reference');
    const { estimators } = await user.call<{ estimators: { name: string; pages: { dimensions: number[] }[] }[] }>(
      'GET',
      `/estimators?job_id=${jobId}`,
    );
    const full = await results(user, jobId);
    expect(estimators.map(({ name }) => name)).toEqual(full.estimators.map(({ name }) => name));
    expect(estimators[0]?.pages[0]?.dimensions).toEqual(
      full.estimators[0]?.pages[0]?.data.dimensions.map((axis) => axis.length),
    );
    const list = await user.call<{ simulations: { job_id: string; ntasks: number }[]; simulations_count: number }>(
      'GET',
      '/user/simulations?page_size=1',
    );
    expect(list.simulations).toMatchObject([{ job_id: jobId, ntasks: 2, job_state: 'COMPLETED', platform: 'direct' }]);
  }, 60_000);

  it('is refused before it exists when the engine cannot do what it asks, every item by name', async () => {
    const before = await user.call<{ simulations_count: number }>('GET', '/user/simulations');
    const project = exampleProject('proton-150mev-water', 10) as Project & {
      beam: { particle: object };
      scoringManager: { outputs: { quantities: { keyword: string; modifiers: object[] }[] }[] };
      materialManager: { materials: { icru: number }[] };
      zoneManager: { zones: { materialUuid: string }[] };
    };
    project.beam.particle = { id: 1, name: 'Neutron', a: 1, z: 0 };
    const [first, second] = project.scoringManager.outputs[0]?.quantities ?? [];
    if (first !== undefined) first.keyword = 'NEqvDose';
    if (second !== undefined) second.keyword = 'EqvDose';
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data: project };
    const answer = await user.send<{ code: string; errors: { field: string; message: string }[] }>(
      'POST',
      '/jobs/direct',
      {
        body,
      },
    );
    expect([answer.status, answer.body.code]).toEqual([400, 'PROJECT_UNSUPPORTED']);
    const named = answer.body.errors.map(({ field, message }) => `${field}: ${message}`).join('\n');
    expect(named).toMatch(/sim_data\/beam\/particle.*neutron/i);
    expect(named).toMatch(/outputs\/0\/quantities\/0.*NEqvDose/);
    expect(named).toMatch(/outputs\/0\/quantities\/1.*EqvDose/);
    const after = await user.call<{ simulations_count: number }>('GET', '/user/simulations');
    expect(after.simulations_count).toBe(before.simulations_count);
  }, 60_000);

  it('is nobody else’s business', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 1 });
    const stranger = await suite.newUser();
    for (const path of ['/jobs', '/jobs/direct', '/results', '/estimators', '/inputs', '/logfiles']) {
      expect((await stranger.send('GET', `${path}?job_id=${jobId}`)).status).toBe(403);
    }
    expect((await stranger.send('DELETE', `/jobs/direct?job_id=${jobId}`)).status).toBe(403);
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  }, 60_000);

  it('answers a terminal job with its state when it is cancelled', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 1 });
    await ended(user, jobId);
    expect(await user.call('DELETE', `/jobs/direct?job_id=${jobId}`)).toMatchObject({ job_state: 'COMPLETED' });
    expect((await jobStatus(user, jobId)).job_state).toBe('COMPLETED');
  }, 60_000);
});
