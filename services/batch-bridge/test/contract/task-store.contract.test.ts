import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, newJobId, openDatabase, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import type { JobId } from '../../src/domain/job-id.js';
import { newRecord, type TaskRecord } from '../../src/domain/observe/task-record.js';
import type { SubmissionStore, TaskStore } from '../../src/domain/ports.js';
import { accept, endSubmission, markCleared, updateSubmission } from '../../src/domain/submission-state.js';
import { createClient } from '../../src/storage/client.js';
import { createSubmissionStore } from '../../src/storage/submission-store.js';
import { createTaskStore } from '../../src/storage/task-store.js';
import { BATCH_BRIDGE_MIGRATIONS } from '../start.js';

const now = new Date('2026-11-21T15:00:00.123Z');
const whole: TaskRecord = {
  taskId: 2,
  reported: 'running',
  end: { outcome: 'failed', description: 'TIMEOUT: "quoted", é', observedAt: now },
  absentSince: new Date('2026-11-21T14:00:00.000Z'),
  stuckSince: new Date('2026-11-21T13:00:00.000Z'),
  hasEndFile: true,
  logBytes: 5_000_000_000,
  isOutputStored: true,
  isTailStored: true,
  progressAt: new Date('2026-11-21T12:00:00.999Z'),
};

let testDatabase: TestDatabase;
let database: Database;
let tasks: TaskStore;
let submissions: SubmissionStore;
let jobId: JobId;

beforeAll(async () => {
  testDatabase = await createTestDatabase(BATCH_BRIDGE_MIGRATIONS);
  database = openDatabase({ url: testDatabase.url, connectionsMax: 2 });
  const client = createClient(database);
  tasks = createTaskStore(client, database);
  submissions = createSubmissionStore(client, database);
  await database.run(sql`INSERT INTO clusters (name, settings) VALUES ('north', '{}')`);
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(async () => {
  jobId = newJobId(now) as JobId;
  const options = { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 };
  const first = { firstTask: 1, lastTask: 2 };
  await submissions.change(jobId, () =>
    accept({ jobId, userId: 1n, clusterName: 'north', options, origin: {}, ...first }, now),
  );
});

const listed = async () => [...((await tasks.list([jobId])).get(jobId)?.values() ?? [])];

describe('the store of tasks', () => {
  it('gives back what it was given, and the last of two', async () => {
    await tasks.save(jobId, [whole, newRecord(0), newRecord(1)]);
    expect((await tasks.list([jobId])).get(jobId)).toEqual(
      new Map([
        [0, newRecord(0)],
        [1, newRecord(1)],
        [2, whole],
      ]),
    );
    await tasks.save(jobId, [newRecord(2), { ...newRecord(1), reported: 'ended' }]);
    expect((await listed()).toSorted((a, b) => a.taskId - b.taskId)).toEqual([
      newRecord(0),
      { ...newRecord(1), reported: 'ended' },
      newRecord(2),
    ]);
  });

  it('keeps jobs apart, deletes one, and ignores a job that is gone', async () => {
    const other = newJobId(now) as JobId;
    await tasks.save(other, [whole]);
    await tasks.save(jobId, [whole]);
    expect((await tasks.list([jobId, other])).get(other)?.size).toBe(0);
    expect((await listed()).length).toBe(1);
    await tasks.delete(jobId);
    expect(await listed()).toEqual([]);
    expect(await tasks.list([])).toEqual(new Map());
  });

  it('is removed with the submission', async () => {
    await tasks.save(jobId, [whole]);
    await updateSubmission(submissions, { jobId, acceptedAt: now }, (stored) =>
      endSubmission(stored, { message: 'over' }, now),
    );
    await updateSubmission(submissions, { jobId, acceptedAt: now }, (stored) => markCleared(stored, now));
    await submissions.deleteCleared(now);
    expect(await listed()).toEqual([]);
  });
});
