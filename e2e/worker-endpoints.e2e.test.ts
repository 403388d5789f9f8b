import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HttpSession, waitFor, workspaceRoot } from '@tally/testkit';
import {
  exampleProject,
  jobStatus,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

const MASTER = 'master of the update keys of this test file';
let suite: TestSuite;
let user: HttpSession;
/** Has no session: workers show their key. */
let worker: HttpSession;
beforeAll(async () => {
  suite = await startTestSuite({
    runners: 0,
    env: { jobs: { JOBS_UPDATE_KEY_MASTER: MASTER, JOBS_LOG_LEVEL: 'debug' } },
  });
  user = await suite.newUser();
  worker = new HttpSession(suite.gatewayUrl);
});
afterAll(() => suite?.stop());

/** As a deployment derives it, written down a second time. */
const keyOf = (jobId: string) => createHmac('sha256', MASTER).update(`update_key:${jobId}`).digest('hex');
const newJob = (ntasks: number) => submit(user, { project: exampleProject('proton-150mev-water', 1_000), ntasks });

function workerOf(jobId: string, reference: string | number = jobId) {
  const who = { simulation_id: reference, update_key: keyOf(jobId) };
  const post = async (target: string, body: object) => {
    const { status, body: answer } = await worker.send('POST', target, { body });
    expect({ target, status, answer }).toMatchObject({ status: 202 });
    return answer as { applied: boolean; cancel?: boolean };
  };
  return {
    job: (update: object) => post('/jobs', { sim_id: reference, update_key: who.update_key, ...update }),
    task: (task_id: number, update_dict: object) => post('/tasks', { ...who, task_id, update_dict }),
    logs: (logfiles: object, offsets = {}) => post('/logfiles', { ...who, logfiles, offsets }),
    results: (body: object) => post('/results', { ...who, ...body }),
  };
}

const page = (values: (number | null)[], errors?: number[]) => ({
  page_number: 1,
  name: 'Dose',
  data: { values, errors, dimensions: [[0.5, 1.5, 2.5]], unit: 'MeV/g' },
});

/**
 * Sends final results as the field's own sender does, by a real Python: its json writes NaN. Undefined: there is no Python
 * here, and services/gateway/test/contract/workers.contract.test.ts sends the same bytes.
 */
function sendByPython(simulation_id: string | number, jobId: string, primaries?: number) {
  const order = { url: suite.gatewayUrl, simulation_id, update_key: keyOf(jobId), primaries };
  const script = path.join(workspaceRoot(), 'e2e/fixtures/field-sender.py');
  const { error, stdout, stderr } = spawnSync('python3', [script], { input: JSON.stringify(order), encoding: 'utf8' });
  if (error !== undefined) return undefined;
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as { status: number; body: { applied?: boolean } };
}
const PYTHON = spawnSync('python3', ['--version']).error === undefined;
const itWithPython = PYTHON ? it : it.skip;
const applied = (isApplied: boolean) => ({ status: 202, body: { applied: isApplied } });

describe("the field's own sender", () => {
  const submitted = async (ntasks: number) => {
    const body = {
      sim_type: 'simA',
      input_type: 'editor',
      ntasks,
      sim_data: exampleProject('proton-150mev-water', 1_000),
    };
    const { job_id: jobId, simulation_id: number = 0 } = await user.request('POST', '/jobs/direct', { body });
    expect(await jobStatus(user, jobId)).toMatchObject({ simulation_id: number });
    return { jobId, number, api: workerOf(jobId, number) };
  };

  itWithPython('delivers after its log watcher has wrongly called tasks FAILED, and the job is COMPLETED', async () => {
    const { jobId, number, api } = await submitted(3);
    await api.task(1, { task_state: 'RUNNING' });
    for (const task of [1, 2]) expect(await api.task(task, { task_state: 'FAILED' })).toMatchObject({ applied: true });
    await api.task(3, { task_state: 'COMPLETED' });
    const waiting = await jobStatus(user, jobId);
    expect(waiting.job_state).toBe('MERGING_QUEUED');
    expect(waiting.waiting_reason).toContain('2 of 3 tasks were called FAILED without a reason');
    await api.job({ job_state: 'MERGING_RUNNING' });

    expect(sendByPython(number, jobId)).toMatchObject(applied(true));
    const status = await jobStatus(user, jobId);
    expect(status.job_state).toBe('COMPLETED');
    expect(status).not.toHaveProperty('failure');
    expect(status.job_tasks_status.map(({ task_state }) => task_state)).toEqual(['FAILED', 'FAILED', 'COMPLETED']);
    expect(status.job_tasks_status[0]?.failure).toMatch(/its worker said so/);

    const shown = await results(user, jobId);
    expect(shown).toMatchObject({ primaries: 1_000, tasks_merged: 3, partial: false });
    const data = { values: [0.25, 0, 0, 0], errors: [null, null, null, null], dimensions: [[0.5, 1.5, 2.5, 3.5]] };
    const unit = 'MeV/g';
    expect(shown.estimators).toMatchObject([
      {
        name: 'z_profile',
        pages: [
          {
            page_number: 0,
            name: 'Dose',
            data: { ...data, unit, axes: [{ name: 'Position (Z)', unit: 'cm' }] },
            non_finite_count: 3,
            metadata: { page_number: '0', detector_type: 'Dose', diff_axis1: 'None' },
          },
          { page_number: 1, name: 'Energy', data: { values: [1.5], dimensions: [], unit: 'MeV' } },
        ],
      },
    ]);
    const { estimators } = await user.request('GET', '/estimators', { query: { job_id: jobId } });
    expect(estimators[0]?.pages).toEqual([
      { page_number: 0, name: 'Dose', dimensions: [4], non_finite_count: 3 },
      { page_number: 1, name: 'Energy', dimensions: [] },
    ]);
    const one = await user.request('GET', '/results', { query: { job_id: jobId, page_number: 0 } });
    expect(one.estimators[0]?.pages.map(({ name }) => name)).toEqual(['Dose']);
    expect(sendByPython(number, jobId)).toMatchObject(applied(true));
  });

  itWithPython('delivers for the tasks that did not fail: the results are partial, and counted as such', async () => {
    const { jobId, api } = await submitted(2);
    await api.task(1, { task_state: 'FAILED', failure: 'exit code 3' });
    await api.task(2, { task_state: 'COMPLETED' });
    expect(sendByPython(jobId, jobId)).toMatchObject(applied(true));
    const failure = '1 of 2 tasks failed; task 1: exit code 3';
    expect(await jobStatus(user, jobId)).toMatchObject({ job_state: 'FAILED', failure });
    expect(await results(user, jobId)).toMatchObject({ primaries: 500, tasks_merged: 1, partial: true });
  });

  itWithPython('that comes too late hears so, and the log of the job says what was dropped', async () => {
    const { jobId, api } = await submitted(1);
    await api.task(1, { task_state: 'FAILED', failure: 'exit code 3' });
    for (let i = 0; i < 2; i++) expect(sendByPython(jobId, jobId)).toMatchObject(applied(false));
    const late = { task_id: 1, primaries: 5, estimators: [{ name: 'Dose', pages: [page([1, 2, 3])] }] };
    expect(await api.results(late)).toMatchObject({ applied: false });
    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(logfiles.submission?.split('\n')).toEqual([
      expect.stringMatching(/Z too late and dropped: final results, \d+ bytes, 2 pages, 5 values: z_profile \(4, 1\)$/),
      expect.stringMatching(/Z too late and dropped: the output of task 1, \d+ bytes, 1 page, 3 values: Dose \(3\)$/),
      '',
    ]);
    expect((await user.send('GET', `/results?job_id=${jobId}`)).status).toBe(404);
  });

  it('cuts pages off their axes: bins that none accounts for are numbered, with tasks, in results and in files', async () => {
    const jobId = await newJob(1);
    const api = workerOf(jobId);
    const axis = { values: [0.5, 1.5], name: 'Position (Z)', unit: 'cm' };
    const values = [1, 2, 3, 4, 5, 6];
    const estimators = [{ name: 'map', pages: [{ data: { values, name: 'Dose', unit: 'MeV/g' }, axis_dim1: axis }] }];
    const axes = [
      { name: 'Position (Z)', unit: 'cm' },
      { name: 'bin', unit: '' },
    ];
    const data = { values, dimensions: [axis.values, [1, 2, 3]], axes };
    await api.task(1, { task_state: 'RUNNING' });
    await api.results({ task_id: 1, primaries: 1_000, estimators });
    expect((await results(user, jobId)).estimators[0]?.pages[0]).toMatchObject({ data });
    await api.results({ estimators });
    const shown = await results(user, jobId);
    expect([shown.partial, shown.estimators[0]?.pages[0]]).toMatchObject([false, { data }]);
    const plane = await user.request('GET', '/results', { query: { job_id: jobId, axis: '1', index: '1' } });
    expect(plane.estimators[0]?.pages[0]?.data.values).toEqual([3, 4]);
    const file = await fetch(`${suite.gatewayUrl}/results?job_id=${jobId}&format=csv`, {
      headers: { cookie: user.cookieHeader },
    });
    expect((await file.text()).trim().split('\n').at(-1)).toMatch(/^1\.5,3,6/);
  });
});

describe('a job that external workers run over HTTP alone', () => {
  it('goes from PENDING through every state to COMPLETED, and shows what they delivered', async () => {
    const jobId = await newJob(2);
    const api = workerOf(jobId);
    expect((await jobStatus(user, jobId)).job_state).toBe('PENDING');
    expect(
      await api.task(1, { task_state: 'RUNNING', start_time: '2026-01-02 03:04:05.678901', celery_id: 'a' }),
    ).toEqual({
      message: 'Task updated',
      applied: true,
      cancel: false,
      finish: false,
    });
    await api.task(1, { simulated_primaries: 100, estimated_time: 3_723 });
    const running = await jobStatus(user, jobId);
    expect(running.job_state).toBe('RUNNING');
    expect(running.job_tasks_status[0]).toMatchObject({
      task_state: 'RUNNING',
      simulated_primaries: 100,
      requested_primaries: 500,
      estimated_time: { hours: 1, minutes: 2, seconds: 3 },
      start_time: '2026-01-02T03:04:05.678Z',
    });
    expect(running.job_tasks_status[1]).not.toHaveProperty('start_time');

    await api.logs({ stdout: 'all', task_1: 'begin ' });
    await api.logs({ task_1: 'end' }, { task_1: 6 });
    await api.logs({ task_1: 'end' }, { task_1: 6 });
    const { logfiles } = await user.call<{ logfiles: unknown }>('GET', `/logfiles?job_id=${jobId}`);
    expect(logfiles).toEqual({ task_1: 'begin end', stdout: 'all' });

    expect(await api.task(1, { celery_id: 'b' })).toMatchObject({ applied: true });
    expect(await api.task(1, { celery_id: 'a', simulated_primaries: 400 })).toMatchObject({
      applied: false,
      cancel: true,
    });
    for (const task of [1, 2]) await api.task(task, { task_state: 'COMPLETED', end_time: '2026-01-02T04:00:00Z' });
    const merging = await jobStatus(user, jobId);
    expect(merging.job_state).toBe('MERGING_QUEUED');
    expect(merging.job_tasks_status[0]).toMatchObject({
      simulated_primaries: 500,
      end_time: '2026-01-02T04:00:00.000Z',
    });
    expect(merging.job_tasks_status[0]).not.toHaveProperty('estimated_time');

    await api.job({ job_state: 'MERGING_RUNNING' });
    // the state that it has already: the end that comes with it is not stored either
    await api.job({ job_state: 'MERGING_RUNNING', end_time: '2001-01-01 00:00:00.000000' });
    expect((await jobStatus(user, jobId)).job_state).toBe('MERGING_RUNNING');
    const final = { estimators: [{ name: 'Dose', pages: [page([1, null, 3], [0.1, 0.2, 0.3])] }] };
    expect(await api.results(final)).toMatchObject({ applied: true });
    expect((await jobStatus(user, jobId)).job_state).toBe('COMPLETED');
    const { simulations } = await user.request('GET', '/user/simulations', { query: {} });
    const { end_time: end } = simulations.find((job) => job.job_id === jobId) ?? {};
    expect(Date.parse(String(end))).toBeGreaterThan(Date.parse('2020-01-01'));
    const shown = await results(user, jobId);
    expect(shown).toMatchObject({ primaries: 1_000, tasks_merged: 2, partial: false });
    expect(shown.estimators[0]?.pages[0]?.data).toMatchObject({ values: [1, 0, 3], errors: [0.1, null, 0.3] });

    expect(await api.results(final)).toMatchObject({ applied: true });
    expect(await api.job({ job_state: 'FAILED' })).toMatchObject({ applied: false });
    expect(await api.task(1, { task_state: 'CANCELED' })).toMatchObject({ applied: false, cancel: true });
    expect(await api.logs({ stderr: 'late' })).toMatchObject({ applied: true });
    expect((await jobStatus(user, jobId)).job_state).toBe('COMPLETED');
  });

  it('tells its workers to stop when the user cancels', async () => {
    const jobId = await newJob(1);
    const api = workerOf(jobId);
    await api.task(1, { task_state: 'RUNNING' });
    await user.call('DELETE', `/jobs/direct?job_id=${jobId}`);
    expect(await api.task(1, { simulated_primaries: 5 })).toMatchObject({ applied: false, cancel: true });
    const late = { estimators: [{ name: 'Dose', pages: [page([1, 2, 3])] }] };
    expect(await api.results(late)).toMatchObject({ applied: false });
    expect((await user.send('GET', `/results?job_id=${jobId}`)).status).toBe(404);
  });

  it('takes the internal number of a job, which its submission told, with the key of the job', async () => {
    const sim_data = exampleProject('proton-150mev-water', 1_000);
    const body = { sim_type: 'simA', input_type: 'editor', ntasks: 1, sim_data };
    const { job_id: jobId, simulation_id: number = 0 } = await user.request('POST', '/jobs/direct', { body });
    const failed = { task_state: 'FAILED', failure: 'exit code 3' };
    expect(await workerOf(jobId, number).task(1, failed)).toMatchObject({ applied: true });
    expect((await jobStatus(user, jobId)).job_state).toBe('FAILED');
  });

  it('answers a wrong key, another job’s and that of no job alike, and no log has a key', async () => {
    const [mine, other] = [await newJob(1), await newJob(1)];
    const answers = await Promise.all(
      [
        { sim_id: mine, update_key: 'guess' },
        { sim_id: mine, update_key: keyOf(other) },
        { sim_id: 'nobody', update_key: keyOf('nobody') },
      ].map(async (who) => {
        const { status, body } = await worker.send('POST', '/jobs', { body: { ...who, job_state: 'FAILED' } });
        return { status, code: body.code, message: body.message };
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 401, code: 'UPDATE_KEY_INVALID' });
    const logs = readdirSync(suite.directory)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(path.join(suite.directory, name), 'utf8'))
      .join('\n');
    expect(logs).toContain('UPDATE_KEY_INVALID');
    for (const secret of [keyOf(mine), keyOf(other), MASTER]) expect(logs.includes(secret)).toBe(false);
  });

  it('merges the outputs of its tasks, weighted by their primaries', async () => {
    const jobId = await newJob(2);
    const api = workerOf(jobId);
    const output = (value: number, error: number) => [
      { name: 'Dose', pages: [{ ...page([value, 0, 1], [error, 0, error]), page_number: undefined }] },
    ];
    await api.results({ task_id: 1, primaries: 300, estimators: output(1, 0.4) });
    await api.results({ task_id: 2, primaries: 100, estimators: output(5, 0.4) });
    const shown = await results(user, jobId);
    expect(shown).toMatchObject({ primaries: 400, tasks_merged: 2, partial: true });
    expect(shown.estimators[0]?.pages[0]?.data.values).toEqual([2, 0, 1]);
    await suite.addCopy('direct-runner'); // the last test: it would take the jobs of others
    for (const task of [1, 2]) await api.task(task, { task_state: 'COMPLETED' });
    await waitFor(async () => (await jobStatus(user, jobId)).job_state === 'COMPLETED', {
      what: 'a runner to merge what external workers delivered',
    });
    const [merged] = (await results(user, jobId)).estimators[0]?.pages ?? [];
    expect([merged?.page_number, merged?.data.values]).toEqual([0, [2, 0, 1]]);
  });
});
