import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { jobFile } from '@tally/batch-helper';
import { waitFor } from '@tally/testkit';
import { markerOf } from '../../src/domain/submission.js';
import { useEnvironment } from '../environment.js';
import { UPDATE_KEY } from '../fake-services.js';

const environment = useEnvironment();
const modeOf = (file: string) => statSync(file).mode & 0o777;

describe('SubmitBatch OK, submitted', () => {
  it('takes a job to the scheduler: folder, one array, and the collect job behind it', async () => {
    environment.setCredential();
    const { submit } = await environment.start({ gatewayUrl: 'https://tally.example' });
    const jobId = environment.newJob(4, { 'input.txt': 'first\n', 'geo.dat': 'second\n' });
    expect(await submit(jobId)).toEqual({ $case: 'submitted', value: {} });

    const folder = environment.folderOf(jobId);
    expect(modeOf(folder)).toBe(0o700);
    expect(modeOf(`${folder}/update.key`)).toBe(0o600);
    expect(readFileSync(`${folder}/update.key`, 'utf8').trim()).toBe(UPDATE_KEY);
    expect(readFileSync(`${folder}/deck/geo.dat`, 'utf8')).toBe('second\n');
    const job = jobFile.parse(readFileSync(`${folder}/job.json`));
    expect(job).toMatchObject({ jobId, simType: 'simA', seed: '12345678901234567890', simulator: null });
    expect(job.gateway).toEqual({ url: 'https://tally.example', caFile: null });
    expect(job.tasks[3]).toEqual({ taskId: 4, primaries: 10, firstHistory: 30 });
    expect(readFileSync(`${folder}/job.json`, 'utf8')).not.toContain(UPDATE_KEY);

    const names = new Set(environment.rows(jobId).map(({ name }) => name));
    expect(names).toEqual(new Set([markerOf(jobId, 0), markerOf(jobId, 1)]));
    const [report] = environment.services.job(jobId).reports;
    expect(report).toMatchObject({ jobDir: folder, waitingReason: '' });
    expect(String(report?.arrayId)).toBe(environment.rows(jobId).find(({ name }) => name === markerOf(jobId, 1))?.id);

    await waitFor(() => readdirSync(folder).includes('ran-collect'), { what: 'the collect job' });
    const ran = readdirSync(folder).filter((name) => name.startsWith('ran-'));
    expect(ran.sort()).toEqual(['ran-1', 'ran-2', 'ran-3', 'ran-4', 'ran-collect']);
    expect(readFileSync(`${folder}/ran-3`, 'utf8')).toBe(`run --folder ${folder} --task 3`);
  });

  it('needs no second request for what its tasks simulate, and stores no key, also when the service restarts', async () => {
    const first = await environment.start();
    const jobId = environment.newJob(3);
    expect(await first.submit(jobId)).toMatchObject({ $case: 'underway' }); // no certificate
    await first.stop();
    const stored = async () =>
      JSON.stringify(await environment.query(`SELECT * FROM submissions WHERE job_id = '${jobId}'`));
    expect(await stored()).toContain('12345678901234567890');
    expect(await stored()).not.toContain(UPDATE_KEY);
    environment.setCredential();
    await environment.start();
    const { reports } = environment.services.job(jobId);
    await waitFor(() => reports.at(-1)?.jobDir !== undefined, { what: 'the submission' });
    const job = jobFile.parse(readFileSync(`${environment.folderOf(jobId)}/job.json`));
    expect(job.tasks.map(({ taskId, firstHistory }) => [taskId, firstHistory])).toEqual([
      [1, 0],
      [2, 10],
      [3, 20],
    ]);
    expect(await stored()).not.toContain('12345678901234567890'); // not needed any more
  });
});

describe('SubmitBatch OK, arrays', () => {
  it('cuts tasks into arrays no larger than the cluster takes; each task keeps its number', async () => {
    environment.setCredential();
    const { submit } = await environment.start({ clusters: [environment.settings({ arrayTasksMax: 2 })] });
    const jobId = environment.newJob(5);
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    const folder = environment.folderOf(jobId);
    await waitFor(() => readdirSync(folder).includes('ran-collect'), { what: 'the collect job' });
    const names = new Set(environment.rows(jobId).map(({ name }) => name));
    expect(names).toEqual(new Set([0, 1, 2, 3].map((ordinal) => markerOf(jobId, ordinal))));
    expect([1, 2, 3, 4, 5].filter((task) => readdirSync(folder).includes(`ran-${task}`))).toHaveLength(5);
  });

  it('is found by its marker when the service dies between sbatch and the row, and not submitted again', async () => {
    environment.setCredential();
    const first = await environment.start();
    const jobId = environment.newJob(3);
    expect(await first.submit(jobId)).toMatchObject({ $case: 'submitted' });
    await first.stop();
    const before = environment.rows(jobId);
    await environment.query(`UPDATE submissions SET phase = 'uploaded', due_at = now() WHERE job_id = '${jobId}'`);
    await environment.query(
      `UPDATE scheduler_jobs SET scheduler_job_id = NULL, known_at = NULL WHERE job_id = '${jobId}'`,
    );

    const second = await environment.start({ markerGraceMs: 60_000 });
    expect(await second.submit(jobId)).toMatchObject({ $case: 'submitted' });
    const idsOf = (rows: typeof before) => new Set(rows.map(({ id }) => id));
    expect(idsOf(environment.rows(jobId))).toEqual(idsOf(before));
    const stored = await environment.query(
      `SELECT scheduler_job_id AS id FROM scheduler_jobs WHERE job_id = '${jobId}'`,
    );
    expect(new Set(stored.map(({ id }) => id))).toEqual(idsOf(before));
  });

  it('calls sbatch again when the scheduler does not know the marker for the grace', async () => {
    environment.setCredential();
    const { submit } = await environment.start({ roundMs: 50 });
    const jobId = environment.newJob(1);
    // the service died after the note and before sbatch
    await environment.query(`
      INSERT INTO submissions (job_id, user_id, cluster_name, options, phase, desired, last_task, accepted_at, username, task_count)
      VALUES ('${jobId}', 7, 'test', '{"partition":"batch","wallTimeSeconds":600,"memoryMib":100}', 'uploaded', 'run', 1,
              now(), '${environment.cluster.facts.users.cert.name}', 1)`);
    await environment.query(`
      INSERT INTO scheduler_jobs (job_id, ordinal, first_task, task_count, attempted_at)
      VALUES ('${jobId}', 0, 0, 0, NULL), ('${jobId}', 1, 1, 1, now())`);
    environment.shell(`mkdir -m 700 ${environment.folderOf(jobId)}`);
    await environment.query(`UPDATE submissions SET due_at = now() WHERE job_id = '${jobId}'`);
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    expect(environment.rows(jobId).filter(({ name }) => name === markerOf(jobId, 1))).toHaveLength(1);
  });

  it('runs on a cluster without Node.js: the service brings its own, once', async () => {
    environment.setCredential();
    const { submit } = await environment.start({ clusters: [environment.settings({ nodeProgram: null })] });
    const jobs = [environment.newJob(1), environment.newJob(1)];
    for (const jobId of jobs) expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    for (const jobId of jobs) {
      const ran = () => readdirSync(environment.folderOf(jobId)).includes('ran-1');
      await waitFor(ran, { what: 'the task' });
    }
    const programs = readdirSync(`${environment.cluster.facts.users.cert.home}/.tally`);
    expect(programs.filter((name) => name.startsWith('node-'))).toHaveLength(1);
  });

  it('is done by one of several copies, over one connection of the user', async () => {
    environment.setCredential();
    const logins = () =>
      readFileSync(environment.cluster.facts.ssh.log, 'utf8').match(/Accepted publickey/g)?.length ?? 0;
    const before = logins();
    const copies = [await environment.start(), await environment.start(), await environment.start()];
    const jobIds = copies.map(() => environment.newJob(2));
    const outcomes = await Promise.all(copies.map(({ submit }, i) => submit(jobIds[i] ?? environment.newJob(1))));
    expect(outcomes.map((outcome) => outcome?.$case)).toEqual(['submitted', 'submitted', 'submitted']);
    for (const jobId of jobIds) expect(new Set(environment.rows(jobId).map(({ id }) => id)).size).toBe(2);
    expect(logins()).toBe(before + 1);
  });
});

describe('SubmitBatch OK, cost', () => {
  it('is one login and a dozen commands and transfers, whatever the number of tasks and files', async () => {
    environment.setCredential();
    const { client, submit } = await environment.start({ pollIntervalMs: 60_000 });
    const deck = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`file-${i}.dat`, `content ${i}`]));
    const jobId = environment.newJob(1_000, deck);
    const counts = () => {
      const log = readFileSync(environment.cluster.facts.ssh.log, 'utf8');
      return ['Accepted publickey', 'Starting session'].map((words) => log.split(words).length);
    };
    const before = counts();
    expect(await submit(jobId)).toMatchObject({ $case: 'submitted' });
    const [logins = 0, sessions = 0] = counts().map((count, i) => count - (before[i] ?? 0));
    expect(logins).toBe(1);
    expect(sessions).toBeLessThanOrEqual(12);
    expect(environment.services.job(jobId).reports).toHaveLength(1);
    await client.cancelBatch({ jobId, lastTask: 0 });
    await waitFor(() => environment.rows(jobId).every(({ state }) => state !== 'PENDING' && state !== 'RUNNING'), {
      what: 'the cancel',
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
    environment.setCredential();
    const { submit } = await environment.start({ clusters: [environment.settings(change())] });
    const jobId = environment.newJob(2);
    expect(await submit(jobId)).toEqual(failed(reason, words));
    expect(environment.services.log(jobId, 'submission')).toMatch(words);
    await waitFor(() => environment.services.job(jobId).reports.length > 0, { what: 'the report' });
    expect(environment.services.job(jobId).reports.at(-1)?.end?.failure).toMatch(words);
    expect(environment.rows(jobId)).toEqual([]);
  });

  it('at once when the login is refused', async () => {
    environment.setCredential(environment.cluster.facts.badCertificates.untrustedCa);
    const { submit } = await environment.start();
    expect(await submit(environment.newJob(2))).toEqual(failed('LOGIN_REFUSED', 'refused the login'));
  });

  it('with the message of the scheduler', async () => {
    environment.setCredential();
    const partitions = [{ name: 'nowhere', wallTimeSecondsMax: 600, memoryMibMax: 1_000 }];
    const { submit } = await environment.start({ clusters: [environment.settings({ partitions })] });
    const jobId = environment.newJob(2);
    expect(await submit(jobId)).toEqual(failed('SCHEDULER_REFUSED', /partition/));
    expect(environment.services.log(jobId, 'submission')).toMatch(/invalid partition/);
  });

  it('when the deck is too large for a cluster', async () => {
    environment.setCredential();
    const { submit } = await environment.start({ deckBytesMax: 1_000 });
    const jobId = environment.newJob(1, { 'input.txt': 'x'.repeat(1_001) });
    expect(await submit(jobId)).toEqual(failed('DECK_TOO_LARGE', 'larger'));
  });

  it('when the job was canceled before it was known', async () => {
    const { client, submit } = await environment.start();
    const jobId = environment.newJob(1);
    await client.cancelBatch({ jobId, lastTask: 0 });
    expect(await submit(jobId)).toEqual(failed('SUBMISSION_REVOKED', 'canceled or deleted'));
  });
});

describe('SubmitBatch OK, underway', () => {
  it('says that it waits for a certificate, and submits when there is one', async () => {
    environment.setCredential(environment.cluster.facts.badCertificates.expired);
    const { submit } = await environment.start({ retryFirstMs: 60_000, retryMaxMs: 60_000 });
    const jobId = environment.newJob(2);
    const waitingReason = expect.stringMatching(/expired at 2020-01-0/);
    expect(await submit(jobId)).toEqual({ $case: 'underway', value: { waitingReason } });
    expect(environment.services.job(jobId).reports).toEqual([expect.objectContaining({ waitingReason })]);
    expect(environment.rows(jobId)).toEqual([]);
    environment.setCredential();
    // jobs repeats its command: the job is due then
    await waitFor(async () => (await submit(jobId, {}, 2_000))?.$case === 'submitted', { what: 'the submission' });
    expect(environment.services.job(jobId).reports.at(-1)).toMatchObject({ waitingReason: '' });
  });

  it('says that there is no certificate at all', async () => {
    const { submit } = await environment.start();
    const waitingReason = expect.stringContaining('No valid SSH credential');
    expect(await submit(environment.newJob(2))).toEqual({ $case: 'underway', value: { waitingReason } });
  });

  it('is answered when the wait is over', async () => {
    const { submit } = await environment.start();
    environment.services.down.add('auth');
    const startMs = performance.now();
    expect(await submit(environment.newJob(2), {}, 700)).toEqual({ $case: 'underway', value: { waitingReason: '' } });
    expect(performance.now() - startMs).toBeLessThan(30_000);
  });

  it('finds the first on a repeat, whatever the configuration says by now', async () => {
    environment.setCredential();
    const { submit } = await environment.start();
    const jobId = environment.newJob(1);
    await submit(jobId);
    const again = await submit(jobId, { clusterName: 'gone', schedulerOptionsJson: Buffer.from('{"x":1}') });
    expect(again).toMatchObject({ $case: 'submitted' });
    expect(new Set(environment.rows(jobId).map(({ id }) => id)).size).toBe(2);
  });
});

describe('SubmitBatch INVALID_ARGUMENT', () => {
  it.each([
    ['CLUSTER_UNKNOWN', { clusterName: 'nowhere' }],
    ['OPTION_INVALID', { schedulerOptionsJson: Buffer.from('{"partition":"$(touch canary)"}') }],
    ['OPTION_INVALID', { schedulerOptionsJson: Buffer.from('[]') }],
    ['JOB_ID_INVALID', { jobId: '../../etc' }],
  ] as const)('%s', async (reason, request) => {
    const { submit } = await environment.start();
    await expect(submit(environment.newJob(1), request)).rejects.toMatchObject({ reason, status: 'INVALID_ARGUMENT' });
  });
});

describe('SubmitBatch PERMISSION_DENIED', () => {
  it('is for jobs alone', async () => {
    const { clientOf } = await environment.start();
    const call = clientOf('gateway').submitBatch({
      jobId: '',
      userId: 1n,
      clusterName: '',
      schedulerOptionsJson: Buffer.alloc(0),
    });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
