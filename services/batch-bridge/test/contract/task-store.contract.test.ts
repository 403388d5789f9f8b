import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newJobId } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import type { JobId } from '../../src/domain/job-id.js';
import type { TaskStore } from '../../src/domain/observation-ports.js';
import type { SubmissionStore } from '../../src/domain/ports.js';

import { freshRecord, type TaskRecord } from '../../src/domain/task-record.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { createSubmissionIntents } from '../../src/storage/submission-intents.js';
import { createSubmissionStore } from '../../src/storage/submission-store.js';
import { createTaskStore } from '../../src/storage/task-store.js';
import { BATCH_BRIDGE_MIGRATIONS } from '../../testing/start.js';

const now = new Date('2026-11-21T15:00:00.123Z');
const whole: TaskRecord = {
  taskId: 2,
  told: 'running',
  end: { outcome: 'failed', description: 'TIMEOUT: "quoted", é', seenAt: now },
  absentSince: new Date('2026-11-21T14:00:00.000Z'),
  stuckSince: new Date('2026-11-21T13:00:00.000Z'),
  hasOwnEnd: true,
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
  database = openDatabase(testDatabase.url, 2);
  tasks = createTaskStore(database);
  submissions = createSubmissionStore(database);
  await database.run(
    (statements) => statements.$executeRaw`INSERT INTO clusters (name, settings) VALUES ('north', '{}')`,
  );
}, 120_000);
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});
beforeEach(async () => {
  jobId = newJobId(now) as JobId;
  const options = { partition: 'batch', wallTimeSeconds: 600, memoryMib: 100 };
  await createSubmissionIntents(database).accept({ jobId, userId: 1n, clusterName: 'north', options }, now);
});

const listed = async () => [...((await tasks.list([jobId])).get(jobId)?.values() ?? [])];

describe('the store of tasks', () => {
  it('gives back what it was given, and the last of two', async () => {
    await tasks.save(jobId, [whole, freshRecord(0), freshRecord(1)]);
    expect((await tasks.list([jobId])).get(jobId)).toEqual(
      new Map([
        [0, freshRecord(0)],
        [1, freshRecord(1)],
        [2, whole],
      ]),
    );
    await tasks.save(jobId, [freshRecord(2), { ...freshRecord(1), told: 'ended' }]);
    expect((await listed()).toSorted((a, b) => a.taskId - b.taskId)).toEqual([
      freshRecord(0),
      { ...freshRecord(1), told: 'ended' },
      freshRecord(2),
    ]);
  });

  it('keeps jobs apart, forgets one, and takes a job that is gone for no error', async () => {
    const other = newJobId(now) as JobId;
    await tasks.save(other, [whole]);
    await tasks.save(jobId, [whole]);
    expect([...(await tasks.list([jobId, other])).keys()]).toEqual([jobId]);
    await tasks.forget(jobId);
    expect(await listed()).toEqual([]);
    expect(await tasks.list([])).toEqual(new Map());
  });

  it('goes with the submission', async () => {
    await tasks.save(jobId, [whole]);
    await submissions.end(jobId, { message: 'over' }, now);
    await submissions.setCleared(jobId, now);
    await submissions.forget(now);
    expect(await listed()).toEqual([]);
  });

  it('notes why a submitted job waits, and of no other', async () => {
    const reasonOf = async () => {
      const rows = await database.run(
        (statements) =>
          statements.$queryRaw<{ waiting_reason: string }[]>`
            SELECT waiting_reason FROM submissions WHERE job_id = ${jobId}`,
      );
      return rows[0]?.waiting_reason;
    };
    await tasks.setWaiting(jobId, 'held');
    expect(await reasonOf()).toBe('');
    await submissions.setUploaded(
      jobId,
      { username: 'jane', taskCount: 1, jobs: [{ ordinal: 0, firstTask: 1, taskCount: 0 }] },
      now,
    );
    await submissions.setSubmitted(jobId, now);
    await tasks.setWaiting(jobId, 'held');
    expect(await reasonOf()).toBe('held');
  });
});
