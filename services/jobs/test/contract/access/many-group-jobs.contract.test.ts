import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { Sql, withContext } from '@tally/service-kit';
import pg from 'pg';
import type { SharedScope } from '../../../src/domain/access/access-ports.js';
import { STATES } from '../../../src/domain/job-state.js';
import { readJobSearch } from '../../../src/domain/search/job-search.js';
import { pageOfSharedJobs } from '../../../src/storage/statements/access/shared-pages.js';
import { openSuite, type Suite } from '../../suite.js';

const JOBS = 100_000;
let suite: Suite;
let gateway: ReturnType<Suite['client']>;
beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  await suite.sql(
    `INSERT INTO jobs (job_id, owner_id, group_id, title, platform, input_type, simulator, state, seed, task_count,
       primaries_max, start_time, end_time)
     SELECT 'many-' || n, 1 + n % 20, (ARRAY['g1', 'g2', NULL, NULL])[1 + n % 4], 'T ' || n, 'direct', 'editor', 'simA',
       (ARRAY['COMPLETED', 'FAILED', 'CANCELED'])[1 + n % 3], 1, 1, 10,
       timestamptz '2026-01-01' + n * interval '1 s', timestamptz '2026-01-01' + n * interval '2 s'
     FROM generate_series(1, ${4 * JOBS}) n`,
  );
  await suite.sql(
    `INSERT INTO shares (share_id, job_key, subject) SELECT 'share-' || id, id, 'user:77' FROM jobs WHERE id % 4000 = 3`,
  );
  await suite.sql('VACUUM (ANALYZE) jobs');
  await suite.sql('ANALYZE shares');
}, 120_000);
afterAll(() => suite.stop());

/** As the service plans it: without looking at values. */
async function planOf(statement: Sql): Promise<string> {
  const client = new pg.Client({
    connectionString: suite.database.url,
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c jit=off',
  });
  await client.connect();
  try {
    const values: unknown[] = [];
    await client.query(`PREPARE asked AS ${write(statement, values)}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN ANALYZE EXECUTE asked (${values.map(literal).join(', ')})`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  } finally {
    await client.end();
  }
}

/** The text of a statement, with $1, $2 … for its values. */
function write({ strings, values }: Sql, all: unknown[]): string {
  return strings.reduce((text, next, i) => {
    const value = values[i - 1];
    return `${text}${value instanceof Sql ? write(value, all) : `$${all.push(value)}`}${next}`;
  });
}

function literal(value: unknown): string {
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((item) => JSON.stringify(item)).join(',')}}`);
  return pg.escapeLiteral(`${value as string | number | bigint | boolean}`);
}

const ask = (view: SharedScope['view'], search: string, pageIndex = 1): Parameters<typeof pageOfSharedJobs> => [
  { view, userId: 77n, groups: new Map([['g1', 'viewer']]) },
  {
    ownerId: 77n,
    pageSize: 50,
    pageIndex,
    order: 'start_time',
    isAscending: false,
    states: STATES,
    search: readJobSearch(search),
  },
];

describe('a list of 100 000 jobs of a group, or of some that are shared, among 400 000', () => {
  it.each([
    ['group', '', 'jobs_by_group'],
    ['group', 'date:2026-01-02..2026-01-02 simulator:simA', 'jobs_by_group'],
    ['shared', '', 'shares_subject_idx'],
    ['shared', 'simulator:simA', 'shares_subject_idx'],
  ] as const)('is read from an index (%s, %p: %s)', async (view, search, index) => {
    const plan = await planOf(pageOfSharedJobs(...ask(view, search)));
    if (process.env.TALLY_PLANS !== undefined) process.stdout.write(`${view} ${search}\n${plan}\n`);
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan on jobs');
  });

  it('counts all, and costs no more than its count', async () => {
    const call = (pageIndex: number) =>
      withContext({ requestId: 'test', userId: 77n, userGroups: new Map([['g1', 'viewer']]) }, () =>
        gateway.listSharedJobs({
          view: jobs.SharedView.SHARED_VIEW_GROUP,
          groupId: '',
          pageSize: 50,
          pageIndex,
          order: jobs.JobOrder.JOB_ORDER_START_TIME,
          isAscending: false,
          states: [],
        }),
      );
    const { jobCount, jobs: first } = await call(1);
    expect([jobCount, first[0]?.job?.jobId, first.length]).toEqual([BigInt(JOBS), `many-${4 * JOBS}`, 50]);
    expect((await call(JOBS / 50)).jobs.at(-1)?.job?.jobId).toBe('many-4');
  });
});
