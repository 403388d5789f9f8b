import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import fc from 'fast-check';
import { endReport } from '../../../src/domain/batch/batch-report.js';
import { reportBatch } from '../../../src/domain/batch/report-batch.js';
import { cancelJob } from '../../../src/domain/cancel-job.js';
import type { JobId } from '../../../src/domain/job.js';
import { isTerminal, type State } from '../../../src/domain/job-state.js';
import { stopJob } from '../../../src/domain/stop-job.js';
import { reportWorkerOutput } from '../../../src/domain/worker/report-worker-output.js';
import { updateJob } from '../../../src/domain/worker/update-job.js';
import { deriveUpdateKey } from '../../../src/domain/worker/update-key.js';
import { updateTask } from '../../../src/domain/worker/update-task.js';
import { type Database, openDatabase } from '../../../src/storage/database.js';
import { createWorkerStore } from '../../../src/storage/worker-store.js';
import { JOBS_MIGRATIONS } from '../../../testing/start.js';
import { openOperations, openSubmissions } from '../../operations.js';
import { loadJob } from '../../shown-job.js';

/** Helpers, a scheduler, runners that merge and a user, at any moment and in any order, on one batch job. */
const RUNS = 60;
const LEASE_MS = 600_000;
const TASKS = 2;
const owner = 1n;
const master = 'master of the update keys in this test';
const limits = { attemptsMax: 2, releasesMax: 1 };

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase(JOBS_MIGRATIONS);
  database = openDatabase(testDatabase.url, 6);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const taskId = fc.integer({ min: 1, max: TASKS });
const openState = fc.constantFrom<State>('UNKNOWN', 'PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING');
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('update' as const),
      taskId,
      state: fc.constantFrom<State>('RUNNING', 'COMPLETED', 'FAILED'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('update' as const), taskId, state: openState }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('output' as const, 'finish' as const), taskId }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('finish' as const), taskId }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('scheduler' as const),
      taskId,
      state: fc.constantFrom('RUNNING' as const, 'FAILED' as const, 'CANCELED' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('job' as const), state: openState }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('claim' as const, 'merge' as const, 'lose' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('end' as const, 'cancel' as const, 'waits' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('stop' as const) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

async function openBatchJob() {
  const jobId = newId() as JobId;
  const operations = openOperations(database, limits, LEASE_MS);
  const { jobs } = operations;
  const submissions = openSubmissions(database);
  await submissions.beginSubmission(jobId, 1n);
  await submissions.createJob({
    jobId,
    ownerId: owner,
    title: 'T',
    platform: 'batch',
    inputType: 'editor',
    simulator: 'simA',
    origin: { requestId: null, traceparent: null },
    seed: 1n,
    tasks: Array.from({ length: TASKS }, (_, i) => ({ taskId: i + 1, primaries: 10, firstHistory: 10 * i })),
    warnings: [],
    batch: { clusterName: 'alpha', schedulerOptionsJson: Buffer.alloc(0) },
    idempotency: undefined,
  });
  const workers = createWorkerStore(database);
  const ports = {
    ...operations.ports,
    workers,
    updateKeys: { master, before: '', shared: '' },
    updateKeyHours: 24,
  };
  const credential = { jobRef: jobId, updateKey: deriveUpdateKey(master, jobId) };
  const unsaid = { jobDir: undefined, arrayId: undefined, collectId: undefined };
  const silent = { requestedPrimaries: undefined, simulatedPrimaries: undefined, estimatedSeconds: undefined };
  const noTimes = { startTime: undefined, endTime: undefined };
  const report = { ...unsaid, waitingReason: undefined, tasks: [], end: undefined };
  const apply = async (said: Command): Promise<unknown> => {
    switch (said.kind) {
      case 'update': {
        const target = { taskId: said.taskId, attemptName: undefined };
        return updateTask(ports, credential, target, { state: said.state, ...silent, ...noTimes });
      }
      case 'output':
        return reportWorkerOutput(ports, credential, { kind: 'task', taskId: said.taskId });
      case 'finish': {
        await reportWorkerOutput(ports, credential, { kind: 'task', taskId: said.taskId });
        const target = { taskId: said.taskId, attemptName: undefined };
        return updateTask(ports, credential, target, { state: 'COMPLETED', ...silent, ...noTimes });
      }
      case 'scheduler':
        return reportBatch(ports, jobId, { ...report, tasks: [{ ...said, failure: 'word' }] });
      case 'waits':
        return reportBatch(ports, jobId, { ...report, waitingReason: 'it waits' });
      case 'end':
        return reportBatch(ports, jobId, endReport('over'));
      case 'job':
        return updateJob(ports, credential, { state: said.state, endTime: undefined, ...unsaid });
      case 'cancel':
        return cancelJob({ ...ports, jobs }, { ownerId: owner, jobId, platform: 'batch' });
      case 'stop':
        return stopJob({ ...ports, jobs }, { ownerId: owner, jobId, platform: 'batch' });
      case 'claim':
        return operations.startMerge(jobId);
      case 'merge':
        return (await operations.startMerge(jobId)) && operations.endMerge(jobId);
      case 'lose':
        return operations.loseMerge(jobId);
    }
  };
  const look = async () => {
    const found = await loadJob(jobs, { ownerId: owner, jobId, platform: 'batch' });
    if (found === undefined) throw new Error('the job is gone');
    const { state, failure, waitingReason, endTime, isStopped, tasks } = found;
    return { state, failure, waitingReason, endTime, isStopped, tasks: tasks.map((task) => task.state) };
  };
  return { jobId, apply, look };
}

/** What must never be: work that a batch job does not have, or a job that nobody and nothing takes on. */
async function findLooseEnds(jobId: JobId) {
  return database.rows(
    sql`
      WITH job AS (SELECT s.*, s.state IN ('COMPLETED', 'FAILED', 'CANCELED') AS ended FROM jobs s WHERE job_id = ${jobId}),
      task AS (SELECT t.*, t.state IN ('COMPLETED', 'FAILED', 'CANCELED') AS ended FROM tasks t JOIN job ON job.id = job_key),
      open_merge AS (SELECT * FROM duties WHERE job_id = ${jobId} AND kind = 'merge')
      SELECT 'attempt' AS what FROM attempts a JOIN task ON task.id = a.task_key
      UNION ALL SELECT 'external merge' FROM open_merge WHERE (payload->>'isExternal')::bool
        AND NOT EXISTS (SELECT 1 FROM task WHERE is_unexplained)
      UNION ALL SELECT 'open task of an ended job' FROM task, job WHERE job.ended AND NOT task.ended
      UNION ALL SELECT 'merge of an ended job' FROM open_merge, job WHERE job.ended
      UNION ALL SELECT 'reason of an ended job' FROM job WHERE job.ended AND waiting_reason IS NOT NULL
      UNION ALL SELECT 'merge beside open tasks' FROM open_merge WHERE EXISTS (SELECT 1 FROM task WHERE NOT ended)
      UNION ALL SELECT 'stuck' FROM job WHERE NOT job.ended AND NOT EXISTS (SELECT 1 FROM open_merge)
        AND NOT EXISTS (SELECT 1 FROM task WHERE NOT ended OR (state = 'COMPLETED' AND NOT has_output))`,
  );
}

describe('a batch job', () => {
  it('always has what takes it on, never work of the direct platform, and one end that stays', async () => {
    const ends = new Set<State>();
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 25 }), async (commands) => {
        const job = await openBatchJob();
        let last = await job.look();
        const rest: Command[] = [{ kind: 'end' }, { kind: 'merge' }];
        for (const said of [...commands, ...rest]) {
          await job.apply(said);
          expect(await findLooseEnds(job.jobId)).toEqual([]);
          const now = await job.look();
          if (isTerminal(last.state)) expect(now).toEqual(last);
          last = now;
        }
        // the end on the cluster, and the merge: more than these nothing needs
        expect(isTerminal(last.state)).toBe(true);
        if (last.state === 'COMPLETED' && !last.isStopped)
          expect(last.tasks).toEqual(Array.from({ length: TASKS }, () => 'COMPLETED'));
        ends.add(last.state);
      }),
      { numRuns: RUNS },
    );
    expect([...ends].toSorted()).toEqual(['CANCELED', 'COMPLETED', 'FAILED']);
  });

  it('may hear everything at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
        const job = await openBatchJob();
        for (let from = 0; from < commands.length; from += 5) {
          await Promise.all(commands.slice(from, from + 5).map((said) => job.apply(said)));
          expect(await findLooseEnds(job.jobId)).toEqual([]);
        }
      }),
      { numRuns: RUNS / 3 },
    );
  });
});
