import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CertificateProxy,
  createTestDatabase,
  HttpSession,
  type OidcProvider,
  startCertificateProxy,
  startOidcProvider,
  type TestDatabase,
} from '@tally/testkit';
import pg from 'pg';
import { ended, exampleProject, reached, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

const PASSWORD = 'Sesame-opens-9f3b1c';
/** What the update keys of jobs are derived from; only jobs has it. */
const MASTER = 'master-of-update-keys-7d1e52c09b6a4f38';
const updateKeyOf = (jobId: string) => createHmac('sha256', MASTER).update(`update_key:${jobId}`).digest('hex');
/** Bodies and cookies of all answers. */
const answers: string[] = [];
let suite: TestSuite;
let queue: TestDatabase;
let realm: OidcProvider;
let proxy: CertificateProxy;
beforeAll(async () => {
  queue = await createTestDatabase();
  realm = await startOidcProvider();
  proxy = await startCertificateProxy({ issuer: realm.issuer, audience: realm.audience });
  const auth = {
    AUTH_LOG_LEVEL: 'debug',
    AUTH_SSO_ISSUER_URL: realm.issuer,
    AUTH_SSO_AUDIENCE: realm.audience,
    AUTH_CERT_PROXY_URL: proxy.url,
  };
  const env = { auth, jobs: { JOBS_LOG_LEVEL: 'debug' }, gateway: { GATEWAY_LOG_LEVEL: 'debug' } };
  suite = await startTestSuite({ queueUrl: queue.url, updateKeyMaster: MASTER, env });
});
afterAll(async () => {
  await suite?.stop();
  await queue?.drop();
  await proxy?.stop();
  await realm?.stop();
});

/** Every row of every table as text; binary columns as they are, read as Latin-1. */
async function dump(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await client.query<Record<string, unknown>>(`SELECT * FROM ${name}`);
    for (const row of rows) {
      const values = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
      );
      parts.push(`${name} ${values.join(' ')}`);
    }
  }
  await client.end();
  return parts.join('\n');
}

const processes = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return ''; // ended in between
      }
    })
    .join('\n');

/** A session whose answers are kept. */
const newSession = () =>
  new HttpSession(suite.gatewayUrl, ({ status, body }) => answers.push(`${status} ${JSON.stringify(body)}`));

/** A worker of the job reports as it should, and as it should not; every call carries the job's key. */
async function reportAsWorker(jobId: string): Promise<void> {
  const worker = newSession();
  const key = { simulation_id: jobId, update_key: updateKeyOf(jobId) };
  const update = { task_id: 1, update_dict: { simulated_primaries: 1 } };
  await worker.call('POST', '/logfiles', { ...key, logfiles: { stdout: 'hello' } });
  const refused = [
    await worker.send('POST', '/tasks', { body: { ...key, task_id: 'one', update_dict: 3 } }),
    await worker.send('POST', '/tasks', { body: { ...key, ...update, task_id: 99 } }),
    await worker.send('POST', '/tasks', { body: { ...key, ...update, update_key: `${key.update_key}0` } }),
    await worker.send('POST', '/logfiles', { body: { ...key, logfiles: 'none' } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([400, 404, 401, 400]);
}

describe('no password, token or key', () => {
  it('is in any database, log, queue, answer or command line while jobs run', async () => {
    const session = newSession();
    await session.call('PUT', '/auth/register', { username: 'ali', password: PASSWORD });
    await session.call('POST', '/auth/login', { username: 'ali', password: PASSWORD });
    await session.send('POST', '/auth/login', { body: { username: 'ali', password: `${PASSWORD}-wrong` } });
    const colleague = newSession();
    const { accessToken, idToken } = await realm.login('maria');
    await colleague.call('POST', '/auth/sso', { sso_token: accessToken });
    const jobId = await submit(session, { project: exampleProject('proton-150mev-water', 4_000), ntasks: 3 });
    await reached(session, jobId, ({ job_state: state }) => state !== 'PENDING');
    const commandLines = processes();
    const queued = await dump(queue.url);
    await reportAsWorker(jobId);
    await ended(session, jobId);
    for (const path of ['jobs/direct', 'results', 'inputs', 'logfiles'])
      await session.call('GET', `/${path}?job_id=${jobId}`);
    const sshKey = ['OPENSSH PRIVATE KEY', 'b3BlbnNzaC1rZXktdjE'];
    const cookies = [...session.cookies.values(), ...colleague.cookies.values()];
    const secrets = [PASSWORD, ...cookies, accessToken, idToken, ...sshKey, MASTER, updateKeyOf(jobId)];
    expect(cookies).toHaveLength(5); // of a session two each, and the device that knows a password
    expect(proxy.requestCount()).toBe(1);
    const logs = readdirSync(suite.directory)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(path.join(suite.directory, name), 'utf8'))
      .join('\n');
    expect(logs).toContain(jobId);
    expect(answers.join()).toContain(jobId);
    const places: Record<string, string> = { commandLines, queued, logs, answers: answers.join('\n') };
    for (const [name, url] of Object.entries(suite.databases)) places[name] = await dump(url);
    expect(places.jobs).toContain(jobId);
    expect(places.auth).toContain('ali');
    for (const [place, text] of Object.entries(places)) {
      for (const secret of secrets) expect({ place, leaks: text.includes(secret) }).toEqual({ place, leaks: false });
    }
  }, 120_000);
});
