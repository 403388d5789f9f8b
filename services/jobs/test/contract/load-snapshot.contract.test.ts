import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Sql, sql } from '@tally/service-kit';
import { countRowsRead, createTestDatabase, type TestDatabase } from '@tally/testkit';
import type { Change } from '../../src/domain/change.js';
import type { JobId } from '../../src/domain/job.js';
import type { TaskRef, TasksNeed } from '../../src/domain/ports.js';
import type { AttemptId } from '../../src/domain/task.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { createJobStore } from '../../src/storage/job-store.js';
import { loadJobs, loadNamedTasks, type SnapshotLoad, toSnapshot } from '../../src/storage/statements/load-snapshot.js';
import { saveChange } from '../../src/storage/statements/save-change.js';
import { createWorkerStore } from '../../src/storage/worker-store.js';
import { JOBS_MIGRATIONS } from '../../testing/start.js';

const TASK_COUNT = 1_000;
let testDatabase: TestDatabase;
let database: Database;
const jobId = newId() as JobId;
beforeAll(async () => {
  testDatabase = await createTestDatabase(JOBS_MIGRATIONS);
  database = openDatabase(testDatabase.url, 1);
  await database.run(sql`
    INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max)
    VALUES (${jobId}, 1, 'T', 'direct', 'editor', 'simA', 'RUNNING', 1, ${TASK_COUNT}, 10)`);
  await database.run(sql`
    INSERT INTO tasks (job_key, task_id, requested_primaries, first_history, current_attempt_id)
    SELECT id, task_id, 10, 0, task_id::text FROM jobs, generate_series(1, ${TASK_COUNT}::int) AS plan (task_id)`);
  await database.run(sql`INSERT INTO attempts (id, task_key, number) SELECT current_attempt_id, id, 1 FROM tasks`);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

describe('loadNamedTasks', () => {
  const named: readonly (readonly [string, TaskRef])[] = [
    ['by its number', { jobId, taskId: 500, need: 'start' }],
    ['by its attempt', { attemptId: '500' as AttemptId, need: 'start' }],
  ];

  // on tables that PostgreSQL knows nothing of yet, as those of a suite that was just installed
  it.each(named)('reads a few rows for a task named %s, however many tasks its job has', async (_how, ref) => {
    const refs = [ref, { ...ref, ...('taskId' in ref && { taskId: 501 }) }];
    const load = async () => {
      const loaded = await database.rowsOfEach(Object.values(loadNamedTasks(refs)) as Sql[]);
      expect(loaded.some((rows) => rows.length > 0)).toBe(true);
    };
    const count = await countRowsRead(database, ['tasks', 'attempts'], load);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(20);
  });
});

/** Many small jobs, in a database whose tables were analyzed when they were empty, and statements planned when they were almost. */
describe('tables that have grown since they were analyzed', () => {
  const JOB_COUNT = 1_000;
  let grownDatabase: TestDatabase;
  let grown: Database;
  const addJobs = async (from: number, to: number) => {
    await grown.run(sql`
      INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max)
      SELECT 'job-' || n, 1, 'T', 'direct', 'editor', 'simA', 'RUNNING', 1, 1, 10
      FROM generate_series(${from}::int, ${to}::int) AS n`);
    await grown.run(sql`
      INSERT INTO tasks (job_key, task_id, requested_primaries, first_history, current_attempt_id)
      SELECT id, 1, 10, 0, 'attempt-' || id FROM jobs WHERE NOT EXISTS (SELECT FROM tasks WHERE job_key = jobs.id)`);
    await grown.run(sql`
      INSERT INTO attempts (id, task_key, number) SELECT current_attempt_id, id, 1 FROM tasks
      WHERE NOT EXISTS (SELECT FROM attempts WHERE task_key = tasks.id)`);
    await grown.run(sql`
      INSERT INTO duties (id, kind, job_id, payload)
      SELECT 'merge-' || id, 'merge', job_id, '{"isExternal": false, "failedCount": 0}' FROM jobs
      WHERE NOT EXISTS (SELECT FROM duties WHERE duties.job_id = jobs.job_id)`);
  };
  const load = async (statements: SnapshotLoad) => {
    const rows = await grown.rowsOfEach(Object.values(statements) as Sql[]);
    return toSnapshot(Object.fromEntries(Object.keys(statements).map((name, i) => [name, rows[i] ?? []])));
  };
  const loadEnd = async (key: number) => {
    const ref: TaskRef = { attemptId: `attempt-${key}` as AttemptId, need: 'end' };
    return load(loadNamedTasks([ref, { ...ref, need: 'start' }]));
  };
  const loadJob = (need: TasksNeed) => (key: number) => load(loadJobs(sql`SELECT ${key}::bigint`, need));
  const works: readonly (readonly [string, (key: number) => Promise<unknown>])[] = [
    ['loads the end of a task', loadEnd],
    ['loads a job with its tasks', loadJob('all')],
    ['loads a job with a tally of its tasks', loadJob('tally')],
    [
      'finds what an upload is of',
      async (key) => {
        const upload = { taskId: 1, attemptName: `attempt-${key}` };
        const target = await createWorkerStore(grown).findTarget(`job-${key}` as JobId, upload, 24);
        expect(target).toMatchObject({ isWanted: true, tally: { openCount: 1 } });
      },
    ],
    ...(['findJob', 'listRunners'] as const).map(
      (read) =>
        [
          `answers ${read}`,
          async (key: number) => {
            const query = { ownerId: 1n, jobId: `job-${key}` as JobId, platform: undefined };
            expect(await createJobStore(grown)[read](query, '')).toMatchObject({ kind: 'own' });
          },
        ] as const,
    ),
    [
      'stores what was loaded',
      async (key) => {
        const { jobs, tasks, attempts, merges } = await loadEnd(key);
        expect([jobs.length, tasks.length, attempts.length, merges.length]).toEqual([1, 1, 1, 1]);
        await grown.rowsOfEach(saveChange({ ...NOTHING, jobs, tasks, attempts, merges }));
      },
    ],
  ];
  beforeAll(async () => {
    grownDatabase = await createTestDatabase(JOBS_MIGRATIONS);
    grown = openDatabase(grownDatabase.url, 1);
    await grown.run(sql`VACUUM ANALYZE`);
    await addJobs(1, 2);
    for (const [, work] of works) await work(1);
    await addJobs(3, JOB_COUNT);
  });
  afterAll(async () => {
    await grown.close();
    await grownDatabase.drop();
  });

  it.each(works)('%s by keys, however many others there are', async (_what, work) => {
    const count = await countRowsRead(grown, ['jobs', 'tasks', 'attempts', 'duties'], () => work(JOB_COUNT / 2));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(40);
  });
});

const NOTHING: Change = {
  jobs: [],
  tasks: [],
  addedTasks: [],
  attempts: [],
  openedAttempts: [],
  merges: [],
  endedMerges: [],
  addedMessages: [],
  droppedMessages: [],
  parkedMessages: [],
  duties: [],
  endedSubmits: [],
  answers: [],
  deletedJobs: [],
  events: [],
};
