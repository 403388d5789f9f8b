import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { crash, waitFor } from '@tally/testkit';
import { useFixture } from './fixture.js';
import { runHelper } from './helper-process.js';
import { type JobFixture, standIn } from './job-fixture.js';

const fixture = useFixture();
const runTask = (folder: string, taskId = 1) => ['run', '--folder', folder, '--task', String(taskId)];
const collect = (folder: string) => ['collect', '--folder', folder];
const runAll = (job: JobFixture) =>
  Promise.all(job.job.tasks.map(({ taskId }) => runHelper(runTask(job.folder, taskId))));

describe('the collect job', () => {
  it('delivers what tasks could not, and reports no state of those that have not ended', async () => {
    const { createJob, gateway } = fixture();
    gateway.refuse(() => ({ status: 503 }));
    const job = await createJob({ taskCount: 4, limits: { deliveryTimeLimitMs: 200 } });
    for (const taskId of [1, 2, 3]) await runHelper(runTask(job.folder, taskId));
    rmSync(job.path('tasks/2/end.json')); // as if it had been killed
    gateway.refuse(undefined);
    const { exitCode, printed } = await runHelper(collect(job.folder));
    expect(exitCode).toBe(0);
    expect(printed).toContain('delivered: 2, nothing-to-deliver: 0, refused: 0, unfinished: 0, not-ended: 2\n');
    expect(new Set(gateway.updates.map(({ task_id }) => task_id))).toEqual(new Set([1, 3]));
    expect(new Set(gateway.outputs.keys())).toEqual(new Set([1, 3]));
    expect(new Set(gateway.logs.keys())).toEqual(new Set([1, 2, 3])); // the log of a killed task is worth reading
    for (const taskId of [1, 3]) {
      expect(gateway.outputs.get(taskId)).toEqual(readFileSync(job.path(`tasks/${taskId}/output.bin`)));
    }
  });

  it('has nothing to do when tasks have delivered all', async () => {
    const { createJob, gateway } = fixture();
    const job = await createJob();
    await runAll(job);
    const count = gateway.requests.length;
    const { printed } = await runHelper(collect(job.folder));
    expect(printed).toBe('delivered: 0, nothing-to-deliver: 2, refused: 0, unfinished: 0, not-ended: 0\n');
    expect(gateway.requests).toHaveLength(count);
  });

  it('delivers what a task had not when its node was switched off', async () => {
    const { createJob, gateway, start } = fixture();
    gateway.refuse(({ path }) => (path === '/results' ? { status: 503 } : undefined));
    const job = await createJob();
    const helper = start(runTask(job.folder));
    await waitFor(() => gateway.requests.some(({ path }) => path === '/results'));
    await crash(helper.pid);
    gateway.refuse(undefined);
    const logRequests = gateway.requests.filter(({ path }) => path === '/logfiles').length;
    expect(await runHelper(collect(job.folder))).toMatchObject({ exitCode: 0 });
    expect(gateway.updates.at(-1)).toMatchObject({ task_id: 1, task_state: 'COMPLETED' });
    expect(gateway.outputs.has(1)).toBe(true);
    expect(gateway.requests.filter(({ path }) => path === '/logfiles')).toHaveLength(logRequests); // not again
  });

  it('reports no state of a task that was killed while it ran', async () => {
    const { createJob, gateway, start, standIns } = fixture();
    const job = await createJob({ simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() => gateway.updates.some(({ simulated_primaries }) => simulated_primaries > 0));
    await crash(helper.pid);
    const { exitCode, printed } = await runHelper(collect(job.folder));
    expect(exitCode).toBe(0);
    expect(printed).toContain('not-ended: 2');
    expect(gateway.updates.every(({ task_state }) => task_state === 'RUNNING')).toBe(true);
  });

  it('waits for nodes that do not reach the gateway', async () => {
    const job = await fixture().createJob({ gateway: null });
    expect(await runHelper(collect(job.folder))).toMatchObject({
      exitCode: 0,
      printed: 'nodes do not reach the service: it fetches what tasks have left\n',
    });
  });

  it('is not led astray by what others have put into the folder', async () => {
    const { createJob, gateway } = fixture();
    const job = await createJob({ taskCount: 5 });
    await runHelper(runTask(job.folder, 1));
    rmSync(job.path('tasks/1/delivered.json'));
    writeFileSync(job.path('tasks/1/delivered.json'), '{"log_bytes": -5}');
    for (const taskId of [2, 3, 4, 5]) mkdirSync(job.path(`tasks/${taskId}`));
    writeFileSync(job.path('tasks/2/end.json'), '{"task_state":"COMPLETED"}');
    symlinkSync('/etc/passwd', job.path('tasks/3/end.json'));
    mkdirSync(job.path('tasks/4/end.json'));
    writeFileSync(job.path('tasks/5/end.json'), job.text(1, 'end.json')); // and no output
    const limits = { ...job.job.limits, collectTimeLimitMs: 1_000 };
    job.change({ limits });
    const { exitCode, printed } = await runHelper(collect(job.folder));
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/task 2: unfinished: end\.json: /);
    expect(printed).toMatch(/task 3: unfinished: ELOOP/);
    expect(printed).toMatch(/task 4: unfinished: .* is not a plain file/);
    expect(printed).toMatch(/task 5: unfinished: ENOENT/);
    expect(printed).toContain('delivered: 1, nothing-to-deliver: 0, refused: 0, unfinished: 4, not-ended: 0');
    expect(gateway.updates.filter(({ task_state }) => task_state !== 'RUNNING').map(({ task_id }) => task_id)).toEqual([
      1, 1,
    ]);
  });

  it('refuses a job that is none', async () => {
    const job = await fixture().createJob();
    writeFileSync(job.path('job.json'), '{}');
    expect(await runHelper(collect(job.folder))).toMatchObject({
      exitCode: 2,
      printed: expect.stringContaining('job.json:'),
    });
    expect(await runHelper(collect('/nowhere'))).toMatchObject({ exitCode: 2 });
  });
});
