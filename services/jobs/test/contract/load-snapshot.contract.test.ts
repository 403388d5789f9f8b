import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type Sql, sql } from '@tally/service-kit';
import { countRowsRead, createTestDatabase, type TestDatabase } from '@tally/testkit';
import type { JobId } from '../../src/domain/job.js';
import type { TaskRef } from '../../src/domain/ports.js';
import type { AttemptId } from '../../src/domain/task.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { loadNamedTasks } from '../../src/storage/load-snapshot.js';
import { JOBS_MIGRATIONS } from '../../testing/start.js';

const TASK_COUNT = 1_000;
let testDatabase: TestDatabase;
let database: Database;
const jobId = newId() as JobId;
beforeAll(async () => {
  testDatabase = await createTestDatabase(JOBS_MIGRATIONS);
  database = openDatabase(testDatabase.url, 1);
  await database.run(sql`
    INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count)
    VALUES (${jobId}, 1, 'T', 'direct', 'editor', 'simA', 'RUNNING', 1, ${TASK_COUNT})`);
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
    ['by its attempt', { attemptId: '500' as AttemptId, need: 'claim' }],
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
