import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sql } from '@tally/service-kit';
import { countRowsRead, createTestDatabase, type TestDatabase } from '@tally/testkit';
import { type Database, openDatabase } from '../../../src/storage/database.js';
import { createTaskReportStore } from '../../../src/storage/task-report-store.js';

const JOB_COUNT = 1_000;
const hash = randomBytes(32).toString('hex');
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase('services/results/prisma/migrations');
  database = openDatabase({ databaseUrl: testDatabase.url, databaseConnectionsMax: 1, uploadTimeoutMs: 10_000 });
  const jobs = sql`generate_series(1, ${JOB_COUNT}::int) AS number`;
  await database.run(
    sql`INSERT INTO jobs (job_id, owner_id, input_kind, documents, content, content_bytes)
      SELECT number::text, 1, 'editor', '[]', '', 0 FROM ${jobs}`,
  );
  await database.run(sql`
    INSERT INTO page_sets (job_id, set_hash, estimator_indexes, page_numbers, page_bytes)
    SELECT number::text, ${Buffer.from(hash, 'hex')}::bytea, '{}', '{}', '{}' FROM ${jobs}`);
  await database.run(sql`
    INSERT INTO task_logs (job_id, task_id, attempt_id, tail) SELECT number::text, 1, 'first', '' FROM ${jobs}`);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

// on tables that PostgreSQL knows nothing of yet, as those of a suite that was just installed
describe('saving a report', () => {
  const report = (jobId: string, taskId: number, attemptId: string) => ({
    output: {
      header: {
        jobId,
        taskId,
        attemptId,
        primaries: 1,
        batches: 1,
        engine: 'e',
        counters: {},
        warnings: [],
        pageCount: 0,
      },
      pageSet: { hash, pages: [], pageBytes: [] },
      pageBytes: undefined,
      content: new Uint8Array(8),
    },
    log: { jobId, taskId, attemptId, offset: 0, text: Buffer.from('text\n') },
  });

  it('reads a few rows, however many jobs, page sets and logs there are', async () => {
    const store = createTaskReportStore(database, { logBytesMax: 1_000 });
    await store.save(report('500', 2, 'first')); // page sets are known from then on
    const tables = ['jobs', 'page_sets', 'task_logs', 'task_outputs'];
    const count = await countRowsRead(database, tables, async () => {
      const { log } = report('501', 2, 'other');
      expect(await Promise.all([store.save(report('500', 1, 'first')), store.save({ log })])).toEqual([
        { isOutputStored: true, isLogAppended: true },
        { isOutputStored: false, isLogAppended: true },
      ]);
    });
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(40);
  });

  it('leaves an output whose pages it does not know, and its log, to whoever decides', async () => {
    const store = createTaskReportStore(database, { logBytesMax: 1_000 });
    const count = await countRowsRead(database, ['task_outputs', 'task_logs'], async () => {
      expect(await store.save(report('502', 1, 'first'))).toEqual({ isOutputStored: false, isLogAppended: false });
    });
    expect(count).toBe(0);
  });
});
