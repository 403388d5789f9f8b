import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Behaviour, type HttpSession, readStandInNotes, standInValue, waitFor } from '@tally/testkit';
import {
  type BatchSuite,
  batchBody,
  batchEnded,
  batchReached,
  batchStatus,
  isPrivate,
  schedulerJobs,
  standInOnCluster,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { ended, exampleProject, flatten, results, submit } from '../fixtures/suite-fixture.js';

const SEED = '20261121';
/** By number of arrival of the task: three of ten never give a whole output. */
const BEHAVIOURS: Readonly<Record<number, Behaviour>> = { 2: 'crash', 5: 'silent', 8: 'half' };
const MEV_G_PER_GRAY = 1 / 1.602176634e-10;

let suite: BatchSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startBatchSuite({
    // the stand-in counts its tasks in a file outside of their folders
    settings: (cluster) => ({
      confinement: 'none',
      simulators: { simC: standInOnCluster(cluster, 'sim-c', BEHAVIOURS) },
    }),
  });
  user = await suite.newSsoSession();
});
afterAll(() => suite?.stop());

describe('a job on a cluster', () => {
  it('runs to COMPLETED in front of its user, and gives bit for bit what the direct platform gives in 3 tasks', async () => {
    const project = exampleProject('proton-150mev-water', 8_000);
    const body = batchBody({ project, ntasks: 8, seed: SEED, title: 'Eight tasks' });
    const { job_id: jobId } = await user.request('POST', '/jobs/batch', { body });

    const seen = new Set<string>();
    await batchReached(user, jobId, ({ job_state, job_tasks_status }) => {
      seen.add(job_state);
      for (const task of job_tasks_status) seen.add(`task ${task.task_state}`);
      return job_state === 'COMPLETED';
    });
    expect([...seen]).toEqual(expect.arrayContaining(['RUNNING', 'task PENDING', 'task RUNNING', 'task COMPLETED']));
    const { job_tasks_status: tasks, cluster_name: cluster } = await batchStatus(user, jobId);
    expect(cluster).toBe('north');
    expect(tasks.map((task) => task.simulated_primaries)).toEqual(Array.from({ length: 8 }, () => 1_000));
    for (const task of tasks)
      expect(Date.parse(task.end_time ?? '')).toBeGreaterThan(Date.parse(task.start_time ?? ''));

    const direct = await submit(user, { project, ntasks: 3, seed: SEED });
    expect((await ended(user, direct)).job_state).toBe('COMPLETED');
    const [onCluster, onRunners] = [await results(user, jobId), await results(user, direct)];
    expect(flatten(onCluster)).toEqual(flatten(onRunners));
    expect(flatten(onCluster).values.some((value) => value > 0)).toBe(true);
    expect(onCluster).toMatchObject({ primaries: 8_000, tasks_merged: 8, partial: false });

    const { logfiles } = await user.request('GET', '/logfiles', { query: { job_id: jobId } });
    expect(Object.keys(logfiles)).toEqual(expect.arrayContaining(['task_1', 'task_8']));
    expect(logfiles.task_8).toContain('reference');
    const { simulations } = await user.request('GET', '/user/simulations');
    expect(simulations).toContainEqual(
      expect.objectContaining({ job_id: jobId, platform: 'batch', ntasks: 8, title: 'Eight tasks' }),
    );
  });

  it('of which 3 of 10 tasks fail keeps the weighted mean of the other 7', async () => {
    const project = exampleProject('proton-bone-slab', 1_003);
    const jobId = await submitBatch(user, { project, ntasks: 10, sim_type: 'simC' });
    const { job_state, job_tasks_status } = await batchEnded(user, jobId, 150_000);
    expect(job_state).toBe('FAILED');
    const failed = job_tasks_status.filter((task) => task.task_state === 'FAILED');
    expect(failed).toHaveLength(3);
    for (const task of failed) expect(task.failure).toBeTruthy();
    const merged = await results(user, jobId);
    expect(merged).toMatchObject({ partial: true, tasks_merged: 7, engine: 'simC stand-in' });
    const notes = readStandInNotes(path.join(suite.cluster.facts.dir, 'sim-c'));
    const good = notes.filter(({ number }) => BEHAVIOURS[number] === undefined);
    const mean =
      good.reduce((sum, { seed, primaries }) => sum + primaries * standInValue(seed, 0), 0) /
      good.reduce((sum, { primaries }) => sum + primaries, 0);
    const depth = merged.estimators.find(({ name }) => name === 'depth_dose')?.pages[0]?.data.values[0] ?? Number.NaN;
    expect(depth / (mean * MEV_G_PER_GRAY)).toBeCloseTo(1, 9);
  });

  it('that is cancelled in the middle keeps what finished tasks delivered, and leaves the queue', async () => {
    const project = exampleProject('proton-150mev-water', 240_000);
    const jobId = await submitBatch(user, { project, ntasks: 12 });
    await batchReached(user, jobId, ({ job_tasks_status: tasks }) => tasks.some((t) => t.task_state === 'COMPLETED'));
    const scancels = suite.calls('scancel').length;
    const { job_state } = await user.request('DELETE', '/jobs/batch', { query: { job_id: jobId } });
    expect(job_state).toBe('CANCELED');
    const inQueue = () =>
      suite
        .slurm('squeue', '-h', '-r', '-o', '%j')
        .split('\n')
        .filter((name) => name.includes(jobId));
    await waitFor(() => inQueue().length === 0, { what: 'an empty queue' });
    expect(suite.calls('scancel').length - scancels).toBe(1);
    const kept = await results(user, jobId);
    expect(kept.partial).toBe(true);
    expect(kept.tasks_merged).toBeGreaterThan(0);
    const again = await user.request('DELETE', '/jobs/batch', { query: { job_id: jobId } });
    expect(again.job_state).toBe('CANCELED');
  });

  it('leaves files that only its owner can read, and none when it is deleted', async () => {
    const jobId = await submitBatch(user, { ntasks: 2, project: exampleProject('proton-150mev-water', 200) });
    const folder = suite.jobFolder(jobId);
    expect(isPrivate(folder)).toBe(true);
    expect(isPrivate(path.join(folder, 'update.key'))).toBe(true);
    await batchEnded(user, jobId);
    await user.request('DELETE', '/user/simulations', { query: { job_id: jobId } });
    await waitFor(() => !existsSync(folder), { what: 'the removal of the folder' });
    expect(readdirSync(path.dirname(folder))).not.toContain(jobId);
  });

  it('has one array and one collect job, with the default cluster and the options asked for', async () => {
    const jobId = await submitBatch(user, {
      ntasks: 3,
      project: exampleProject('proton-150mev-water', 300),
      options: { time: '5', partition: 'batch' },
    });
    const { arrays, collects } = schedulerJobs(suite, jobId);
    expect(arrays).toHaveLength(1);
    expect(collects).toHaveLength(1);
    const limits = suite.slurm('squeue', '-h', '-t', 'all', '-j', arrays.join(','), '-o', '%l %m %P');
    expect(limits).toMatch(/^(5:00 512M batch\n)+$/);
    await batchEnded(user, jobId);
  });
});

describe('the batch platform', () => {
  it('is for single-sign-on users only', async () => {
    const local = await suite.newUser();
    expect((await local.send('POST', '/jobs/batch', { body: batchBody({ ntasks: 1 }) })).status).toBe(403);
    expect((await local.send('GET', '/jobs/batch?job_id=x')).status).toBe(403);
    expect((await local.send('DELETE', '/jobs/batch?job_id=x')).status).toBe(403);
  });

  it('refuses clusters and options that there are not, and creates nothing', async () => {
    const before = await user.request('GET', '/user/simulations');
    for (const wrong of [
      batchBody({ ntasks: 1, cluster: 'south' }),
      batchBody({ ntasks: 1, options: { partition: 'gpu' } }),
      batchBody({ ntasks: 1, options: { time: '9999-00' } }),
      batchBody({ ntasks: 1, options: { wrap: 'rm -rf /' } }),
    ]) {
      const { status, body } = await user.send('POST', '/jobs/batch', { body: wrong });
      expect(status).toBe(400);
      expect(JSON.stringify(body)).toMatch(/batch_options/);
    }
    const after = await user.request('GET', '/user/simulations');
    expect(after.simulations_count).toBe(before.simulations_count);
  });

  it('keeps jobs of the two platforms apart', async () => {
    const jobId = await submitBatch(user, { ntasks: 1, project: exampleProject('proton-150mev-water', 100) });
    expect((await user.send('GET', `/jobs/direct?job_id=${jobId}`)).status).toBe(404);
    expect((await user.request('GET', '/jobs', { query: { job_id: jobId } })).job_tasks_status).toHaveLength(1);
    await batchEnded(user, jobId);
  });

  it('answers a repeat of a submission with the first job', async () => {
    const headers = { 'Idempotency-Key': 'one-and-the-same' };
    const body = { ...batchBody({ ntasks: 1 }), seed: '5' };
    const first = await user.request('POST', '/jobs/batch', { body, headers });
    const second = await user.request('POST', '/jobs/batch', { body, headers });
    expect(second.job_id).toBe(first.job_id);
    expect(schedulerJobs(suite, first.job_id).arrays).toHaveLength(1);
    await batchEnded(user, first.job_id);
  });
});
