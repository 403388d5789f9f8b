import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import fc from 'fast-check';
import { cancelJob } from '../../../src/domain/cancel-job.js';
import { deleteJob } from '../../../src/domain/delete-job.js';
import type { JobId } from '../../../src/domain/job.js';
import { isTerminal } from '../../../src/domain/job-state.js';
import type { AttemptId, RunnerId } from '../../../src/domain/task.js';
import { reportWorkerOutput } from '../../../src/domain/worker/report-worker-output.js';
import { updateJob } from '../../../src/domain/worker/update-job.js';
import { deriveUpdateKey } from '../../../src/domain/worker/update-key.js';
import { updateTask } from '../../../src/domain/worker/update-task.js';
import { type Database, openDatabase } from '../../../src/storage/database.js';
import { createWorkerStore } from '../../../src/storage/worker-store.js';
import { JOBS_MIGRATIONS } from '../../../testing/start.js';
import { openOperations, openSubmissions } from '../../operations.js';
import { loadJob } from '../../shown-job.js';
import { type Answer, type Command, type Moment, stepsFor, type TaskModel, WorkerModel } from '../../worker-model.js';

/**
 * External workers, runners and a user, at any moment and in any order, on the real database. Without runners, the
 * database holds what the model says; with them, nothing is ever left without somebody who takes it to its end.
 */
const RUNS = 60;
const LEASE_MS = 600_000;
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

const toDate = (at: number | undefined) => (at === undefined ? undefined : new Date(at));

async function openJob(requested: readonly bigint[]) {
  const jobId = newId() as JobId;
  const operations = openOperations(database, limits, LEASE_MS);
  const { jobs } = operations;
  const workers = createWorkerStore(database);
  const submissions = openSubmissions(database);
  await submissions.beginSubmission(jobId, 1n);
  await submissions.createJob({
    jobId,
    ownerId: owner,
    title: 'T',
    platform: 'direct',
    inputType: 'editor',
    simulator: 'simA',
    origin: { requestId: null, traceparent: null },
    seed: 1n,
    tasks: requested.map((primaries, i) => ({ taskId: i + 1, primaries: Number(primaries), firstHistory: 10 * i })),
    warnings: [],
    batch: undefined,
    idempotency: undefined,
  });
  const ports = {
    ...operations.ports,
    workers,
    updateKeys: { master, before: '', shared: '' },
    updateKeyHours: 24,
  };
  const credential = { jobRef: jobId, updateKey: deriveUpdateKey(master, jobId) };
  const query = { ownerId: owner, jobId, platform: undefined };
  const send = async (command: Command): Promise<Answer> => {
    switch (command.kind) {
      case 'task': {
        const { taskId, attemptName, update } = command;
        const said = {
          state: update.state,
          requestedPrimaries: update.requested,
          simulatedPrimaries: update.simulated,
          estimatedSeconds: update.estimate,
          startTime: toDate(update.start),
          endTime: toDate(update.end),
          ...(update.failure === undefined ? {} : { failure: update.failure }),
        };
        const { isApplied, mustStop } = await updateTask(ports, credential, { taskId, attemptName }, said);
        expect(mustStop).toBe(!isApplied);
        return isApplied;
      }
      case 'job': {
        const { state, end } = command.update;
        const rest = { jobDir: undefined, arrayId: undefined, collectId: undefined };
        return updateJob(ports, credential, { state, endTime: toDate(end), ...rest });
      }
      case 'results': {
        const { hash: contentHash, primaries } = command;
        return reportWorkerOutput(ports, credential, { kind: 'final', contentHash, primaries });
      }
      case 'silence':
        await operations.loseMerge(jobId);
        return (await jobs.findJob(query, '')).kind === 'own' ? true : 'gone';
      case 'cancel':
        return cancelJob({ ...ports, jobs }, query);
      case 'delete':
        await deleteJob({ ...ports, jobs }, query);
        return true;
    }
  };
  return {
    jobId,
    operations,
    /** What a refusal means: the job is gone, or may not be deleted yet. */
    apply: (command: Command): Promise<Answer> =>
      send(command).catch((err: { reason?: string }) => {
        if (err.reason === 'UPDATE_KEY_INVALID' || err.reason === 'JOB_NOT_FOUND') return 'gone' as const;
        if (err.reason === 'JOB_NOT_TERMINAL') return false;
        throw err;
      }),
    look: () => loadJob(jobs, query),
  };
}
type TestJob = Awaited<ReturnType<typeof openJob>>;

/** Moments that no command says are the service's own. */
const momentOf = (date: Date | null): Moment =>
  date === null ? null : date.getTime() % 86_400_000 === SAID_MS ? date.getTime() : 'now';
const SAID_MS = Date.UTC(2026, 0, 1, 3, 4, 5, 678) % 86_400_000;

async function seen(job: TestJob) {
  const found = await job.look();
  if (found === undefined) return 'gone';
  return {
    state: found.state,
    end: momentOf(found.endTime),
    tasks: found.tasks.map((task) => ({
      state: task.state,
      requested: task.requestedPrimaries,
      simulated: task.simulatedPrimaries,
      estimate: task.estimatedSeconds,
      start: momentOf(task.startTime),
      end: momentOf(task.endTime),
    })),
  };
}
const modelled = ({ state, end, isGone, tasks }: WorkerModel) =>
  isGone ? 'gone' : { state, end, tasks: tasks.map(shown) };
const shown = ({ state, requested, simulated, estimate, start, end }: TaskModel) => ({
  state,
  requested,
  simulated,
  estimate,
  start,
  end,
});

/**
 * Work that nobody would take to its end: an open task without exactly one open attempt, an open attempt without
 * exactly one of message and lease, an open job without open tasks or an open merge, and anything open in an ended job.
 */
async function findLooseEnds(jobId: JobId): Promise<unknown[]> {
  return database.rows(
    sql`
      WITH job AS (SELECT id, state, state IN ('COMPLETED', 'FAILED', 'CANCELED') AS ended FROM jobs WHERE job_id = ${jobId}),
      task AS (SELECT t.*, t.state IN ('COMPLETED', 'FAILED', 'CANCELED') AS ended FROM tasks t JOIN job ON job.id = job_key)
      SELECT 'task' AS what, t.task_id::text AS which, t.state FROM task t
        LEFT JOIN attempts a ON a.task_key = t.id AND a.ended_at IS NULL
        GROUP BY t.id, t.task_id, t.state, t.ended HAVING count(a.id) <> CASE WHEN t.ended THEN 0 ELSE 1 END
      UNION ALL
      SELECT 'attempt', a.id, NULL FROM attempts a JOIN task t ON t.id = a.task_key LEFT JOIN outbox o ON o.attempt_id = a.id
        WHERE (a.ended_at IS NULL AND a.runner_id IS NULL) <> (o.id IS NOT NULL)
          OR (a.ended_at IS NULL AND a.runner_id IS NOT NULL) <> (a.lease_expires_at IS NOT NULL)
      UNION ALL
      SELECT 'merge', m.id, job.state FROM duties m, job WHERE m.job_id = ${jobId} AND kind = 'merge' AND job.ended
      UNION ALL
      SELECT 'job', NULL, job.state FROM job WHERE job.ended <> (
        NOT EXISTS (SELECT 1 FROM task WHERE NOT ended)
        AND NOT EXISTS (SELECT 1 FROM duties WHERE job_id = ${jobId} AND kind = 'merge'))`,
  );
}

const jobAndSteps = (lengthMax: number) =>
  fc.integer({ min: 1, max: 3 }).chain((count) => fc.tuple(fc.constant(count), stepsFor(count, lengthMax)));
const requestedOf = (count: number) => Array.from({ length: count }, (_, i) => BigInt(10 + i));

describe('what external workers say', () => {
  it('is stored as the model has it, in every order, cut off and repeated', async () => {
    await fc.assert(
      fc.asyncProperty(jobAndSteps(15), async ([count, steps]) => {
        const requested = requestedOf(count);
        const [job, model] = [await openJob(requested), new WorkerModel(requested)];
        for (const { command, cut } of steps) {
          const answer = await job.apply(command);
          expect(answer).toEqual(model.apply(command));
          expect(await seen(job)).toEqual(modelled(model));
          expect(await findLooseEnds(job.jobId)).toEqual([]);
          if (cut !== 'after' || command.kind === 'delete') continue;
          expect([await job.apply(command), model.apply(command)]).toEqual([answer, answer]);
          expect(await seen(job)).toEqual(modelled(model));
        }
      }),
      { numRuns: RUNS },
    );
  });
});

/** A runner that takes whatever there is, who merges, a lost worker, and the sweep that finds it. */
function runnersOf({ jobId, operations }: TestJob) {
  const { claimTask, startMerge, endAttempt, endMerge } = operations;
  const runner = 'r1' as RunnerId;
  const openIds = async () => {
    const rows = await database.rows(sql<{ id: string }>`
      SELECT a.id FROM attempts a JOIN tasks t ON t.id = task_key JOIN jobs s ON s.id = job_key
      WHERE job_id = ${jobId} AND a.ended_at IS NULL`);
    return rows.map(({ id }) => id as AttemptId);
  };
  const steps = {
    claim: async () => {
      for (const id of await openIds()) await claimTask(id, runner);
      await startMerge(jobId);
    },
    complete: async () => {
      for (const id of await openIds()) {
        const isOurs = await claimTask(id, runner);
        if (isOurs !== undefined) await endAttempt(id, { kind: 'completed' });
      }
      if (await startMerge(jobId)) await endMerge(jobId);
    },
    lose: async () => {
      await database.run(sql`UPDATE attempts SET lease_expires_at = now() - interval '1 s' FROM tasks, jobs
        WHERE tasks.id = task_key AND jobs.id = job_key AND job_id = ${jobId} AND lease_expires_at IS NOT NULL`);
      await operations.sweep();
      await operations.loseMerge(jobId);
    },
  };
  return steps;
}

describe('external workers and runners on one job', () => {
  it('leave nothing without somebody who takes it on, and the job always has a way to its end', async () => {
    await fc.assert(
      fc.asyncProperty(
        jobAndSteps(12),
        fc.array(fc.constantFrom('claim', 'complete', 'lose', 'outside' as const), { minLength: 8, maxLength: 25 }),
        async ([count, steps], words) => {
          const job = await openJob(requestedOf(count));
          const runners = runnersOf(job);
          const outside = steps.filter(({ command }) => command.kind !== 'delete').map(({ command }) => command);
          let last = await job.look();
          for (const word of words) {
            const command = word === 'outside' ? outside.shift() : undefined;
            if (word !== 'outside') await runners[word]();
            else if (command !== undefined) await job.apply(command);
            expect(await findLooseEnds(job.jobId)).toEqual([]);
            const now = await job.look();
            if (last !== undefined && isTerminal(last.state)) expect(now).toEqual(last);
            last = now;
          }
          for (let round = 0; round < 8 && !isTerminal((await job.look())?.state ?? 'CANCELED'); round++) {
            await runners.lose();
            await runners.claim();
            await runners.complete();
          }
          expect(isTerminal((await job.look())?.state ?? 'UNKNOWN')).toBe(true);
          expect(await findLooseEnds(job.jobId)).toEqual([]);
        },
      ),
      { numRuns: RUNS / 2 },
    );
  });

  it('may all come at once', async () => {
    await fc.assert(
      fc.asyncProperty(jobAndSteps(20), async ([count, steps]) => {
        const job = await openJob(requestedOf(count));
        const runners = runnersOf(job);
        for (let from = 0; from < steps.length; from += 5) {
          const commands = steps.slice(from, from + 5).map(({ command }) => job.apply(command));
          await Promise.all([...commands, runners.claim(), runners.complete()]);
          expect(await findLooseEnds(job.jobId)).toEqual([]);
        }
      }),
      { numRuns: RUNS / 4 },
    );
  });
});
