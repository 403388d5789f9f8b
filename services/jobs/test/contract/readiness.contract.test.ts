import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import { createGrpcClient, openQueue, readKnownSchema, silentLogger } from '@tally/service-kit';
import {
  createTestBroker,
  createTestDatabase,
  deleteQueueOf,
  freePort,
  runStatement,
  testCallerToken,
  waitFor,
} from '@tally/testkit';
import { startTestJobs } from '../../testing/start.js';
import { as, type Copy, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let queueUrl: string;
const others: { stop(): Promise<void> }[] = [];
beforeEach(async () => {
  queueUrl = (await createTestBroker()).url;
  suite = await openSuite(queueUrl);
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
  await suite.stop();
});

/** Why a server is not ready, by its health; `undefined`: it is. */
async function reasonAt(port: number): Promise<string | undefined> {
  const caller = { caller: 'probe', token: testCallerToken('probe'), timeoutMs: 1_000 };
  const client = createGrpcClient({}, { ...caller, target: `127.0.0.1:${port}` });
  try {
    await client.checkReady();
    return undefined;
  } catch (err) {
    return (err as Error).message;
  } finally {
    client.close();
  }
}

const reasonOf = ({ port }: Copy) => reasonAt(port);
const waiting = { timeoutMs: 20_000, what: 'the reason' };

/** With something in its URL that the broker does not let in. */
const startWith = (change: (url: URL) => void) => {
  const url = new URL(queueUrl);
  change(url);
  return suite.start({ queueUrl: url.href });
};

describe('a broker that refuses', () => {
  it('the password: not ready, and says so; nothing of the password is told', async () => {
    const copy = await startWith((url) => {
      url.password = 'hunter2';
    });
    const reason = await waitFor(() => reasonOf(copy), waiting);
    expect(reason).toMatch(/^queue: the broker refuses: ACCESS_REFUSED - Login was refused/);
    expect(reason).not.toContain('hunter2');
  });

  it('the virtual host: not ready, and says so', async () => {
    const copy = await startWith((url) => {
      url.pathname = '/nowhere';
    });
    expect(await waitFor(() => reasonOf(copy), waiting)).toBe(
      'queue: the broker refuses: the virtual host is not there, or not for this user',
    );
  });

  it('our queue, because one of its name has other arguments: not ready, names it, and ready when it is gone', async () => {
    const { url } = await createTestBroker();
    const taken = `${new URL(url).searchParams.get('queue_prefix')}${TASK_QUEUE}`;
    const queues = QUEUE_TOPOLOGY.queues.map((queue) => ({ ...queue, retryDelayMs: 1, deliveryLimit: 7 }));
    await (await openQueue(url, { queues }, silentLogger)).close();
    const copy = await suite.start({ queueUrl: url });
    expect(await waitFor(() => reasonOf(copy), waiting)).toMatch(
      new RegExp(`^queue: queue ${taken} exists at the broker with other arguments: inequivalent arg`),
    );
    for (const name of [TASK_QUEUE, `${TASK_QUEUE}.retry`]) await deleteQueueOf(url, name);
    await waitFor(async () => (await reasonOf(copy)) === undefined, waiting);
  });
});

describe('a broker that is away', () => {
  it('leaves jobs ready: what is submitted waits in the outbox', async () => {
    const copy = await suite.start({ queueUrl: `amqp://127.0.0.1:${await freePort()}` });
    expect(await reasonOf(copy)).toBeUndefined();
  });

  it('a queue that somebody has deleted is there again, and jobs ready', async () => {
    const copy = await suite.start();
    expect(await waitFor(async () => (await reasonOf(copy)) === undefined)).toBe(true);
    await deleteQueueOf(queueUrl, TASK_QUEUE);
    const queue = await openQueue(queueUrl, QUEUE_TOPOLOGY, silentLogger);
    await queue.health();
    await queue.close();
    expect(await reasonOf(copy)).toBeUndefined();
  });
});

describe('a database', () => {
  const settings = (databaseUrl: string, port: number) => ({
    databaseUrl,
    queueUrl,
    resultsAddress: suite.results.address,
    listenAddress: `127.0.0.1:${port}`,
    graceMs: 1_000,
  });

  it('that nobody has migrated: alive, not ready, says so; ready as soon as it is migrated', async () => {
    const empty = await createTestDatabase();
    const port = await freePort();
    const starting = startTestJobs(settings(empty.url, port), silentLogger);
    const expected = 'database: it is not migrated; run the migrate job of jobs';
    await waitFor(async () => (await reasonAt(port)) === expected, waiting);
    const args = ['tools/migrate-deploy.mjs', 'services/jobs/prisma/migrations'];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, DATABASE_URL: empty.url } });
    others.push(await starting, { stop: () => empty.drop() });
    await waitFor(async () => (await reasonAt(port)) === undefined, waiting);
  });

  it('that lacks the last migration: not ready, and names it', async () => {
    const [last] = await suite.sql<{ name: string }>(
      'SELECT migration_name AS name FROM _prisma_migrations ORDER BY migration_name DESC LIMIT 1',
    );
    const copy = await suite.start();
    await suite.sql('DELETE FROM _prisma_migrations WHERE migration_name = $1', [last?.name]);
    expect(await waitFor(() => reasonOf(copy), waiting)).toMatch(`database: it lacks the migration ${last?.name}`);
  });

  it.each([
    ['the next release', 1, undefined],
    ['the one after it', 2, /^database: it was migrated by jobs \d+\.\d+\.0, which is too new for /],
  ])('that %s has migrated', async (_what, ahead, expected) => {
    const copy = await suite.start();
    const [major = 0, minor = 0] = readKnownSchema(import.meta.url)
      .version.split('.')
      .map(Number);
    await runStatement(suite.database.url, `COMMENT ON TABLE _prisma_migrations IS 'jobs ${major}.${minor + ahead}.0'`);
    const reason = await reasonOf(copy);
    if (expected === undefined) expect(reason).toBeUndefined();
    else expect(reason).toMatch(expected);
  });
});

describe('the master of update keys', () => {
  const first = { updateKeyMaster: 'a'.repeat(32) };
  const second = { updateKeyMaster: 'b'.repeat(32) };

  /** A job on a cluster that has not ended, as far as this check looks. */
  const addJobOnCluster = () => suite.sql(`UPDATE jobs SET platform = 'batch' WHERE id = (SELECT min(id) FROM jobs)`);

  it('other than the one of jobs on clusters: not ready, and says what to do; ready with the former one beside it', async () => {
    expect(await reasonOf(await suite.start(first))).toBeUndefined();
    await as(1n, () => suite.client('gateway').submitJob(submission()));
    await addJobOnCluster();
    expect(await reasonOf(await suite.start(second))).toBe(
      'update keys: jobs on clusters have keys of another JOBS_UPDATE_KEY_MASTER; give that one as JOBS_UPDATE_KEY_MASTER_BEFORE',
    );
    const following = { ...second, updateKeyMasterBefore: first.updateKeyMaster };
    expect(await reasonOf(await suite.start(following))).toBeUndefined();
    expect(await reasonOf(await suite.start(second))).toBeUndefined();
  });

  it('may be any while no job is on a cluster', async () => {
    expect(await reasonOf(await suite.start(first))).toBeUndefined();
    expect(await reasonOf(await suite.start(second))).toBeUndefined();
  });
});
