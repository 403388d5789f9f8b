import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import fc from 'fast-check';
import type { AttemptEnd } from '../../src/domain/attempt.js';
import { cancelJob } from '../../src/domain/cancel-job.js';
import { exchangeTasks } from '../../src/domain/direct/exchange-tasks.js';
import type { JobId } from '../../src/domain/job.js';
import { isTerminal, JOB_TRANSITIONS, type State } from '../../src/domain/job-state.js';
import { stopJob } from '../../src/domain/stop-job.js';
import type { AttemptId, RunnerId } from '../../src/domain/task.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { JOBS_MIGRATIONS } from '../../testing/start.js';
import { openOperations, openSubmissions } from '../operations.js';
import { loadJob } from '../shown-job.js';

/**
 * Random lives of a job, on the real database: workers that claim, report, fail, hand back and vanish, at any moment and
 * out of order, and a user who cancels. After every step the rules hold; in the end the job can always be brought to a
 * terminal state.
 */
const RUNS = 60;
const LEASE_MS = 60_000;
const owner = 1n;
const runners = ['r1', 'r2'] as RunnerId[];
const ends: AttemptEnd[] = [
  { kind: 'completed' },
  { kind: 'completed' },
  { kind: 'completed' },
  { kind: 'failed', reason: 'R', message: 'm', isRetryable: true },
  { kind: 'failed', reason: 'R', message: 'm', isRetryable: false },
  { kind: 'released' },
];
const limits = { attemptsMax: 2, releasesMax: 1 };

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase(JOBS_MIGRATIONS);
  database = openDatabase(testDatabase.url, 4);
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

function openLife(jobId: JobId, taskCount: number) {
  const operations = openOperations(database, limits, LEASE_MS);
  const { jobs, ports } = operations;
  const submissions = openSubmissions(database);
  const query = { ownerId: owner, jobId, platform: undefined };
  /** Ids given out: all that ever were, or those that are open. */
  const ids = async (isOpenOnly = false) => {
    const rows = await database.rows(sql<{ id: string }>`
      SELECT a.id FROM attempts a JOIN tasks t ON t.id = task_key JOIN jobs s ON s.id = job_key
      WHERE job_id = ${jobId} AND (NOT ${isOpenOnly}::bool OR ended_at IS NULL) ORDER BY t.task_id, a.number`);
    return rows.map(({ id }) => id as AttemptId);
  };
  const mergeIds: string[] = [];
  /** Mostly the one that is open. */
  const pickMerge = async (n: number) => {
    const open = await operations.mergeOf(jobId);
    if (!mergeIds.includes(open)) mergeIds.push(open);
    return n % 4 === 0 ? (mergeIds[(n >> 2) % mergeIds.length] ?? open) : open;
  };
  /** Mostly what is open; a quarter of the messages are late and may name what is not. */
  const pick = async (n: number) => {
    const all = await ids(n % 4 !== 0);
    return all[(n >> 2) % Math.max(all.length, 1)] ?? ('none' as AttemptId);
  };
  const runnerOf = (n: number) => runners[n % 8 === 7 ? 1 : 0] ?? ('r1' as RunnerId);
  const endOf = (n: number): AttemptEnd => ends[n % ends.length] ?? { kind: 'released' };
  return {
    submit: async () => {
      await submissions.beginSubmission(jobId, 1n);
      const shares = Array.from({ length: taskCount }, (_, i) => ({
        taskId: i + 1,
        primaries: 10,
        firstHistory: 10 * i,
      }));
      const word = { title: 'T', platform: 'direct', inputType: 'editor', simulator: 'simA' } as const;
      await submissions.createJob({
        ...word,
        jobId,
        ownerId: owner,
        origin: { requestId: null, traceparent: null },
        seed: 1n,
        tasks: shares,
        warnings: [],
        batch: undefined,
        idempotency: undefined,
      });
    },
    look: async () => {
      const found = await loadJob(jobs, query);
      if (found === undefined) throw new Error('the job is gone');
      return found;
    },
    steps: {
      claim: async (n: number) => operations.claimTask(await pick(n), runnerOf(n)),
      report: async (n: number) => {
        const progress = { simulatedPrimaries: BigInt(n), estimatedSeconds: n };
        const said = {
          progress: [{ attemptId: await pick(n), progress }],
          ends: [],
          claims: [],
          executables: new Map(),
        };
        return exchangeTasks(ports, runnerOf(n), said);
      },
      end: async (n: number) => operations.endAttempt(await pick(n), endOf(n >> 4)),
      startMerge: async (n: number) => operations.startMerge(jobId, await pickMerge(n)),
      endMerge: async (n: number) => {
        // who ends a merge has begun it
        const id = await pickMerge(n);
        return (await operations.startMerge(jobId, id)) && operations.endMerge(jobId, id);
      },
      vanish: async (n: number) => {
        await database.run(sql`
          UPDATE attempts SET lease_expires_at = now() - interval '1 s' WHERE id = ${await pick(n)} AND lease_expires_at > now()`);
      },
      sweep: operations.sweep,
      cancel: async () => cancelJob({ jobs, states: ports.states }, query),
      stop: async () => stopJob({ jobs, ...ports }, query),
    },
    /** What every worker that does its duty would do. */
    finish: async () => {
      for (const id of await ids()) {
        for (const runner of runners) await operations.claimTask(id, runner);
        await operations.endAttempt(id, { kind: 'completed' });
      }
      if (await operations.startMerge(jobId)) await operations.endMerge(jobId);
    },
  };
}
type Life = ReturnType<typeof openLife>;
type Snapshot = Awaited<ReturnType<Life['look']>>;

/** Open attempts without a message or a lease, or with both, and merges of jobs that do not merge; there must be none, and one open for each task. */
async function findLooseEnds(jobId: JobId): Promise<unknown[]> {
  return database.rows(
    sql`
      SELECT 'task' AS what, t.task_id, t.state, count(a.id) AS open FROM tasks t JOIN jobs s ON s.id = t.job_key
        LEFT JOIN attempts a ON a.task_key = t.id AND a.ended_at IS NULL
      WHERE s.job_id = ${jobId} GROUP BY t.id
      HAVING count(a.id) <> CASE WHEN t.state IN ('PENDING', 'RUNNING') THEN 1 ELSE 0 END
      UNION ALL
      SELECT 'message', NULL, a.id, NULL FROM attempts a JOIN tasks t ON t.id = a.task_key
        JOIN jobs s ON s.id = t.job_key LEFT JOIN outbox o ON o.attempt_id = a.id
      WHERE s.job_id = ${jobId} AND (a.ended_at IS NULL AND a.runner_id IS NULL) <> (o.id IS NOT NULL)
      UNION ALL
      SELECT 'merge', NULL, s.state, count(m.id) FROM jobs s LEFT JOIN duties m ON m.id = s.merge_id
      WHERE s.job_id = ${jobId} GROUP BY s.id
      HAVING count(m.id) <> CASE WHEN s.state IN ('MERGING_QUEUED', 'MERGING_RUNNING') THEN 1 ELSE 0 END`,
  );
}

const isJobMove = (from: State, to: State) =>
  from === to || Object.values(JOB_TRANSITIONS).some((t) => t.to === to && t.from.some((state) => state === from));

function checkStep(before: Snapshot, after: Snapshot): void {
  expect(isJobMove(before.state, after.state)).toBe(true);
  if (isTerminal(before.state)) expect(after).toEqual(before);
  if (before.endTime !== null) expect(after.endTime).toEqual(before.endTime);
  expect(after.endTime !== null).toBe(isTerminal(after.state));
  for (const [index, task] of after.tasks.entries()) {
    const earlier = before.tasks[index];
    if (earlier === undefined) throw new Error('a task appeared');
    if (isTerminal(earlier.state)) expect(task).toEqual(earlier);
    if (earlier.startTime !== null) expect(task.startTime).toEqual(earlier.startTime);
    if (isTerminal(after.state)) expect(isTerminal(task.state)).toBe(true);
    if (task.attemptCount === earlier.attemptCount) {
      expect(task.simulatedPrimaries).toBeGreaterThanOrEqual(earlier.simulatedPrimaries);
    }
    expect(task.simulatedPrimaries).toBeLessThanOrEqual(task.requestedPrimaries);
    const isWhole =
      task.simulatedPrimaries === task.requestedPrimaries || (after.isStopped && task.simulatedPrimaries > 0n);
    if (task.state === 'COMPLETED') expect(isWhole).toBe(true);
    expect(task.attemptCount).toBeLessThanOrEqual(limits.attemptsMax + limits.releasesMax);
  }
}

const words = [
  'claim',
  'claim',
  'report',
  'end',
  'end',
  'startMerge',
  'endMerge',
  'vanish',
  'sweep',
  'stop',
  'cancel',
] as const;
const step = fc.record({
  // cancelling and stopping end a life: rarely
  word: fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom(...words.slice(0, -2)) },
    { weight: 1, arbitrary: fc.constantFrom('stop' as const, 'cancel' as const) },
  ),
  n: fc.nat(255),
});

describe('the life of a job', () => {
  it('keeps to the rules in every order of events, and always has a way to its end', async () => {
    const reached = new Set<State>();
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 3 }),
        fc.array(step, { minLength: 20, maxLength: 60 }),
        async (taskCount, steps) => {
          const jobId = newId() as JobId;
          const life = openLife(jobId, taskCount);
          await life.submit();
          let before = await life.look();
          for (const { word, n } of steps) {
            await life.steps[word](n);
            const after = await life.look();
            checkStep(before, after);
            expect(await findLooseEnds(jobId)).toEqual([]);
            reached.add(after.state);
            before = after;
          }
          for (let round = 0; round < 2 && !isTerminal(before.state); round++) {
            await life.finish();
            before = await life.look();
          }
          expect(isTerminal(before.state)).toBe(true);
          expect(await findLooseEnds(jobId)).toEqual([]);
          reached.add(before.state);
        },
      ),
      { numRuns: RUNS },
    );
    expect(reached).toEqual(
      new Set(['PENDING', 'RUNNING', 'MERGING_QUEUED', 'MERGING_RUNNING', 'COMPLETED', 'FAILED', 'CANCELED']),
    );
  });

  it('keeps to them when everything happens at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const jobId = newId() as JobId;
        const life = openLife(jobId, 3);
        await life.submit();
        for (let start = 0; start < steps.length; start += 5) {
          await Promise.all(steps.slice(start, start + 5).map(({ word, n }) => life.steps[word](n)));
          expect(await findLooseEnds(jobId)).toEqual([]);
        }
        for (let round = 0; round < 2; round++) await life.finish();
        expect(isTerminal((await life.look()).state)).toBe(true);
      }),
      { numRuns: RUNS / 2 },
    );
  });
});
