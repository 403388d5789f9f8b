import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpSession } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  jobStatus,
  largestRelativeDifference,
  type Project,
  reached,
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

/** Processor time of all processes that the runners of this suite have started and that have ended, seconds; undefined: without /proc. */
function runnerChildrenSeconds(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const isOurs = fields[1] === String(process.pid);
        return isOurs && /direct-runner/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ? [fields] : [];
      } catch {
        return []; // it has ended
      }
    });
  return stats.length === 0
    ? undefined
    : stats.reduce((sum, fields) => sum + (Number(fields[13]) + Number(fields[14])) / 100, 0);
}

async function run(ntasks: number, primaries: number, seed: string) {
  const jobId = await submit(user, { project: exampleProject('proton-150mev-water', primaries), ntasks, seed });
  const status = await ended(user, jobId);
  expect(status.job_state).toBe('COMPLETED');
  return { jobId, results: await results(user, jobId) };
}

describe('a job on the direct platform', () => {
  it('gives the same values and errors, bit for bit, for 1, 3 and 8 tasks with one seed, and others within the error bars with another', async () => {
    const [one, three, eight, other] = [
      await run(1, 8_000, SEED),
      await run(3, 8_000, SEED),
      await run(8, 8_000, SEED),
      await run(4, 8_000, '7'),
    ];
    const reference = flatten(one.results);
    expect(reference.values.some((value) => value > 0)).toBe(true);
    for (const same of [three, eight]) expect(flatten(same.results)).toEqual(reference);
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
  });

  it('is counted with the processor time that the kernel saw the simulators use, within 1 %', async () => {
    if (runnerChildrenSeconds() === undefined) return; // not Linux
    const [payer, before] = [await suite.newUser(), runnerChildrenSeconds() ?? 0];
    const ids = [];
    for (const ntasks of [1, 4]) {
      ids.push(await submit(payer, { project: exampleProject('proton-150mev-water', 30_000), ntasks }));
    }
    for (const jobId of ids) expect((await ended(payer, jobId)).job_state).toBe('COMPLETED');
    const seen = (runnerChildrenSeconds() ?? 0) - before;
    const { body } = await payer.send('GET', '/usage');
    const counted = Number(body.processor_seconds);
    expect(counted).toBeGreaterThan(1);
    const words = `${counted} s counted, ${seen} s seen by the kernel`;
    expect(Math.abs(counted - seen) < 0.01 * seen ? '' : words).toBe('');
    for (const jobId of ids) await payer.send('DELETE', `/user/simulations?job_id=${jobId}`);
    expect((await payer.send('GET', '/usage')).body.processor_seconds).toBe(counted);
  });

  it('that is stopped keeps what was simulated, with values and errors per those primaries', async () => {
    const project = exampleProject('proton-150mev-water', 200_000_000);
    const jobId = await submit(user, { project, ntasks: 3, seed: SEED });
    await reached(user, jobId, (status) => status.job_tasks_status.some((task) => task.simulated_primaries > 0));
    expect(await user.call('POST', `/jobs/direct/stop?job_id=${jobId}`)).toMatchObject({ stopped: true });
    const status = await ended(user, jobId);
    const done = status.job_tasks_status.filter((task) => task.task_state === 'COMPLETED');
    const primaries = done.reduce((sum, task) => sum + task.simulated_primaries, 0);
    expect(status).toMatchObject({ job_state: 'COMPLETED', stopped: true, simulated_primaries: primaries });
    const stopped = await results(user, jobId);
    expect(stopped).toMatchObject({ primaries, partial: false, stopped: true, tasks_merged: done.length });
    expect(stopped.warnings?.map(({ code }) => code)).toContain('JOB_STOPPED');
    const { simulations } = await user.call<{ simulations: object[] }>('GET', '/user/simulations?page_size=1');
    expect(simulations[0]).toMatchObject({ job_id: jobId, stopped: true, simulated_primaries: primaries });
    const dose = (source: typeof stopped) => Math.max(...(source.estimators[0]?.pages[0]?.data.values ?? []));
    const whole = await run(2, 8_000, '5');
    expect(Math.abs(dose(stopped) / dose(whole.results) - 1)).toBeLessThan(0.15); // the peak: per primary, not a part of it
  });

  it('that is extended, and once more, gives what it gives with all primaries at once, bit for bit', async () => {
    const { jobId } = await run(2, 3_000, SEED);
    for (const [primaries, total] of [
      [4_000, 7_000],
      [1_000, 8_000],
    ] as const) {
      const body = { job_id: jobId, primaries, ntasks: 3 };
      expect(await user.call('POST', '/jobs/direct/extend', body)).toMatchObject({ primaries: total });
      expect(await ended(user, jobId)).toMatchObject({ job_state: 'COMPLETED', simulated_primaries: total });
    }
    const [extended, whole] = [await results(user, jobId), (await run(1, 8_000, SEED)).results];
    expect(extended).toMatchObject({ primaries: 8_000, partial: false, tasks_merged: 8 });
    expect(flatten(extended)).toEqual(flatten(whole));
  });

  it('with a target of 2 % goes on until its error is at most that, and not much longer', async () => {
    const target = { estimator: 'depth_dose', page: 1, relative_error: 0.02, max_primaries: 1_000_000 };
    const project = exampleProject('proton-150mev-water', 1_000);
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 2, sim_data: project, seed: SEED, target };
    const { job_id: jobId } = await user.call<{ job_id: string }>('POST', '/jobs/direct', body);
    const status = await ended(user, jobId);
    const { convergence } = (status as unknown as { target: { convergence: { relative_error: number }[] } }).target;
    expect(status).toMatchObject({ job_state: 'COMPLETED', target_reached: true });
    const error = convergence.at(-1)?.relative_error ?? 1;
    expect([error <= 0.02, error >= 0.015]).toEqual([true, true]);
    const data = (await results(user, jobId)).estimators[0]?.pages[0]?.data;
    const most = Math.max(...(data?.values ?? []));
    const ratios = data?.values.flatMap((value, i) => (value > most / 2 ? (data.errors?.[i] ?? 1) / value : [])) ?? [];
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeCloseTo(error, 9);
  });

  it('simulates 10 primaries when 4 tasks share 10', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 4 });
    const { job_state, job_tasks_status } = await ended(user, jobId);
    expect(job_state).toBe('COMPLETED');
    expect(job_tasks_status.map((task) => task.requested_primaries)).toEqual([3, 3, 2, 2]);
    expect(job_tasks_status.map((task) => task.simulated_primaries)).toEqual([3, 3, 2, 2]);
    expect((await results(user, jobId)).primaries).toBe(10);
  });

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
  });

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
  });

  it('is nobody else’s business', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 1 });
    const stranger = await suite.newUser();
    for (const path of ['/jobs', '/jobs/direct', '/results', '/estimators', '/inputs', '/logfiles']) {
      expect((await stranger.send('GET', `${path}?job_id=${jobId}`)).status).toBe(403);
    }
    expect((await stranger.send('DELETE', `/jobs/direct?job_id=${jobId}`)).status).toBe(403);
    expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  });

  it('answers a terminal job with its state when it is cancelled', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 10), ntasks: 1 });
    await ended(user, jobId);
    expect(await user.call('DELETE', `/jobs/direct?job_id=${jobId}`)).toMatchObject({ job_state: 'COMPLETED' });
    expect((await jobStatus(user, jobId)).job_state).toBe('COMPLETED');
  });
});
