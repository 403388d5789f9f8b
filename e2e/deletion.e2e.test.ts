import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor } from '@tally/testkit';
import pg from 'pg';
import { ended, exampleProject, startTestSuite, submit, type TestSuite } from './fixtures/suite-fixture.js';

let suite: TestSuite;
let user: HttpSession;

beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

/** Tables that tell of a job and may outlast it: that it was deleted, and the answer to its idempotency key. */
const MAY_REMEMBER = new Set(['jobs.job_events', 'jobs.idempotency_keys']);

/** Tables with a row that holds the text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [database, url] of Object.entries(suite.databases)) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const tables = await client.query<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'",
      );
      for (const { name } of tables.rows) {
        const rows = await client.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE '%' || $1 || '%' LIMIT 1`, [
          text,
        ]);
        if (rows.rows.length > 0) found.push(`${database}.${name}`);
      }
    } finally {
      await client.end();
    }
  }
  return found;
}

/** Rows in all tables of results. */
async function countOfResults(): Promise<number> {
  const client = new pg.Client({ connectionString: suite.databases.results });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT LIKE '\\_%'",
    );
    let count = 0;
    for (const { name } of tables.rows) {
      count += Number((await client.query<{ n: string }>(`SELECT count(*) AS n FROM ${name}`)).rows[0]?.n);
    }
    return count;
  } finally {
    await client.end();
  }
}

async function finishedJob(): Promise<string> {
  const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 100), ntasks: 2 });
  expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  return jobId;
}

const gone = (jobId: string) =>
  waitFor(async () => ((await tablesWith(jobId)).every((table) => MAY_REMEMBER.has(table)) ? true : undefined), {
    intervalMs: 200,
    what: `job ${jobId} to be gone from every database`,
  });

describe('DELETE /user/simulations', () => {
  it('leaves nothing of a job anywhere, but that it was deleted', async () => {
    const before = await countOfResults();
    const jobId = await finishedJob();
    expect(await tablesWith(jobId)).toEqual(expect.arrayContaining(['jobs.jobs', 'results.jobs']));
    expect(await countOfResults()).toBeGreaterThan(before);
    await user.call('DELETE', `/user/simulations?job_id=${jobId}`);
    for (const path of ['/jobs', '/jobs/direct', '/results', '/estimators', '/inputs', '/logfiles']) {
      await waitFor(
        async () => ((await user.send('GET', `${path}?job_id=${jobId}`)).status === 404 ? true : undefined),
        {
          what: `404 at ${path}`,
        },
      );
    }
    await gone(jobId);
    expect(await countOfResults()).toBe(before);
    expect((await user.send('DELETE', `/user/simulations?job_id=${jobId}`)).status).toBe(404);
  });

  it('answers while results is down, and everything is gone within 60 s after', async () => {
    const before = await countOfResults();
    const jobId = await finishedJob();
    await suite.process('results').kill();
    await user.call('DELETE', `/user/simulations?job_id=${jobId}`);
    expect((await user.send('GET', `/jobs?job_id=${jobId}`)).status).toBe(404);
    expect(await tablesWith(jobId)).toContain('results.jobs');
    await suite.process('jobs').kill(); // the intent to remove survives, too
    await suite.process('jobs').start();
    await suite.process('results').start();
    const upAt = performance.now();
    await gone(jobId);
    expect(performance.now() - upAt).toBeLessThan(60_000);
    expect(await countOfResults()).toBe(before);
  }, 120_000);

  it('refuses a job that has not ended, another user’s and none', async () => {
    const jobId = await submit(user, { project: exampleProject('proton-150mev-water', 200_000), ntasks: 4 });
    const stranger = await suite.newUser();
    expect((await user.send('DELETE', `/user/simulations?job_id=${jobId}`)).status).toBe(409);
    expect((await stranger.send('DELETE', `/user/simulations?job_id=${jobId}`)).status).toBe(403);
    expect((await user.send('DELETE', '/user/simulations')).status).toBe(400);
    await user.call('DELETE', `/jobs/direct?job_id=${jobId}`);
    await user.call('DELETE', `/user/simulations?job_id=${jobId}`);
    await gone(jobId);
  });
});
