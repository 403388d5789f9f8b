import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeTaskOutput } from '@tally/merge';
import { readStandInNotes, standInValue, waitFor } from '@tally/testkit';
import { STOPPED_EXIT_CODE } from '../src/folder/job-folder.js';
import { HELPER_VERSION } from '../src/helper-program.js';
import { useFixture } from './fixture.js';
import { BUNDLE, runHelper } from './helper-process.js';
import { standIn, UPDATE_KEY } from './job-fixture.js';
import { processesNaming } from './processes.js';

const fixture = useFixture();
/** Nodes that do not reach the gateway. */
const PULL = { gateway: null };
const runTask = (folder: string, taskId = 1) => ['run', '--folder', folder, '--task', String(taskId)];

describe('the helper on a node', () => {
  it('needs its one file, Node and nothing else', async () => {
    const job = await fixture().createJob(PULL);
    const empty = mkdtempSync(path.join(tmpdir(), 'tally-node-'));
    const program = path.join(empty, 'helper.mjs');
    copyFileSync(BUNDLE, program);
    const { exitCode, printed } = await runHelper(runTask(job.folder, 2), { program, cwd: empty });
    rmSync(empty, { recursive: true });
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: 'task 2: COMPLETED\n' });
    expect(job.end(2)).toMatchObject({ taskState: 'COMPLETED', simulatedPrimaries: 200 });
    const output = decodeTaskOutput(readFileSync(job.path('tasks/2/output.bin')));
    expect(output).toMatchObject({ primaries: 200, engine: expect.stringMatching(/^reference /) });
    expect(job.names(2)).toEqual(['end.json', 'log', 'output.bin', 'progress.json']);
    expect(job.text(2, 'log')).toContain('first history: 200');
  });

  it('prints its version, and its usage for unknown arguments', async () => {
    expect(await runHelper(['--version'])).toMatchObject({
      exitCode: 0,
      printed: `tally-batch-helper ${HELPER_VERSION}\n`,
    });
    for (const args of [
      [],
      ['run'],
      ['run', '--folder', '/x', '--task', '-1'],
      ['walk', '--folder', '/x'],
      ['--help'],
    ]) {
      expect(await runHelper(args)).toMatchObject({ exitCode: 2, printed: expect.stringContaining('Usage:') });
    }
  });

  it('is the built-in engine, too', async () => {
    const { exitCode, printed } = await runHelper(['engine', '--problem', '/nowhere', '--task', 'x', '--output', 'y']);
    expect(exitCode).toBe(1);
    expect(printed).toMatch(/^tally-engine \d/);
  });

  it('takes the number of its task from the scheduler and an offset', async () => {
    const job = await fixture().createJob(PULL);
    const env = { SLURM_ARRAY_TASK_ID: '1', SLURM_JOB_ID: '4711', SLURM_RESTART_COUNT: '2' };
    const { exitCode } = await runHelper(['run', '--folder', job.folder, '--offset', '1'], { env });
    expect(exitCode).toBe(0);
    expect(job.end(2).taskState).toBe('COMPLETED');
    expect(job.text(2, 'log')).toContain('task 2, run 4711-2');
    expect(await runHelper(['run', '--folder', job.folder, '--offset', '1'])).toMatchObject({ exitCode: 2 });
  });

  it('runs the executable that the cluster has', async () => {
    const { createJob, standIns } = fixture();
    const job = await createJob({ ...PULL, simType: 'simC', simulator: standIn('simC', standIns) });
    expect(await runHelper(runTask(job.folder))).toMatchObject({ exitCode: 0 });
    const output = decodeTaskOutput(readFileSync(job.path('tasks/1/output.bin')));
    const [note] = readStandInNotes(standIns);
    expect(note).toMatchObject({ primaries: 200 });
    expect(output).toMatchObject({ primaries: 200, engine: 'simC stand-in' });
    const page = output.pages.find(({ kind }) => kind === 'linear');
    expect((page?.moments[0]?.[0] ?? 0) / 200).toBeCloseTo(standInValue(note?.seed ?? '0', 0), 9);
  });

  it('follows the progress that a simulator keeps in a file', async () => {
    const { createJob, standIns, start } = fixture();
    const job = await createJob({ ...PULL, simType: 'simB', simulator: standIn('simB', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    const progress = await waitFor(() => {
      const read = JSON.parse(job.text(1, 'progress.json')) as { simulated_primaries: number; estimated_time: number };
      return read.simulated_primaries === 100 && read;
    });
    expect(progress.estimated_time).toBeGreaterThanOrEqual(0);
    helper.child.kill('SIGTERM');
    expect((await helper.ended).exitCode).toBe(STOPPED_EXIT_CODE);
  });
});

describe('a task fails', () => {
  it.each([
    ['crash', 'SIMULATOR_CRASHED', /^the simulator crashed: signal SIGSEGV$/],
    ['fail', 'SIMULATOR_FAILED', /^the simulator failed: exit code 3; its error output ends: stand-in: told to fail$/],
    ['half', 'OUTPUT_UNREADABLE', /^the output of the simulator cannot be read: /],
    ['miscount', 'OUTPUT_INCOMPLETE', /^the simulator simulated another number of primaries than the task has: 201 instead of 200$/], // biome-ignore format: one line
    ['silent', 'OUTPUT_MISSING', /^the simulator ended without an error but wrote no output/],
  ] as const)('when its simulator ends by %s', async (behaviour, code, failure) => {
    const { createJob, standIns } = fixture();
    const job = await createJob({ ...PULL, simType: 'simD', simulator: standIn('simD', standIns, { 1: behaviour }) });
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({
      taskState: 'FAILED',
      failure: expect.stringMatching(new RegExp(`^${code}: ${failure.source.slice(1)}`)),
    });
    expect(job.text(1, 'log')).toMatch(new RegExp(failure.source.replace('$', '\n').slice(1)));
    expect(job.names(1)).toEqual(['end.json', 'log', 'progress.json']);
  });

  it('when its simulator tells no progress for too long, each time that it is tried', async () => {
    const { createJob, standIns } = fixture();
    const simulator = standIn('simD', standIns, { 1: 'hang' });
    const limits = { stallLimitMs: 500, stallRetriesMax: 1 };
    const job = await createJob({ ...PULL, simType: 'simD', simulator, limits });
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(1);
    const failure = 'TASK_STALLED: the simulator was stopped: it has made no progress for too long';
    expect(job.end(1)).toMatchObject({ taskState: 'FAILED', failure });
    expect(job.text(1, 'log').match(/^stopping the simulator: .*no progress/gm)).toHaveLength(2);
    expect(job.names(1)).toEqual(['end.json', 'log', 'progress.json']);
  });

  it('not when its simulator tells no progress once', async () => {
    const { createJob, standIns } = fixture();
    const { executable, args, env, version } = standIn('simD', standIns);
    const hangOnce = `if mkdir "$STAND_IN_DIRECTORY/hung"; then export STAND_IN_BEHAVIOURS='{"1":"hang"}'; fi; exec "$@"`;
    const simulator = { executable: '/bin/sh', args: ['-c', hangOnce, 'sh', executable, ...args], env, version };
    const job = await createJob({ ...PULL, simType: 'simD', simulator, limits: { stallLimitMs: 5_000 } });
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(0);
    expect(job.end(1)).toMatchObject({ taskState: 'COMPLETED', simulatedPrimaries: 200 });
    expect(job.text(1, 'log')).toContain('no progress for too long; it is started again');
  });

  it('when there is no such executable', async () => {
    const simulator = { executable: '/nonexistent/simD', args: [], env: {}, version: '1' };
    const job = await fixture().createJob({ ...PULL, simType: 'simD', simulator });
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({ failure: 'SIMULATOR_UNSTARTABLE: the simulator could not be started: ENOENT' });
  });

  it('when others can read the update key', async () => {
    const job = await fixture().createJob();
    rmSync(job.path('update.key'));
    writeFileSync(job.path('update.key'), UPDATE_KEY, { mode: 0o640 });
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({ failure: 'HELPER_FAILED: update.key: others may read it; it must be 0600' });
    expect(fixture().gateway.requests).toEqual([]);
  });
});

describe('a task that the scheduler stops', () => {
  const STOPPED = 'stopped by the scheduler before it was finished (wall time limit or cancellation)';

  it('ends its simulator, delivers its log, and leaves the word to the scheduler', async () => {
    const { createJob, standIns, start, gateway } = fixture();
    const job = await createJob({ simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() => gateway.updates.some(({ simulated_primaries }) => simulated_primaries === 100));
    helper.child.kill('SIGTERM');
    expect((await helper.ended).exitCode).toBe(STOPPED_EXIT_CODE);
    expect(processesNaming(job.folder)).toEqual([]);
    expect(job.names(1)).not.toContain('end.json');
    expect(gateway.updates.map(({ task_state }) => task_state)).not.toContain('FAILED');
    expect(gateway.logs.get(1)).toContain(`stopping the simulator: ${STOPPED}`);
    expect(job.delivered(1)).toMatchObject({ end: false, output: false });
    expect(job.names(1).filter((name) => name.startsWith('work-'))).toEqual([]);
  });

  it('is stopped by the scheduler also when its simulator gets the signal first', async () => {
    const { createJob, standIns, start } = fixture();
    const job = await createJob({ ...PULL, simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() => readStandInNotes(standIns).length === 1);
    const others = await waitFor(() => {
      const found = processesNaming(path.join(job.folder, 'tasks'));
      return found.length > 0 && found;
    });
    for (const pid of others) process.kill(pid, 'SIGTERM');
    await waitFor(() => processesNaming(path.join(job.folder, 'tasks')).length === 0);
    helper.child.kill('SIGTERM');
    expect((await helper.ended).exitCode).toBe(STOPPED_EXIT_CODE);
    expect(job.names(1)).not.toContain('end.json');
  });

  it('has a second to live when nobody answers', async () => {
    const { createJob, standIns, start, gateway } = fixture();
    gateway.refuse(() => ({ status: 503 }));
    const limits = { stoppedDeliveryTimeLimitMs: 1_000 };
    const job = await createJob({ limits, simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const helper = start(runTask(job.folder));
    await waitFor(() => readStandInNotes(standIns).length === 1);
    const stoppedAt = performance.now();
    helper.child.kill('SIGTERM');
    const { exitCode, printed } = await helper.ended;
    expect(exitCode).toBe(STOPPED_EXIT_CODE);
    expect(performance.now() - stoppedAt).toBeLessThan(job.job.limits.deliveryTimeLimitMs / 2);
    expect(printed).toContain('task 1: unfinished: POST /logfiles: status 503');
  });
});

describe('a task whose job is stopped', () => {
  const PRIMARIES = 1_000_000_000;
  const LONG = { primaries: PRIMARIES, taskCount: 1 };
  const endsEarly = (job: Awaited<ReturnType<ReturnType<typeof fixture>['createJob']>>) => {
    const { taskState, simulatedPrimaries } = job.end(1);
    expect(taskState).toBe('COMPLETED');
    expect(simulatedPrimaries).toBeLessThan(PRIMARIES);
    expect(decodeTaskOutput(readFileSync(job.path('tasks/1/output.bin'))).primaries).toBe(simulatedPrimaries);
    return simulatedPrimaries;
  };

  it('ends early and delivers what it has simulated, told by the gateway', async () => {
    const { createJob, start, gateway } = fixture();
    const job = await createJob(LONG);
    const helper = start(runTask(job.folder));
    await waitFor(() => gateway.updates.some(({ simulated_primaries }) => simulated_primaries > 0));
    gateway.finish();
    expect((await helper.ended).exitCode).toBe(0);
    const simulated = endsEarly(job);
    expect(gateway.updates.at(-1)).toMatchObject({ task_state: 'COMPLETED', simulated_primaries: simulated });
  });

  it('learns it from the folder of its job where nodes do not reach the gateway', async () => {
    const job = await fixture().createJob({ ...PULL, ...LONG });
    writeFileSync(job.path('finish'), '');
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(0);
    endsEarly(job);
  });

  it('hands over nothing where its simulator has no output before its end', async () => {
    const { createJob, standIns } = fixture();
    const job = await createJob({ ...PULL, simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    writeFileSync(job.path('finish'), '');
    expect((await runHelper(runTask(job.folder))).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({ taskState: 'FAILED', failure: expect.stringContaining('the job was stopped') });
  });
});

describe('a task whose node is lost', () => {
  it('begins anew where the scheduler starts it again, and ends as if nothing had been', async () => {
    const { createJob, standIns, start } = fixture();
    const job = await createJob({ ...PULL, simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const lost = start(runTask(job.folder), { env: { SLURM_JOB_ID: '7' } });
    await waitFor(() => readStandInNotes(standIns).length === 1);
    for (const pid of [lost.pid, ...processesNaming(path.join(job.folder, 'tasks'))]) process.kill(pid, 'SIGKILL');
    await lost.ended;
    job.change({ simulator: standIn('simC', standIns) });
    rmSync(path.join(standIns, 'task-1'), { force: true, recursive: true });
    const again = { env: { SLURM_JOB_ID: '7', SLURM_RESTART_COUNT: '1' } };
    expect((await runHelper(runTask(job.folder), again)).exitCode).toBe(0);
    expect(job.end(1).taskState).toBe('COMPLETED');
    expect(job.text(1, 'log').match(/run 7-\d/g)).toEqual(['run 7-0', 'run 7-1']);
    expect(decodeTaskOutput(readFileSync(job.path('tasks/1/output.bin'))).primaries).toBe(200);
  });

  it('FAILS when that has happened too often', async () => {
    const job = await fixture().createJob({ ...PULL, limits: { restartsMax: 2 } });
    const restarted = (times: number) => ({ env: { SLURM_RESTART_COUNT: String(times) } });
    expect((await runHelper(runTask(job.folder), restarted(3))).exitCode).toBe(1);
    expect(job.end(1)).toMatchObject({
      failure: 'HELPER_FAILED: the cluster has stopped and started it again 2 times, and may no more',
    });
    expect((await runHelper(runTask(job.folder, 2), restarted(2))).exitCode).toBe(0);
  });
});

describe('two runs of a task at once', () => {
  it('end as one, and the other stops', async () => {
    const { createJob, standIns, start, gateway } = fixture();
    const job = await createJob({ simType: 'simC', simulator: standIn('simC', standIns, { 1: 'hang' }) });
    const first = start(runTask(job.folder), { env: { SLURM_JOB_ID: '1' } });
    await waitFor(() => job.text(1, 'log').includes('run 1-0'));
    job.change({ simulator: standIn('simC', standIns) }); // the second run ends well
    rmSync(path.join(standIns, 'task-1'), { force: true, recursive: true });
    const second = start(runTask(job.folder), { env: { SLURM_JOB_ID: '2' } });
    expect((await second.ended).exitCode).toBe(0);
    const end = job.text(1, 'end.json');
    expect((await first.ended).exitCode).toBe(0); // the task is COMPLETED, whoever has done it
    expect(job.text(1, 'end.json')).toBe(end);
    expect(job.end(1).taskState).toBe('COMPLETED');
    expect(job.text(1, 'log')).toContain('another run of the task has ended');
    expect(gateway.updates.filter(({ task_state }) => task_state === 'FAILED')).toEqual([]);
    expect(job.names(1)).toEqual(['delivered.json', 'end.json', 'log', 'output.bin', 'progress.json']);
  });

  it('give the same output when both end well', async () => {
    const job = await fixture().createJob(PULL);
    const ends = await Promise.all([1, 2, 3].map(() => runHelper(runTask(job.folder))));
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    const output = decodeTaskOutput(readFileSync(job.path('tasks/1/output.bin')));
    expect(output.primaries).toBe(200);
    expect(job.names(1)).toEqual(['end.json', 'log', 'output.bin', 'progress.json']);
  });
});
