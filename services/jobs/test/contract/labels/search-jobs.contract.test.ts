import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@tally/contracts';
import { listJobs } from '../../shown-job.js';
import { openSuite, type Suite } from '../../suite.js';

let suite: Suite;
let gateway: ReturnType<Suite['client']>;
const [alice, bob, many] = [1n, 2n, 3n];
/** Id of a job. */
const THIRD = '20260202-120000-12345678-9abc';
const page = (userId: bigint, search: string, asked: Partial<jobs.ListJobsRequest> = {}) =>
  listJobs(gateway, userId, { pageSize: 100, search, ...asked });
const ids = async (search: string, asked: Partial<jobs.ListJobsRequest> = {}) =>
  (await page(alice, search, asked)).jobs.map(({ jobId }) => jobId);

interface Given {
  readonly id: string;
  readonly owner?: bigint;
  readonly title: string;
  readonly simulator?: string;
  readonly state?: string;
  readonly day: string;
  readonly beam?: readonly [particle: string, minMev: number, maxMev: number];
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly isFavourite?: boolean;
  readonly isArchived?: boolean;
}

const describeBeam = ([particle, min, max]: NonNullable<Given['beam']>) =>
  JSON.stringify({ beam: `${particle}, ${min} MeV`, particle, energy_mev: { min, max, count: 2 } });

async function seed(given: Given): Promise<void> {
  const isLabelled = given.tags ?? given.note ?? given.isFavourite ?? given.isArchived;
  await suite.sql(
    `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max,
       start_time, description, label_revision, tags, note, is_favourite, is_archived)
     VALUES ($1, $2, $3, 'direct', 'editor', $4, $5, 1, 1, 10, $6, $7, $8, $9, $10, $11, $12)`,
    [
      given.id,
      String(given.owner ?? alice),
      given.title,
      given.simulator ?? 'simA',
      given.state ?? 'COMPLETED',
      `${given.day}T12:00:00Z`,
      given.beam === undefined ? null : describeBeam(given.beam),
      isLabelled === undefined ? 0 : 1,
      given.tags ?? [],
      given.note ?? null,
      given.isFavourite ?? false,
      given.isArchived ?? false,
    ],
  );
}

beforeAll(async () => {
  suite = await openSuite();
  await suite.start();
  gateway = suite.client('gateway');
  await seed({
    id: 'a1',
    title: 'Depth 100 %',
    day: '2026-01-01',
    beam: ['proton', 70, 70],
    tags: ['QA', 'two words'],
  });
  await seed({ id: 'a2', title: 'Spread-out peak', day: '2026-02-01', beam: ['proton', 100, 150], simulator: 'simB' });
  await seed({
    id: THIRD,
    title: 'Electrons',
    day: '2026-02-02',
    beam: ['electron', 9, 9],
    state: 'FAILED',
    isFavourite: true,
  });
  await seed({ id: 'a4', title: 'Own files', day: '2026-03-01', note: 'repeat the DEPTH scan', simulator: 'simC' });
  await seed({
    id: 'a5',
    title: 'Old depth',
    day: '2025-01-01',
    tags: ['qa'],
    isArchived: true,
    beam: ['proton', 120, 120],
  });
  await seed({
    id: 'b1',
    owner: bob,
    title: 'Depth of Bob',
    day: '2026-01-01',
    tags: ['qa', 'secret'],
    isFavourite: true,
  });
});
afterAll(() => suite.stop());

describe('a search of ListJobs', () => {
  it.each([
    ['', ['a4', THIRD, 'a2', 'a1']],
    ['depth', ['a4', 'a1']],
    ['100%', []],
    ['"100 %"', ['a1']],
    ['a_', []],
    ['spread peak', ['a2']],
    ['proton', ['a2', 'a1']],
    ['12345678-9abc', [THIRD]],
    ['345', []],
    ['tag:qa', ['a1']],
    ['tag:qa tag:"Two Words"', ['a1']],
    ['tag:two', []],
    ['simulator:simB,simC', ['a4', 'a2']],
    ['particle:proton', ['a2', 'a1']],
    ['particle:proton energy:70', ['a1']],
    ['energy:60..110', ['a2', 'a1']],
    ['energy:..60', [THIRD]],
    ['energy:151..', []],
    ['date:2026-02-01..2026-02-02', [THIRD, 'a2']],
    ['date:..2026-01-01', ['a1']],
    ['state:failed', [THIRD]],
    ['platform:batch', []],
    ['is:favourite', [THIRD]],
    ['is:archived', ['a5']],
    ['is:archived depth', ['a5']],
    ['is:any', ['a4', THIRD, 'a2', 'a1', 'a5']],
    ['is:any tag:qa energy:100..200', ['a5']],
  ])('%s', async (search, expected) => {
    const found = await page(alice, search);
    expect(found.jobs.map(({ jobId }) => jobId)).toEqual(expected);
    expect(found.jobCount).toBe(BigInt(expected.length));
  });

  it('is paged in the order that is asked for, and counted as a whole', async () => {
    expect(await ids('proton is:any', { pageSize: 2, pageIndex: 2 })).toEqual(['a5']);
    expect(await ids('proton is:any', { isAscending: true, pageSize: 1 })).toEqual(['a5']);
    expect(await page(alice, 'proton is:any', { pageSize: 1, pageIndex: 9 })).toMatchObject({ jobs: [], jobCount: 3n });
  });

  it('keeps the states that both the list and the search ask for', async () => {
    const { STATE_COMPLETED: completed, STATE_FAILED: failed } = jobs.State;
    expect(await ids('is:any', { states: [completed] })).toEqual(['a4', 'a2', 'a1', 'a5']);
    expect(await ids('state:failed', { states: [failed] })).toEqual([THIRD]);
    expect(await page(alice, 'state:failed', { states: [completed] })).toMatchObject({ jobs: [], jobCount: 0n });
  });

  it('finds nothing of other users', async () => {
    expect(await ids('tag:secret')).toEqual([]);
    expect((await page(bob, 'tag:qa')).jobs.map(({ jobId }) => jobId)).toEqual(['b1']);
  });

  it('refuses what it cannot read, by its field', async () => {
    await expect(page(alice, 'colour:red')).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'REQUEST_INVALID',
      fields: [{ field: '/search' }],
    });
  });

  it('answers within two seconds among 100 000 jobs of a user, and labels and plain lists at once', async () => {
    await suite.sql(
      `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max,
         start_time, description, label_revision, tags, is_archived, particle, energy_min_mev, energy_max_mev)
       SELECT 'many-' || n, $1, 'Sweep of energies, part ' || n, 'direct', 'editor', 'simA', 'COMPLETED', 1, 1, 10,
         timestamptz '2026-01-01' + n * interval '1 s', $2, (n % 1000 = 0 OR n > 99000)::int,
         CASE WHEN n % 1000 = 0 THEN '{qa}'::text[] ELSE '{}' END, n > 99000, 'proton', 100, 150
       FROM generate_series(1, 100000) n`,
      [String(many), describeBeam(['proton', 100, 150])],
    );
    await suite.sql('ANALYZE jobs');
    const leastMs = async (search: string, count: number) => {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 3; i++) {
        const startedAt = performance.now();
        expect((await page(many, search)).jobCount).toBe(BigInt(count));
        least = Math.min(least, performance.now() - startedAt);
      }
      return least;
    };
    const times = {
      all: await leastMs('', 99_000),
      archived: await leastMs('is:archived', 1_000),
      tag: await leastMs('tag:qa', 99),
      day: await leastMs('date:2026-01-02 part', 12_601),
      words: await leastMs('sweep 4999', 20),
      energy: await leastMs('particle:proton energy:120..130', 99_000),
    };
    expect(Math.max(times.words, times.energy, times.day)).toBeLessThan(2_000);
    expect(Math.max(times.all, times.archived, times.tag)).toBeLessThan(400);
  });
});
