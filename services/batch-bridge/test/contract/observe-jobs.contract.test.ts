import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { encodeTaskOutput } from '@tally/merge';
import { waitFor } from '@tally/testkit';
import type { JobId } from '../../src/domain/job-id.js';
import type { BridgeOptions } from '../../src/service.js';

import { useEnvironment } from '../environment.js';

/* Jobs that run on a real cluster, and what is reported of them to the services. */

const environment = useEnvironment();
const { STATE_COMPLETED, STATE_FAILED, STATE_RUNNING } = jobs.State;

/** Runs deck/task.mjs of the job, with the number of the task; the folder of the job is the working folder. */
const HELPER = `import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
const [mode, , folder, , task] = process.argv.slice(2);
process.chdir(folder);
const here = 'tasks/' + task;
const put = (name, content) => {
  writeFileSync(here + '/.' + name, content);
  renameSync(here + '/.' + name, here + '/' + name);
};
const facts = { simulated_primaries: 10, start_time: '2026-11-21T15:00:00.000Z', end_time: '2026-11-21T15:10:00.000Z' };
globalThis.tally = {
  task: Number(task),
  here,
  put,
  complete: () => {
    put('output.bin', Buffer.from(readFileSync('deck/output.b64', 'utf8'), 'base64'));
    put('end.json', JSON.stringify({ task_state: 'COMPLETED', ...facts, failure: null }));
  },
  fail: (failure) => put('end.json', JSON.stringify({ task_state: 'FAILED', ...facts, failure })),
};
if (mode === 'run') {
  mkdirSync(here, { recursive: true });
  await import(folder + '/deck/task.mjs');
}
`;

const OUTPUT = encodeTaskOutput({
  primaries: 10,
  batches: 1,
  engine: 'reference 0.1.0',
  counters: {},
  pages: [
    {
      estimatorName: 'dose',
      fileName: 'dose',
      pageNumber: 1,
      pageName: 'dose',
      unit: 'Gy',
      scale: 1,
      kind: 'linear',
      axes: [{ name: 'Z', unit: 'cm', centers: Array.from({ length: 50_000 }, (_, i) => i) }],
      moments: [new Float64Array(50_000).fill(1), new Float64Array(50_000).fill(2)],
    },
  ],
});
const OUTPUT_NUMBER_BYTES = 2 * 50_000 * 8;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tally-observe-'));
  writeFileSync(path.join(folder, 'helper.mjs'), HELPER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a copy and submits a job whose tasks run this. */
async function run(
  taskCount: number,
  script: string,
  {
    isReachingGateway = true,
    options = {},
    ...overrides
  }: Partial<BridgeOptions> & {
    isReachingGateway?: boolean;
    options?: Readonly<Record<string, string>>;
  } = {},
) {
  environment.setCredential();
  const copy = await environment.start({
    clusters: [environment.settings({ isReachingGateway })],
    gatewayUrl: 'https://gateway.invalid',
    progressIntervalMs: 10_000,
    helperFile: path.join(folder, 'helper.mjs'),
    failureGraceMs: 1_000,
    warningSeconds: 0,
    ...overrides,
  });
  const jobId = environment.newJob(taskCount, {
    'task.mjs': script,
    'output.b64': Buffer.from(OUTPUT).toString('base64'),
  });
  const schedulerOptionsJson = Buffer.from(JSON.stringify({ mem: '100M', ...options }));
  expect(await copy.submit(jobId, { schedulerOptionsJson })).toMatchObject({ $case: 'submitted' });
  const job = environment.services.job(jobId);
  return {
    copy,
    jobId,
    job,
    states: () => [...job.states],
    /** Why a task failed, whoever said so. */
    failure: (taskId: number) =>
      job.reports.flatMap(({ tasks }) => tasks).find((task) => task.taskId === taskId && task.state === STATE_FAILED)
        ?.failure ?? job.updates.find((task) => task.taskId === taskId && task.state === STATE_FAILED)?.failure,
    end: () => waitFor(() => !job.isOpen, { what: 'the end of the job', timeoutMs: 150_000 }),
  };
}
/** Lets tasks continue that wait for this file. */
const go = (jobId: JobId, file = 'go') => environment.asClusterUser('touch', `${environment.folderOf(jobId)}/${file}`);
const WAIT = `import { existsSync } from 'node:fs';
const until = async (file) => { while (!existsSync(file)) await new Promise((done) => setTimeout(done, 100)); };
`;

describe('where nodes cannot reach the gateway', () => {
  it('everything is fetched: states, logs, outputs, and nothing else, whatever lies in the folder', async () => {
    const { jobId, job, states, failure, end } = await run(
      8,
      `import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync, appendFileSync } from 'node:fs';
      import { execFileSync } from 'node:child_process';
      const { task, here, put, complete, fail } = tally;
      const write = (text) => appendFileSync(here + '/log', text);
      const tasks = {
        1: async () => {
          write('first line é\\n');
          put('progress.json', JSON.stringify({ simulated_primaries: 4, estimated_time: 9, start_time: '2026-11-21T15:00:00.000Z' }));
          await new Promise((done) => setTimeout(done, 4_000));
          write('last line\\n');
          complete();
        },
        2: () => { write('it went wrong\\n'); fail('the simulator ended with exit code 1'); process.exit(1); },
        3: () => { console.log('last words'); process.exit(7); },
        4: () => { complete(); truncateSync(here + '/output.bin', 10 * 1024 ** 3); },
        5: () => { symlinkSync('/etc/passwd', here + '/log'); put('end.json', '{"task_state":"COMPLETED"'); },
        6: () => { symlinkSync('/etc/passwd', here + '/output.bin.link'); execFileSync('mkfifo', [here + '/end.json']); },
        7: () => { rmSync(here, { recursive: true }); mkdirSync('elsewhere'); symlinkSync('../elsewhere', here); complete(); },
        8: async () => { const hog = []; for (;;) { hog.push(Buffer.alloc(50_000_000, 1)); await new Promise((done) => setTimeout(done, 500)); } },
      };
      await tasks[task]();`,
      { isReachingGateway: false, failureGraceMs: 10_000 }, // sacct shows exit codes late, the more so on a busy machine
    );
    await end();
    const [F, C] = [STATE_FAILED, STATE_COMPLETED];
    expect(states()).toEqual([C, F, F, F, F, F, F, F]);
    expect(
      job.updates.some(({ state, simulatedPrimaries }) => state === STATE_RUNNING && simulatedPrimaries === 4n),
    ).toBe(true);
    expect([...job.outputs]).toEqual([[1, OUTPUT_NUMBER_BYTES]]);
    expect(environment.services.taskLog(jobId, 1)).toBe('first line é\nlast line\n');
    expect(environment.services.taskLog(jobId, 2)).toBe('it went wrong\n');
    expect(failure(2)).toBe('the simulator ended with exit code 1');
    expect(failure(3)).toMatch(/FAILED.*exit code 7/);
    expect(environment.services.taskLog(jobId, 3)).toMatch(
      /last words[^]*\n--- The scheduler ended the task: .*exit code 7.* ---\n$/,
    );
    expect(failure(4)).toContain('10737418240 bytes');
    expect(failure(5)).toContain("The task's end cannot be read");
    for (const task of [6, 7]) expect(failure(task)).toMatch(/left no result.*COMPLETED/);
    expect(failure(8)).toMatch(/memory|signal 9/);
    expect(environment.services.taskLog(jobId, 8)).toMatch(/memory|oom/i);
    const logs = job.states.map((_, i) => environment.services.taskLog(jobId, i + 1)).join('');
    expect(logs).not.toContain('root:');
  });
});

describe('the time limit', () => {
  it('fails a task with the reason of the scheduler, and not one that has written its end before', async () => {
    const { jobId, job, states, failure, end } = await run(
      2,
      `import { appendFileSync } from 'node:fs';
      process.on('SIGTERM', () => {});
      appendFileSync(tally.here + '/log', 'so far\\n');
      if (tally.task === 2) tally.complete();
      setInterval(() => {}, 1_000);`,
      { options: { time: '1' } },
    );
    await waitFor(() => states().includes(STATE_FAILED), { what: 'the time limit', timeoutMs: 140_000 });
    expect(failure(1)).toMatch(/^SCHEDULER_ENDED: The scheduler ended the task: TIMEOUT.*time limit/);
    await end();
    expect(states()).toEqual([STATE_FAILED, STATE_COMPLETED]);
    expect(job.outputs.get(2)).toBe(OUTPUT_NUMBER_BYTES);
    expect(environment.services.taskLog(jobId, 1)).toMatch(
      /^so far\n\n--- what the scheduler kept[^]*DUE TO TIME LIMIT/,
    );
    expect(environment.services.taskLog(jobId, 2)).toBe('so far\n');
  });
});

describe('faults of the cluster', () => {
  /** Why a job waits, as it was last reported; empty: it does not. */
  const reasonOf = ({ reports }: Awaited<ReturnType<typeof run>>['job']) =>
    reports.flatMap(({ waitingReason }) => waitingReason ?? []).at(-1) ?? '';
  const RUNS_AGAIN = /^The cluster has stopped a task, to be run again: PENDING/;

  it('a task that is preempted runs again', async () => {
    const { jobId, job, states, end } = await run(1, `${WAIT}await until('go'); tally.complete();`);
    await waitFor(() => states().includes(STATE_RUNNING), { what: 'a running task' });
    environment.shell('sbatch --partition=urgent --nodelist=sim1 --exclusive --output=/dev/null --wrap=true');
    await waitFor(() => reasonOf(job) !== '', { what: 'the stopped task' });
    expect(reasonOf(job)).toMatch(RUNS_AGAIN);
    go(jobId);
    await end();
    expect([reasonOf(job), ...states()]).toEqual(['', STATE_COMPLETED]);
  });

  it('a task that is canceled by hand says so, and one whose node dies runs again', async () => {
    const { jobId, job, states, failure, end } = await run(2, `${WAIT}await until('go'); tally.complete();`);
    await waitFor(() => states().every((state) => state === STATE_RUNNING), { what: 'running tasks' });
    const array = environment.rows(jobId).find(({ name }) => name.endsWith('-1'));
    environment.asClusterUser('scancel', `${array?.id}_1`);
    await waitFor(() => failure(1), { what: 'the canceled task' });
    expect(failure(1)).toMatch(/CANCELLED.*canceled on the cluster/);
    await environment.cluster.fault('crash', 'sim1');
    await waitFor(() => reasonOf(job) !== '', { what: 'the lost node', timeoutMs: 120_000, intervalMs: 500 });
    expect(reasonOf(job)).toMatch(RUNS_AGAIN);
    await environment.cluster.fault('start', 'sim1');
    go(jobId);
    await end();
    expect([reasonOf(job), ...states()]).toEqual(['', STATE_FAILED, STATE_COMPLETED]);
  });

  it('while the controller is down nothing is decided and the job says so; then it continues', async () => {
    const { jobId, job, states, end } = await run(2, `${WAIT}await until('go'); tally.complete();`);
    await waitFor(() => states().every((state) => state === STATE_RUNNING), { what: 'running tasks' });
    // what the controller has not saved yet is lost when it is killed: jobs, that they run, ids it has given out
    const array = environment.rows(jobId).find(({ name }) => name.endsWith('-1'));
    environment.asClusterUser('scontrol', 'update', `JobId=${array?.id}`, 'Comment=written-down');
    const saved = () => readFileSync(`${environment.cluster.facts.dir}/state/job_state`, 'latin1');
    await waitFor(() => saved().includes('written-down'), { what: 'the state of the controller' });
    await environment.cluster.fault('crash', 'ctld');
    await waitFor(() => reasonOf(job).includes('does not answer'), { what: 'the reason' });
    go(jobId);
    await environment.cluster.fault('start', 'ctld');
    await waitFor(() => reasonOf(job) === '', { what: 'the end of the reason' });
    await end();
    expect(states()).toEqual([STATE_COMPLETED, STATE_COMPLETED]);
  });

  it('a broken connection loses nothing', async () => {
    const { jobId, states, end } = await run(1, `${WAIT}await until('go'); tally.complete();`);
    await waitFor(() => states().includes(STATE_RUNNING), { what: 'a running task' });
    await environment.cluster.fault('crash', 'sshd');
    go(jobId);
    await environment.cluster.fault('start', 'sshd');
    await end();
    expect(states()).toEqual([STATE_COMPLETED]);
  });
});

describe('what jobs does not want any more', () => {
  it('is canceled by hand of the service; the collect job still runs, and the folder stays for a while', async () => {
    const { copy, jobId, job, end } = await run(
      3,
      `${WAIT}if (tally.task === 1) tally.complete(); else await until('go');`,
    );
    await waitFor(() => existsSync(`${environment.folderOf(jobId)}/tasks/1/end.json`), { what: 'a finished task' });
    await copy.client.cancelBatch({ jobId, lastTask: 0 });
    await end();
    const states = Object.fromEntries(environment.rows(jobId).map(({ name, state }) => [name.at(-1), state]));
    expect(states).toMatchObject({ 0: 'COMPLETED' });
    expect(environment.rows(jobId).filter(({ state }) => state === 'CANCELLED').length).toBeGreaterThan(0);
    expect(job.reports.flatMap(({ tasks }) => tasks).filter(({ state }) => state === STATE_FAILED)).toEqual([]);
    expect(existsSync(environment.folderOf(jobId))).toBe(true);
  });

  it('is removed from the cluster, and nothing beside it', async () => {
    const { home } = environment.cluster.facts.users.cert;
    environment.asClusterUser('mkdir', '-p', `${home}/outside`);
    environment.asClusterUser('touch', `${home}/outside/file`);
    const before = readdirSync(home);
    const { copy, jobId } = await run(
      2,
      `import { symlinkSync } from 'node:fs';
      symlinkSync('../../../outside', tally.here + '/link');
      setInterval(() => {}, 1_000);`,
    );
    await waitFor(() => existsSync(`${environment.folderOf(jobId)}/tasks/1/link`), { what: 'a running task' });
    await copy.client.deleteBatch({ jobId });
    await waitFor(() => !existsSync(environment.folderOf(jobId)), { what: 'the removal' });
    expect(environment.rows(jobId).every(({ state }) => /CANCELLED|COMPLETED/.test(state))).toBe(true);
    expect(readdirSync(home)).toEqual(expect.arrayContaining(before));
    expect(readFileSync(`${home}/outside/file`, 'utf8')).toBe('');
  });
});
