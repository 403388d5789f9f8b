import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import {
  type BatchSuite,
  batchBody,
  batchEnded,
  batchReached,
  startBatchSuite,
  submitBatch,
} from '../fixtures/batch-fixture.js';
import { exampleProject } from '../fixtures/suite-fixture.js';

const PROJECT = exampleProject('proton-150mev-water', 200);

describe('a certificate that has expired', () => {
  let suite: BatchSuite;
  beforeAll(async () => {
    // over before it is used: signed for the past
    suite = await startBatchSuite({ cluster: { nodes: 1 }, validity: '-2h:-1h', runners: 0 });
  });
  afterAll(() => suite?.stop());

  it('lets a job wait and say why; nothing is sent to the cluster', async () => {
    const user = await suite.newSsoSession();
    const jobId = await submitBatch(user, { ntasks: 1, project: PROJECT });
    const { job_state, waiting_reason } = await batchReached(
      user,
      jobId,
      (status) => status.waiting_reason !== undefined,
    );
    expect(job_state).toBe('PENDING');
    expect(waiting_reason).toMatch(/certificate|credential/i);
    expect(suite.loginCount()).toBe(0);
    const { job_state: canceled } = await user.request('DELETE', '/jobs/batch', { query: { job_id: jobId } });
    expect(canceled).toBe('CANCELED');
  });
});

describe('a host key that is not the pinned one', () => {
  let suite: BatchSuite;
  let user: HttpSession;
  beforeAll(async () => {
    suite = await startBatchSuite({ cluster: { nodes: 1 }, runners: 1 });
    user = await suite.newSsoSession();
  });
  afterAll(() => suite?.stop());

  it('stops everything for the cluster, with a clear reason', async () => {
    const first = await submitBatch(user, { ntasks: 1, project: PROJECT });
    expect((await batchEnded(user, first)).job_state).toBe('COMPLETED');
    const { dir } = suite.cluster.facts;
    await suite.cluster.fault('crash', 'sshd');
    suite.slurm(
      'bash',
      '-c',
      [
        `rm -f ${dir}/ssh/host_ed25519* ${dir}/ssh/host_rsa*`,
        `ssh-keygen -q -t ed25519 -N '' -f ${dir}/ssh/host_ed25519`,
        `ssh-keygen -q -t rsa -b 3072 -N '' -f ${dir}/ssh/host_rsa`,
      ].join(' && '),
    );
    await suite.cluster.fault('start', 'sshd');
    const logins = suite.loginCount();
    const answer = await waitFor(
      async () => {
        const tried = await user.send<{ code: string; message: string }>('POST', '/jobs/batch', {
          body: batchBody({ ntasks: 1, project: PROJECT }),
        });
        return /host key/.test(tried.body.message) ? tried : undefined;
      },
      { what: 'the refusal of the foreign key', intervalMs: 500 },
    );
    expect(answer.status).toBe(500);
    expect(suite.loginCount()).toBe(logins);
  });
});

describe('secrets', () => {
  let suite: BatchSuite;
  beforeAll(async () => {
    suite = await startBatchSuite({ cluster: { nodes: 1 } });
  });
  afterAll(() => suite?.stop());

  it('of a job stand in its key file, and neither in scripts, arguments, logs nor answers', async () => {
    const user = await suite.newSsoSession();
    const jobId = await submitBatch(user, { ntasks: 1, project: PROJECT });
    const key = readFileSync(path.join(suite.jobFolder(jobId), 'update.key'), 'utf8').trim();
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    await batchEnded(user, jobId);
    const texts = [
      suite.calls('sbatch').join(),
      suite.slurm('sacct', '-n', '-P', '-o', 'ALL'),
      ...suite.names().map((name) => readFileSync(path.join(suite.directory, `${name}.log`), 'utf8')),
      JSON.stringify((await user.send('GET', `/jobs/batch?job_id=${jobId}`)).body),
      JSON.stringify((await user.send('GET', `/logfiles?job_id=${jobId}`)).body),
    ];
    for (const text of texts) expect(text.includes(key)).toBe(false);
  });
});
