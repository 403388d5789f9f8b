import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { createSelfSigned, waitFor } from '@tally/testkit';
import { startGateway } from './fake-gateway.js';
import { useFixture } from './fixture.js';
import { runHelper } from './helper-process.js';
import { standIn, UPDATE_KEY } from './job-fixture.js';

const fixture = useFixture();
const runTask = (folder: string, taskId = 1) => ['run', '--folder', folder, '--task', String(taskId)];

describe('a task that reaches the gateway', () => {
  it('reports that it runs, then log, output and end, in this order', async () => {
    const { createJob, gateway } = fixture();
    const job = await createJob();
    const { exitCode, printed } = await runHelper(runTask(job.folder, 2));
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: 'task 2: COMPLETED\ntask 2: delivered\n' });
    const { startTime, endTime } = job.end(2);
    expect(gateway.updates[0]).toMatchObject({
      task_id: 2,
      task_state: 'RUNNING',
      start_time: startTime.toISOString(),
    });
    expect(gateway.updates.at(-1)).toEqual({
      task_id: 2,
      task_state: 'COMPLETED',
      simulated_primaries: 200,
      start_time: startTime.toISOString(),
      end_time: endTime.toISOString(),
    });
    const paths = gateway.requests.map((request) => request.path);
    expect(paths.slice(-2)).toEqual(['/results', '/tasks']);
    expect(paths.lastIndexOf('/logfiles')).toBeLessThan(paths.indexOf('/results'));
    expect(gateway.logs.get(2)).toBe(job.text(2, 'log'));
    expect(gateway.outputs.get(2)).toEqual(readFileSync(job.path('tasks/2/output.bin')));
    const upload = gateway.requests.find((request) => request.path === '/results')?.body;
    expect(upload).toMatchObject({ task_id: 2, primaries: 200, estimators: [] });
    expect(job.delivered(2)).toEqual({ logBytes: Buffer.byteLength(job.text(2, 'log')), output: true, end: true });
  });

  it('shows progress and log while it runs', async () => {
    const { createJob, standIns, start, gateway } = fixture();
    const job = await createJob({ simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() =>
      gateway.updates.some((update) => update.task_state === 'RUNNING' && update.simulated_primaries === 100),
    );
    await waitFor(() => gateway.logs.get(1)?.includes('### Run 0 starts.'));
    expect(helper.child.exitCode).toBeNull();
    helper.child.kill('SIGTERM');
    await helper.ended;
    expect(gateway.logs.get(1)).toBe(job.text(1, 'log'));
  });

  it('stops when the answer demands it', async () => {
    const { createJob, standIns, start, gateway } = fixture();
    const job = await createJob({ simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() => gateway.updates.length > 0);
    gateway.cancel();
    expect((await helper.ended).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({ taskState: 'FAILED', failure: 'SCHEDULER_ENDED: cancelled' });
  });

  it('is not stopped by a gateway that is down, and delivers when it is back', async () => {
    const { createJob, gateway } = fixture();
    let count = 0;
    const outage = [500, 429, 'hang-up', 502, 503, 'hang-up', 504] as const;
    gateway.refuse(() => {
      const answer = outage[count++];
      if (answer === undefined || answer === 'hang-up') return answer;
      return { status: answer };
    });
    const job = await createJob();
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(0);
    expect(count).toBeGreaterThan(outage.length);
    expect(gateway.logs.get(1)).toBe(job.text(1, 'log'));
    expect(gateway.updates.at(-1)).toMatchObject({ task_state: 'COMPLETED' });
    expect(job.delivered(1)).toMatchObject({ output: true, end: true });
  });

  it('leaves to others what it cannot deliver in time, and is COMPLETED all the same', async () => {
    const { createJob, gateway } = fixture();
    gateway.refuse(() => ({ status: 503 }));
    const job = await createJob({ limits: { deliveryTimeLimitMs: 300 } });
    const { exitCode, printed } = await runHelper(runTask(job.folder));
    expect(exitCode).toBe(0);
    expect(printed).toContain('task 1: unfinished: POST /logfiles: status 503');
    expect(job.names(1)).toEqual(['end.json', 'log', 'output.bin', 'progress.json']);
  });

  it('does not repeat what is refused, and says that its output was', async () => {
    const { createJob, gateway } = fixture();
    gateway.refuse(({ path }) => (path === '/results' ? { status: 400, message: 'no page' } : undefined));
    const job = await createJob();
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(0);
    expect(gateway.requests.filter((request) => request.path === '/results')).toHaveLength(1);
    expect(gateway.updates.at(-1)).toMatchObject({
      task_state: 'FAILED',
      failure: 'OUTPUT_REFUSED: the output of the task was not accepted: POST /results: status 400: no page',
    });
    expect(job.delivered(1)).toMatchObject({ output: false, end: true });
  });

  it('leaves to others what is too large for the gateway', async () => {
    const { createJob, gateway } = fixture();
    gateway.refuse(({ path }) => (path === '/results' ? { status: 413, message: 'too large' } : undefined));
    const job = await createJob();
    expect(await runHelper(runTask(job.folder))).toMatchObject({
      exitCode: 0,
      printed: 'task 1: COMPLETED\ntask 1: refused: POST /results: status 413: too large\n',
    });
    expect(job.delivered(1)).toMatchObject({ output: false, end: false });
    expect(gateway.updates.every(({ task_state }) => task_state === 'RUNNING')).toBe(true);
  });

  it('leaves all to others when its key is not taken', async () => {
    const { createJob, gateway } = fixture();
    const job = await createJob();
    writeFileSync(job.path('update.key'), 'another-key');
    const { exitCode, printed } = await runHelper(runTask(job.folder));
    expect(exitCode).toBe(0);
    expect(printed).toContain('task 1: refused: POST /logfiles: status 401');
    expect([gateway.updates, gateway.logs.size]).toEqual([[], 0]);
    expect(job.names(1)).not.toContain('delivered.json');
  });

  it('shows its key to nobody but the gateway', async () => {
    const { createJob, gateway, standIns } = fixture();
    gateway.refuse(({ body }) => ({ status: 400, message: `what is ${String(body.update_key)}?` }));
    const seen = path.join(standIns, 'seen.json');
    const script = `
      import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify([process.env, process.argv]));
      process.exit(3);`;
    const program = path.join(standIns, 'tell.mjs');
    writeFileSync(program, script);
    const simulator = { executable: process.execPath, args: [program], env: { LICENCE: 'x' }, version: '' };
    const job = await createJob({ simType: 'simC', simulator });
    const { printed } = await runHelper(runTask(job.folder), { env: { SLURM_JOB_ID: '7', SECRET: 'of the node' } });
    expect(gateway.requests.length).toBeGreaterThan(0);
    expect(printed).toContain('status 400: what is [key]?');
    const [env] = JSON.parse(readFileSync(seen, 'utf8')) as [Record<string, string>];
    expect(Object.keys(env).sort()).toEqual(['HOME', 'LANG', 'LICENCE', 'PATH', 'TALLY_ATTEMPT_ID', 'TMPDIR', 'TZ']);
    const texts = [printed, readFileSync(seen, 'utf8'), job.text(1, 'log'), job.text(1, 'end.json')];
    expect(texts.some((text) => text.includes(UPDATE_KEY))).toBe(false);
  });
});

describe('a gateway with TLS', () => {
  it('is spoken to only if an authority that the job trusts vouches for it', async () => {
    const tls = createSelfSigned();
    const gateway = await startGateway(tls);
    try {
      const { createJob } = fixture();
      const limits = { deliveryTimeLimitMs: 300 };
      const job = await createJob({ gateway: { url: gateway.url, caFile: null }, limits });
      const { printed } = await runHelper(runTask(job.folder), { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
      expect(printed).toMatch(/unfinished: POST \/logfiles: \w*SELF_SIGNED_CERT\w* /);
      expect(gateway.requests).toEqual([]);

      writeFileSync(job.path('site.pem'), tls.cert);
      job.change({
        gateway: { url: gateway.url, caFile: job.path('site.pem') },
        limits: { ...job.job.limits, deliveryTimeLimitMs: 20_000 },
      });
      expect(await runHelper(runTask(job.folder))).toMatchObject({ exitCode: 0 });
      expect(gateway.updates).toMatchObject([{ task_state: 'COMPLETED' }]);
    } finally {
      await gateway.stop();
    }
  });

  it('must be the one that was asked for', async () => {
    const tls = createSelfSigned();
    const gateway = await startGateway(tls);
    try {
      const url = gateway.url.replace('127.0.0.1', 'localhost'); // the certificate names the address only
      const job = await fixture().createJob({ gateway: { url, caFile: null }, limits: { deliveryTimeLimitMs: 300 } });
      writeFileSync(job.path('site.pem'), tls.cert);
      job.change({ gateway: { url, caFile: job.path('site.pem') } });
      const { printed } = await runHelper(runTask(job.folder));
      expect(printed).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
      expect(gateway.requests).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
