import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { jobFile } from '@tally/batch-helper';
import { waitFor } from '@tally/testkit';
import { markerOf } from '../../src/domain/submission.js';
import { UPDATE_KEY } from '../neighbours.js';
import { useWorld } from '../world.js';

jest.setTimeout(90_000);
const world = useWorld();
const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('SubmitBatch OK, submitted', () => {
  it('takes a job to the scheduler: folder, one array, and the collect job behind it', async () => {
    world.setCredential();
    const { submit } = await world.start({ gatewayUrl: 'https://tally.example' });
    const jobId = world.newJob(4, { 'input.txt': 'first\n', 'geo.dat': 'second\n' });
    expect(await submit(jobId)).toEqual({ $case: 'submitted', value: {} });

    const folder = world.folderOf(jobId);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(`${folder}/update.key`)).toBe(0o600);
    expect(readFileSync(`${folder}/update.key`, 'utf8').trim()).toBe(UPDATE_KEY);
    expect(readFileSync(`${folder}/deck/geo.dat`, 'utf8')).toBe('second\n');
    const job = jobFile.parse(readFileSync(`${folder}/job.json`));
    expect(job).toMatchObject({ jobId, simType: 'simA', seed: '12345678901234567890', simulator: null });
    expect(job.gateway).toEqual({ url: 'https://tally.example', caFile: null });
    expect(job.tasks[3]).toEqual({ taskId: 4, primaries: 10, firstHistory: 30 });
    expect(readFileSync(`${folder}/job.json`, 'utf8')).not.toContain(UPDATE_KEY);

    const names = new Set(world.rows(jobId).map(({ name }) => name));
    expect(names).toEqual(new Set([markerOf(jobId, 0), markerOf(jobId, 1)]));
    const [report] = world.neighbours.job(jobId).reports;
    expect(report).toMatchObject({ jobDir: folder, waitingReason: '' });
    expect(String(report?.arrayId)).toBe(world.rows(jobId).find(({ name }) => name === markerOf(jobId, 1))?.id);

    await waitFor(() => readdirSync(folder).includes('ran-collect'), { what: 'the collect job', timeoutMs: 60_000 });
    const ran = readdirSync(folder).filter((name) => name.startsWith('ran-'));
    expect(ran.sort()).toEqual(['ran-1', 'ran-2', 'ran-3', 'ran-4', 'ran-collect']);
    expect(readFileSync(`${folder}/ran-3`, 'utf8')).toBe(`run --folder ${folder} --task 3`);
  });
});

describe('SubmitBatch OK, arrays', () => {
  it('cuts tasks into arrays no larger than the cluster takes; each task keeps its number', async () => {
    world.setCredential();
    const { submit } = await world.start({ clusters: [world.settings({ arrayTasksMax: 2 })] });
    const jobId = world.newJob(5);
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    const folder = world.folderOf(jobId);
    await waitFor(() => readdirSync(folder).includes('ran-collect'), { what: 'the collect job', timeoutMs: 60_000 });
    const names = new Set(world.rows(jobId).map(({ name }) => name));
    expect(names).toEqual(new Set([0, 1, 2, 3].map((ordinal) => markerOf(jobId, ordinal))));
    expect([1, 2, 3, 4, 5].filter((task) => readdirSync(folder).includes(`ran-${task}`))).toHaveLength(5);
  });

  it('is found by its marker when the service dies between sbatch and the row, and not submitted again', async () => {
    world.setCredential();
    const first = await world.start();
    const jobId = world.newJob(3);
    expect(await first.submit(jobId)).toMatchObject({ $case: 'submitted' });
    await first.stop();
    const before = world.rows(jobId);
    await world.query(`UPDATE submissions SET phase = 'uploaded', due_at = now() WHERE job_id = '${jobId}'`);
    await world.query(`UPDATE scheduler_jobs SET scheduler_job_id = NULL, known_at = NULL WHERE job_id = '${jobId}'`);

    const second = await world.start({ markerGraceMs: 60_000 });
    expect(await second.submit(jobId)).toMatchObject({ $case: 'submitted' });
    const idsOf = (rows: typeof before) => new Set(rows.map(({ id }) => id));
    expect(idsOf(world.rows(jobId))).toEqual(idsOf(before));
    const stored = await world.query(`SELECT scheduler_job_id AS id FROM scheduler_jobs WHERE job_id = '${jobId}'`);
    expect(new Set(stored.map(({ id }) => id))).toEqual(idsOf(before));
  });

  it('calls sbatch again when the scheduler does not know the marker for the grace', async () => {
    world.setCredential();
    const { submit } = await world.start({ roundMs: 50 });
    const jobId = world.newJob(1);
    // the service died after the note and before sbatch
    await world.query(`
      INSERT INTO submissions (job_id, user_id, cluster_name, options, phase, created_at, due_at, username, task_count)
      VALUES ('${jobId}', 7, 'test', '{"partition":"batch","wallTimeSeconds":600,"memoryMib":100}', 'uploaded', now(), NULL,
              '${world.cluster.facts.users.cert.name}', 1)`);
    await world.query(`
      INSERT INTO scheduler_jobs (job_id, ordinal, first_task, task_count, attempted_at)
      VALUES ('${jobId}', 0, 0, 0, NULL), ('${jobId}', 1, 1, 1, now())`);
    world.shell(`mkdir -m 700 ${world.folderOf(jobId)}`);
    await world.query(`UPDATE submissions SET due_at = now() WHERE job_id = '${jobId}'`);
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    expect(world.rows(jobId).filter(({ name }) => name === markerOf(jobId, 1))).toHaveLength(1);
  });

  it('runs on a cluster without Node.js: the service brings its own, once', async () => {
    world.setCredential();
    const { submit } = await world.start({ clusters: [world.settings({ nodeProgram: null })] });
    const jobs = [world.newJob(1), world.newJob(1)];
    for (const jobId of jobs) expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    for (const jobId of jobs) {
      const ran = () => readdirSync(world.folderOf(jobId)).includes('ran-1');
      await waitFor(ran, { what: 'the task', timeoutMs: 60_000 });
    }
    const programs = readdirSync(`${world.cluster.facts.users.cert.home}/.tally`);
    expect(programs.filter((name) => name.startsWith('node-'))).toHaveLength(1);
  });

  it('is done by one of several copies, over one connection of the user', async () => {
    world.setCredential();
    const logins = () => readFileSync(world.cluster.facts.ssh.log, 'utf8').match(/Accepted publickey/g)?.length ?? 0;
    const copies = [await world.start(), await world.start(), await world.start()];
    const before = logins();
    const jobIds = copies.map(() => world.newJob(2));
    const outcomes = await Promise.all(copies.map(({ submit }, i) => submit(jobIds[i] ?? world.newJob(1))));
    expect(outcomes.map((outcome) => outcome?.$case)).toEqual(['submitted', 'submitted', 'submitted']);
    for (const jobId of jobIds) expect(new Set(world.rows(jobId).map(({ id }) => id)).size).toBe(2);
    expect(logins()).toBe(before + 1);
  });
});

describe('SubmitBatch OK, cost', () => {
  it('is one login and a dozen commands and transfers, whatever the number of tasks and files', async () => {
    world.setCredential();
    const { client, submit } = await world.start({ pollIntervalMs: 60_000 });
    const deck = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`file-${i}.dat`, `content ${i}`]));
    const jobId = world.newJob(1_000, deck);
    const counts = () => {
      const log = readFileSync(world.cluster.facts.ssh.log, 'utf8');
      return ['Accepted publickey', 'Starting session'].map((words) => log.split(words).length);
    };
    const before = counts();
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    const [logins = 0, sessions = 0] = counts().map((count, i) => count - (before[i] ?? 0));
    expect(logins).toBe(1);
    expect(sessions).toBeLessThanOrEqual(12);
    expect(world.neighbours.job(jobId).reports).toHaveLength(1);
    await client.cancelBatch({ jobId });
    await waitFor(() => world.rows(jobId).every(({ state }) => state !== 'PENDING' && state !== 'RUNNING'), {
      what: 'the cancel',
      timeoutMs: 60_000,
    });
  });
});

describe('SubmitBatch OK, failed', () => {
  const failed = (reason: string, message: string | RegExp) => ({
    $case: 'failed',
    value: { reason, message: expect.stringMatching(message) },
  });

  it.each([
    ['CLUSTER_UNREACHABLE', 'ECONNREFUSED', () => ({ port: 1 })],
    ['HOST_KEY_CHANGED', 'host key', () => ({ hostKeys: [`ssh-ed25519 ${'A'.repeat(68)}`] })],
    ['UPLOAD_DAMAGED', 'mkdir', () => ({ scratchFolder: '/proc/tally' })],
  ] as const)('at once when the cluster cannot be used: %s', async (reason, words, change) => {
    world.setCredential();
    const { submit } = await world.start({ clusters: [world.settings(change())] });
    const jobId = world.newJob(2);
    expect(await submit(jobId)).toEqual(failed(reason, words));
    expect(world.neighbours.log(jobId, 'submission')).toMatch(words);
    await waitFor(() => world.neighbours.job(jobId).reports.length > 0, { what: 'the report' });
    expect(world.neighbours.job(jobId).reports.at(-1)?.end?.failure).toMatch(words);
    expect(world.rows(jobId)).toEqual([]);
  });

  it('at once when the login is refused', async () => {
    world.setCredential(world.cluster.facts.badCertificates.untrustedCa);
    const { submit } = await world.start();
    expect(await submit(world.newJob(2))).toEqual(failed('LOGIN_REFUSED', 'refused the login'));
  });

  it('with the words of the scheduler', async () => {
    world.setCredential();
    const partitions = [{ name: 'nowhere', wallTimeSecondsMax: 600, memoryMibMax: 1_000 }];
    const { submit } = await world.start({ clusters: [world.settings({ partitions })] });
    const jobId = world.newJob(2);
    expect(await submit(jobId)).toEqual(failed('SCHEDULER_REFUSED', /partition/));
    expect(world.neighbours.log(jobId, 'submission')).toMatch(/invalid partition/);
  });

  it('when the deck is too large for a cluster', async () => {
    world.setCredential();
    const { submit } = await world.start({ deckBytesMax: 1_000 });
    const jobId = world.newJob(1, { 'input.txt': 'x'.repeat(1_001) });
    expect(await submit(jobId)).toEqual(failed('DECK_TOO_LARGE', 'larger'));
  });

  it('when the job was canceled before it was known', async () => {
    const { client, submit } = await world.start();
    const jobId = world.newJob(1);
    await client.cancelBatch({ jobId });
    expect(await submit(jobId)).toEqual(failed('SUBMISSION_REVOKED', 'canceled or deleted'));
  });
});

describe('SubmitBatch OK, underway', () => {
  it('says that it waits for a certificate, and goes on when there is one', async () => {
    world.setCredential(world.cluster.facts.badCertificates.expired);
    const { submit } = await world.start({ retryFirstMs: 60_000, retryMaxMs: 60_000 });
    const jobId = world.newJob(2);
    const waitingReason = expect.stringMatching(/expired at 2020-01-0/);
    expect(await submit(jobId)).toEqual({ $case: 'underway', value: { waitingReason } });
    expect(world.neighbours.job(jobId).reports).toEqual([expect.objectContaining({ waitingReason })]);
    expect(world.rows(jobId)).toEqual([]);
    world.setCredential();
    // jobs asks again from time to time: the job is due then
    await waitFor(async () => (await submit(jobId, {}, 2_000))?.$case === 'submitted', { what: 'the submission' });
    expect(world.neighbours.job(jobId).reports.at(-1)).toMatchObject({ waitingReason: '' });
  });

  it('says that there is no certificate at all', async () => {
    const { submit } = await world.start();
    const waitingReason = expect.stringContaining('No valid SSH credential');
    expect(await submit(world.newJob(2))).toEqual({ $case: 'underway', value: { waitingReason } });
  });

  it('is answered when the wait is over', async () => {
    const { submit } = await world.start();
    world.neighbours.down.add('auth');
    const startMs = performance.now();
    expect(await submit(world.newJob(2), {}, 700)).toEqual({ $case: 'underway', value: { waitingReason: '' } });
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('finds the first on a repeat, whatever the configuration says by now', async () => {
    world.setCredential();
    const { submit } = await world.start();
    const jobId = world.newJob(1);
    await submit(jobId);
    const again = await submit(jobId, { clusterName: 'gone', schedulerOptionsJson: Buffer.from('{"x":1}') });
    expect(again).toMatchObject({ $case: 'submitted' });
    expect(new Set(world.rows(jobId).map(({ id }) => id)).size).toBe(2);
  });
});

describe('SubmitBatch INVALID_ARGUMENT', () => {
  it.each([
    ['CLUSTER_UNKNOWN', { clusterName: 'nowhere' }],
    ['OPTION_INVALID', { schedulerOptionsJson: Buffer.from('{"partition":"$(touch canary)"}') }],
    ['OPTION_INVALID', { schedulerOptionsJson: Buffer.from('[]') }],
    ['JOB_ID_INVALID', { jobId: '../../etc' }],
  ] as const)('%s', async (reason, request) => {
    const { submit } = await world.start();
    await expect(submit(world.newJob(1), request)).rejects.toMatchObject({ reason, status: 'INVALID_ARGUMENT' });
  });
});

describe('SubmitBatch PERMISSION_DENIED', () => {
  it('is for jobs alone', async () => {
    const { clientOf } = await world.start();
    const call = clientOf('gateway').submitBatch({
      jobId: '',
      userId: 1n,
      clusterName: '',
      schedulerOptionsJson: Buffer.alloc(0),
    });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
