import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpSession, waitFor, workspaceRoot } from '@tally/testkit';
import {
  ended,
  exampleProject,
  flatten,
  jobStatus,
  largestRelativeDifference,
  reached,
  results,
  startTestSuite,
  submit,
  type TestSuite,
} from './fixtures/suite-fixture.js';

// docs/runbook/backup.md: what a restore of one database to an earlier moment means for the jobs of that time.

interface Client {
  connect(): Promise<void>;
  query(sql: string): Promise<unknown>;
  end(): Promise<void>;
}
const requireFromRoot = createRequire(path.join(workspaceRoot(), 'package.json'));
const { Client: PgClient } = requireFromRoot('pg') as { Client: new (url: string) => Client };

let suite: TestSuite;
let user: HttpSession;
beforeAll(async () => {
  suite = await startTestSuite();
  user = await suite.newUser();
});
afterAll(() => suite?.stop());

/** Submits a small job and waits for its end; asks again while a service is not available, as any client has to. */
async function runSmall(ntasks: number): Promise<string> {
  const project = exampleProject('proton-150mev-water', 50);
  const jobId = await waitFor(
    () =>
      submit(user, { project, ntasks }).catch((err: unknown) => {
        if (err instanceof Error && err.message.includes(': 503 ')) return undefined;
        throw err;
      }),
    { what: 'a submission to be taken' },
  );
  expect((await ended(user, jobId)).job_state).toBe('COMPLETED');
  return jobId;
}

/** Runs statements on the maintenance database of the server that holds a database. */
async function administer(url: string, statements: (name: string) => string[]) {
  const target = new URL(url);
  const name = target.pathname.slice(1);
  target.pathname = '/postgres';
  const client = new PgClient(target.href);
  await client.connect();
  try {
    for (const sql of statements(name)) await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Folder with the pg_dump and pg_restore of the server's version; without it the server copies the database itself. */
const dumpPrograms = process.env.TEST_PG_DUMP_DIR;

function runPg(program: 'pg_dump' | 'pg_restore', args: string[]) {
  const { status, stderr } = spawnSync(path.join(dumpPrograms ?? '', program), args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
const dumpFile = (service: string) => path.join(suite.directory, `${service}.dump`);

/** Copies the database of a service as it is now: by pg_dump while it runs, else with the service killed for a moment. */
async function backUp(service: 'jobs' | 'results') {
  if (dumpPrograms !== undefined) {
    return runPg('pg_dump', ['--format=custom', `--file=${dumpFile(service)}`, suite.databases[service]]);
  }
  await suite.process(service).kill();
  await administer(suite.databases[service], (name) => [`CREATE DATABASE "${name}_backup" TEMPLATE "${name}"`]);
  await suite.process(service).start();
}

async function restore(service: 'jobs' | 'results') {
  await suite.process(service).kill();
  await administer(suite.databases[service], (name) => [
    `DROP DATABASE "${name}" WITH (FORCE)`,
    dumpPrograms === undefined ? `ALTER DATABASE "${name}_backup" RENAME TO "${name}"` : `CREATE DATABASE "${name}"`,
  ]);
  if (dumpPrograms !== undefined) {
    runPg('pg_restore', ['--exit-on-error', `--dbname=${suite.databases[service]}`, dumpFile(service)]);
  }
  await suite.process(service).start();
}

describe('after jobs is restored to an earlier moment', () => {
  it('what was running then runs again to the same values, what came later is unknown, what was done stays', async () => {
    const done = await runSmall(1);
    const running = await submit(user, {
      project: exampleProject('proton-150mev-water', 40_000),
      ntasks: 2,
      seed: '11',
    });
    await reached(user, running, ({ job_state }) => job_state === 'RUNNING');
    await backUp('jobs');
    expect((await ended(user, running)).job_state).toBe('COMPLETED');
    const before = flatten(await results(user, running));
    const later = await runSmall(1);

    await restore('jobs');
    expect((await jobStatus(user, running)).job_state).toBe('RUNNING');
    expect((await user.send('GET', `/jobs/direct?job_id=${later}`)).status).toBe(404);
    expect((await ended(user, running)).job_state).toBe('COMPLETED');
    expect(largestRelativeDifference(before.values, flatten(await results(user, running)).values)).toBeLessThan(1e-9);
    expect((await jobStatus(user, done)).job_state).toBe('COMPLETED');
    expect((await results(user, done)).primaries).toBe(50);
    await runSmall(2);
  });
});

describe('after results is restored to an earlier moment than jobs', () => {
  it('says of a job that ended since that its results are unavailable, and serves new jobs', async () => {
    await backUp('results');
    const lost = await runSmall(1);
    await restore('results');
    expect((await jobStatus(user, lost)).job_state).toBe('COMPLETED');
    const status = await waitFor(
      async () => {
        const answer = await user.send('GET', `/results?job_id=${lost}`);
        return answer.status === 503 ? undefined : answer.status;
      },
      { what: 'results to be there again' },
    );
    expect(status).toBe(404);
    expect((await results(user, await runSmall(2))).primaries).toBe(50);
  }, 120_000);
});
