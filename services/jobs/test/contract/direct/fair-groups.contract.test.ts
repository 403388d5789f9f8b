import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Outbox } from '../../../src/domain/ports.js';
import { setQuota } from '../../../src/domain/usage/set-quota.js';
import { createUsageStore } from '../../../src/storage/accounting/usage-store.js';
import { openDatabase } from '../../../src/storage/database.js';
import { createOutbox } from '../../../src/storage/outbox.js';
import { openSuite, type Suite } from '../../suite.js';

let suite: Suite;
let database: ReturnType<typeof openDatabase>;
let outbox: Outbox;
beforeAll(async () => {
  suite = await openSuite();
  database = openDatabase(suite.database.url, 2);
  outbox = createOutbox(database, { runningTasksPerUserMax: 0 });
});
afterAll(async () => {
  await database.close();
  await suite.stop();
});

interface Job {
  readonly ownerId: number;
  readonly group: string | null;
  readonly taskCount: number;
}

async function clear(): Promise<void> {
  for (const table of ['jobs', 'dispatch_turns', 'group_turns', 'quotas']) await suite.sql(`DELETE FROM ${table}`);
}

let jobCount = 0;
async function submit({ ownerId, group, taskCount }: Job): Promise<void> {
  jobCount += 1;
  await suite.sql(
    `WITH job AS (
       INSERT INTO jobs (job_id, owner_id, group_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max)
       VALUES ($1, $2, $3, 'T', 'direct', 'editor', 'simA', 'PENDING', 1, $4, 10) RETURNING id
     ), task AS (
       INSERT INTO tasks (job_key, task_id, requested_primaries, current_attempt_id)
       SELECT id, n, 10, $1 || '-' || n FROM job, generate_series(1, $4) n RETURNING id, job_key, current_attempt_id
     ), attempt AS (INSERT INTO attempts (id, task_key, number) SELECT current_attempt_id, id, 1 FROM task)
     INSERT INTO outbox (owner_id, job_key, attempt_id) SELECT $2, job_key, current_attempt_id FROM task ORDER BY id`,
    [`job-${jobCount}`, ownerId, group, taskCount],
  );
}

/** Owners and groups of the tasks that rounds with one free place put into the queue, in their order; each leaves it at once or later. */
async function serve(windowTasks: number, rounds: number): Promise<Job[]> {
  const served: Job[] = [];
  for (let round = 0; round < rounds; round++) {
    const { messages } = await outbox.reserve(windowTasks, 60_000);
    for (const { outboxId } of messages) {
      const [row] = await suite.sql<{ owner_id: string; group_id: string | null }>(
        `SELECT outbox.owner_id, group_id FROM outbox JOIN jobs ON jobs.id = job_key WHERE outbox.id = $1`,
        [String(outboxId)],
      );
      served.push({ ownerId: Number(row?.owner_id), group: row?.group_id ?? null, taskCount: 1 });
    }
    // the runner takes the oldest one
    await suite.sql(
      'DELETE FROM outbox WHERE id = (SELECT id FROM outbox WHERE in_flight_until > now() ORDER BY in_flight_until, id LIMIT 1)',
    );
  }
  return served;
}

const partyOf = ({ group, ownerId }: Job) => group ?? `user ${ownerId}`;
const countBy = (served: readonly Job[], keyOf: (job: Job) => string) => {
  const counts = new Map<string, number>();
  for (const job of served) counts.set(keyOf(job), (counts.get(keyOf(job)) ?? 0) + 1);
  return counts;
};
const spread = (counts: readonly number[]) => Math.max(...counts) - Math.min(...counts);

describe('the dispatcher', () => {
  it('shares places between groups first, then between their users, however many they are', async () => {
    const user = fc.record({ group: fc.constantFrom('a', 'b', null), jobs: fc.integer({ min: 1, max: 2 }) });
    const users = fc.array(user, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(users, fc.integer({ min: 1, max: 4 }), async (all, windowTasks) => {
        await clear();
        const jobs = all.flatMap(({ group, jobs: count }, i) =>
          Array.from({ length: count }, () => ({ ownerId: i + 1, group, taskCount: 40 })),
        );
        for (const job of jobs) await submit(job);
        const parties = new Set(jobs.map(partyOf));
        const served = await serve(windowTasks, 4 * jobs.length);
        // everybody always waits: at any moment no party is ahead of another, and in a party no user of another
        for (let end = 1; end <= served.length; end++) {
          const counts = countBy(served.slice(0, end), partyOf);
          expect(spread([...parties].map((party) => counts.get(party) ?? 0))).toBeLessThanOrEqual(1);
        }
        for (const party of parties) {
          const own = served.filter((job) => partyOf(job) === party);
          const members = new Set(jobs.filter((job) => partyOf(job) === party).map(({ ownerId }) => `${ownerId}`));
          const counts = countBy(own, ({ ownerId }) => `${ownerId}`);
          expect(spread([...members].map((member) => counts.get(member) ?? 0))).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('serves one user of a group beside twenty of another as often as those together', async () => {
    await clear();
    for (let ownerId = 1; ownerId <= 20; ownerId++) await submit({ ownerId, group: 'many', taskCount: 10 });
    await submit({ ownerId: 21, group: 'one', taskCount: 50 });
    const counts = countBy(await serve(2, 40), partyOf);
    expect(Math.abs((counts.get('one') ?? 0) - (counts.get('many') ?? 0))).toBeLessThanOrEqual(1);
  });

  it('keeps to the running tasks that are set for a user, from the next round on, and lets others pass', async () => {
    await clear();
    await submit({ ownerId: 1, group: null, taskCount: 10 });
    await submit({ ownerId: 2, group: null, taskCount: 10 });
    const quota = { cpuSecondsMonth: null, storedBytes: null, runningTasks: 2 };
    await setQuota({ usage: createUsageStore(database) }, [{ kind: 'user', userId: 1n }], quota);
    await outbox.reserve(0, 60_000);
    const { messages } = await outbox.reserve(8, 60_000);
    const owners = await suite.sql<{ owner_id: string; n: number }>(
      'SELECT owner_id, count(*)::int AS n FROM outbox WHERE id = ANY($1) GROUP BY owner_id ORDER BY owner_id',
      [messages.map(({ outboxId }) => String(outboxId))],
    );
    expect(owners.map(({ owner_id: owner, n }) => [Number(owner), n])).toEqual([
      [1, 2],
      [2, 6],
    ]);
  });
});
