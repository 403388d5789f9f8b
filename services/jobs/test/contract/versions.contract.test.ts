import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import fc from 'fast-check';
import pg from 'pg';
import { findJob, listJobs } from '../shown-job.js';
import { ANY_PLATFORM, as, openSuite, type Suite, submission } from '../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
let otherGateway: ReturnType<Suite['client']>;
const alice = 1n;

const submit = async (userId: bigint, taskCount: number) =>
  (await as(userId, () => gateway.submitJob(submission({ taskCount })))).jobId;
const ask = (jobId: string, knownVersion = '', client = gateway) =>
  as(alice, () => client.getJob({ jobId, platform: ANY_PLATFORM, knownVersion }));

beforeAll(async () => {
  suite = await openSuite();
  const [first, second] = [await suite.start(), await suite.start()];
  [gateway, otherGateway] = [suite.client('gateway', first), suite.client('gateway', second)];
});
afterAll(() => suite.stop());

/** A connection of its own, whose transaction stays open until it is committed. */
async function openTransaction() {
  const connection = new pg.Client({ connectionString: suite.database.url });
  await connection.connect();
  await connection.query('BEGIN');
  const run = async (text: string, ...values: unknown[]) =>
    (await connection.query<{ xid: bigint }>(text, values)).rows;
  const xid = Number((await run('SELECT pg_current_xact_id()::text AS xid'))[0]?.xid);
  const commit = async () => {
    await run('COMMIT');
    await connection.end();
  };
  return { run, xid, commit };
}

/** Of one task. */
const REPORT = `UPDATE tasks SET simulated_primaries = $3, last_update_time = now()
  FROM jobs WHERE jobs.id = job_key AND job_id = $1 AND task_id = $2`;
/** Of the tasks 1 and 2. */
const moveTwo = (state: string) =>
  `UPDATE tasks SET state = '${state}' FROM jobs WHERE jobs.id = job_key AND job_id = $1 AND task_id < 3`;

describe('the version of a job', () => {
  /*
   * Tasks 1 and 2 are claimed by one transaction, and ended by another that commits late. Of task 3 a report is stored by a transaction that
   * began before the ends, but after a later report: the number of the transaction that wrote task 3 falls as far as those of the tasks
   * 1 and 2 rise.
   */
  it.each([1, 2, 3])(
    'is another one after ends and reports that end in another order than they began (%i)',
    async () => {
      const jobId = await submit(alice, 3);
      const claim = await openTransaction();
      await claim.run(moveTwo('RUNNING'), jobId);
      await claim.commit();
      const heldReport = await openTransaction();
      const ends = await openTransaction();
      await ends.run(moveTwo('COMPLETED'), jobId);
      let between = await openTransaction();
      while (between.xid < heldReport.xid + 2 * (ends.xid - claim.xid)) {
        await between.commit();
        between = await openTransaction();
      }
      await between.run(REPORT, jobId, 3, 7);
      await between.commit();
      const before = await ask(jobId);
      expect(before.tasks?.states.slice(0, 2)).toEqual([jobs.State.STATE_RUNNING, jobs.State.STATE_RUNNING]);
      await ends.commit();
      await heldReport.run(REPORT, jobId, 3, 8);
      await heldReport.commit();
      const after = await ask(jobId, before.version, otherGateway);
      expect(after.version).not.toBe(before.version);
      expect(after.tasks?.states.slice(0, 2)).toEqual([jobs.State.STATE_COMPLETED, jobs.State.STATE_COMPLETED]);
      expect(after.tasks?.simulatedPrimaries[2]).toBe(8n);
    },
  );

  it('is the same from every copy, and answers nothing else to who has it', async () => {
    const jobId = await submit(alice, 2);
    const { version, job } = await ask(jobId);
    expect(version).toMatch(/^[\w-]{1,100}$/);
    expect(job?.jobId).toBe(jobId);
    expect(await ask(jobId, version, otherGateway)).toEqual({ version, job: undefined, tasks: undefined });
    for (const unknown of ['', 'v', `${version}0`]) expect((await ask(jobId, unknown)).job).toEqual(job);
  });

  it('gives no job away', async () => {
    const jobId = await submit(alice, 1);
    const { version: knownVersion } = await ask(jobId);
    const askAs = (userId: bigint, platform: jobs.Platform) =>
      as(userId, () => gateway.getJob({ jobId, platform, knownVersion }));
    await expect(askAs(2n, ANY_PLATFORM)).rejects.toMatchObject({ reason: 'JOB_OF_ANOTHER_USER' });
    const { PLATFORM_BATCH } = jobs.Platform;
    await expect(askAs(alice, PLATFORM_BATCH)).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

/** A convergence as it is stored, with an error at its last point. */
const convergenceOf = (relativeError: number) =>
  JSON.stringify({
    estimator: 'E',
    page: null,
    relativeError: 0.5,
    maxPrimaries: 100,
    isReached: null,
    points: [{ primaries: 10, relativeError, time: '2026-01-01T00:00:00.000Z' }],
  });

/** Assignments to columns of a job and of a task, each with one of a few values, so that values come back. */
const few = fc.nat(2);
const moment = (n: number) => `timestamptz '2026-01-01 00:00:00.00${n}Z'`;
const assigned = (...columns: readonly (readonly [string, (n: number) => string])[]) =>
  fc.oneof(...columns.map(([column, value]) => few.map((n) => `${column} = ${value(n)}`)));
const ofJob = assigned(
  ['title', (n) => `'title ${n}'`],
  ['platform', (n) => `'${n === 0 ? 'direct' : 'batch'}'`],
  ['input_type', (n) => `'${n === 0 ? 'editor' : 'files'}'`],
  ['simulator', (n) => `'sim${['A', 'B', 'C'][n]}'`],
  ['state', (n) => `'${['RUNNING', 'PENDING', 'MERGING_QUEUED'][n]}'`],
  ['seed', (n) => `1844674407370955161${n}`],
  ['start_time', moment],
  ['task_count', (n) => `${n + 1}`],
  ['cluster_name', (n) => (n === 0 ? 'NULL' : `'c${n}'`)],
  ['waiting_reason', (n) => (n === 0 ? 'NULL' : `', ${n}'`)],
  ['stopped_at', (n) => (n === 0 ? 'NULL' : moment(1))],
  ['merged_primaries', (n) => (n === 0 ? 'NULL' : `${n}`)],
  ['convergence', (n) => (n === 0 ? 'NULL' : `'${convergenceOf(n)}'`)],
  ['submitted_task_count', (n) => (n === 0 ? 'NULL' : `${n}`)],
);
const ofTask = assigned(
  ['state', (n) => `'${['RUNNING', 'PENDING', 'COMPLETED'][n]}'`],
  ['requested_primaries', (n) => `${10 + n}`],
  ['simulated_primaries', (n) => `${n}`],
  ['estimated_seconds', (n) => (n === 0 ? 'NULL' : `${n}`)],
  ['start_time', (n) => (n === 0 ? 'NULL' : moment(n))],
  ['end_time', (n) => (n === 0 ? 'NULL' : moment(n))],
  ['last_update_time', moment],
  ['failure', (n) => (n === 0 ? 'NULL' : `'{",\\ ${n}'`)],
);
const change = fc.oneof(
  fc.tuple(fc.constantFrom(1, 2), ofJob).map(([n, set]) => `UPDATE jobs SET ${set} WHERE job_id = 'job-${n}'`),
  fc
    .tuple(fc.constantFrom(1, 2), ofTask)
    .map(
      ([n, set]) =>
        `UPDATE tasks SET ${set} WHERE task_id = ${n} AND job_key = (SELECT id FROM jobs WHERE job_id = 'job-1')`,
    ),
  few.map(
    (n) =>
      `UPDATE attempts SET number = ${n + 1} WHERE id = (SELECT current_attempt_id FROM tasks ORDER BY id LIMIT 1)`,
  ),
);

describe('versions of what is shown', () => {
  const owner = 9n;
  const asked = [{}, { pageSize: 1 }, { isAscending: true, pageSize: 1 }, { pageIndex: 600, pageSize: 1 }];

  /** Everything that is shown of the jobs, apart from its versions. */
  async function look() {
    const { job, tasks, version } = await as(owner, () =>
      gateway.getJob({ jobId: 'job-1', platform: ANY_PLATFORM, knownVersion: '' }),
    );
    const pages = await Promise.all(asked.map((page) => listJobs(gateway, owner, page)));
    return [
      { version, shown: { job, tasks } },
      ...pages.map(({ version: ofPage, ...shown }) => ({ version: ofPage, shown })),
    ];
  }

  it('are the same exactly when all that is shown is the same', async () => {
    for (const n of [1, 2]) {
      const jobId = await submit(owner, 2);
      await suite.sql('UPDATE jobs SET job_id = $1 WHERE job_id = $2', [`job-${n}`, jobId]);
    }
    const shownBy = asked.map(() => new Map<string, unknown>());
    const versionBy = asked.map(() => new Map<string, string>());
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        for (const text of changes) {
          await suite.sql(text);
          for (const [i, { version, shown }] of (await look()).entries()) {
            const [shownOf, versionOf] = [shownBy[i], versionBy[i]];
            expect(shownOf?.get(version) ?? shown).toEqual(shown);
            shownOf?.set(version, shown);
            const text = JSON.stringify(shown, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value));
            // a failure that is not yet the job's is not shown, and neither is whether an empty page is the first one
            expect(versionOf?.get(text) ?? version).toBe(version);
            versionOf?.set(text, version);
          }
        }
      }),
      { numRuns: 20 },
    );
    expect(versionBy[0]?.size).toBeGreaterThan(20);
  });

  it('of a page is another one when the number of jobs is, on whichever page they are', async () => {
    const first = { isAscending: true, pageSize: 1 };
    const versions = new Set<string>();
    for (let n = 1; n <= 3; n += 1) {
      for (const page of [first, { ...first, pageIndex: 900 }])
        versions.add((await listJobs(gateway, owner, page)).version);
      await submit(owner, 1);
    }
    expect(versions.size).toBe(6);
  });

  it('of a page that is known is answered with nothing else', async () => {
    const { version: knownVersion } = await listJobs(gateway, owner, { pageSize: 2 });
    const request = {
      pageSize: 2,
      pageIndex: 1,
      order: jobs.JobOrder.JOB_ORDER_UNSPECIFIED,
      isAscending: false,
      states: [],
      knownVersion,
    };
    expect(await as(owner, () => otherGateway.listJobs(request))).toEqual({ version: knownVersion, page: undefined });
    expect((await findJob(gateway, owner, 'job-1')).jobId).toBe('job-1');
  });
});
