import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, sql } from '@tally/service-kit';
import { createTestDatabase, type TestDatabase } from '@tally/testkit';
import fc from 'fast-check';
import { endReport } from '../../src/domain/batch/batch-report.js';
import { changeByReport } from '../../src/domain/batch/report-batch.js';
import { decideCancel } from '../../src/domain/cancel-job.js';
import { decideDelete } from '../../src/domain/delete-job.js';
import { exchangeTasks } from '../../src/domain/direct/exchange-tasks.js';
import { reportTaskEnd, type TaskEnd } from '../../src/domain/direct/report-task-end.js';
import { decideMergeEnd, decideMergeFailure, decideMergeStart } from '../../src/domain/duties/merge-job.js';
import { decideExtension } from '../../src/domain/extend-job.js';
import type { JobId, Platform } from '../../src/domain/job.js';
import type { State } from '../../src/domain/job-state.js';
import type { LeaseStore, NewJob, StateStore } from '../../src/domain/ports.js';
import type { AttemptRow, MergeRow, TaskRow } from '../../src/domain/snapshot.js';
import { decideStop } from '../../src/domain/stop-job.js';
import type { AttemptId, RunnerId } from '../../src/domain/task.js';
import { decideOutput } from '../../src/domain/worker/report-worker-output.js';
import { decideWorkerJobUpdate } from '../../src/domain/worker/update-job.js';
import { decideWorkerTaskUpdate } from '../../src/domain/worker/update-task.js';
import { type Database, openDatabase } from '../../src/storage/database.js';
import { JOBS_MIGRATIONS } from '../../testing/start.js';
import { createMemoryStore } from '../memory-store.js';
import { openOperations, openSubmissions } from '../operations.js';
import { SILENT_NOTIFIER } from '../silent-notifier.js';

/** The store in memory is a stand-in for the database's in tests of rules: what holds of one must hold of the other. */
const RUNS = 25;
const LEASE_MS = 600_000;
const limits = { attemptsMax: 2, releasesMax: 1 };
/** A few tasks more, and as many primaries as wait at a time: every refusal is met. */
const EXTEND_LIMITS = {
  ntasksMax: 2,
  jobTasksMax: 6,
  idempotencyKeyHours: 1,
  openJobsPerUserMax: 0,
  openTasksPerUserMax: 0,
  queuedPrimariesPerUserMax: 0,
};
const runners = ['r1', 'r2'] as RunnerId[];

interface StopFacts {
  readonly isStopped: boolean;
  readonly simulatedPrimaries: bigint | null;
}

/** What is stored of a job, without what differs from run to run: ids are numbers of attempts, moments are whether. */
interface Stored {
  readonly job: { readonly state: State; readonly failure: string | null; readonly hasEnded: boolean } & StopFacts;
  readonly tasks: readonly unknown[];
  /** By task and number. */
  readonly attempts: readonly AttemptRow[];
  readonly merges: readonly MergeRow[];
  /** Ids of attempts. */
  readonly messages: ReadonlySet<string>;
  /** Kinds of those that are not merges. */
  readonly duties: readonly string[];
  readonly events: readonly string[];
}
interface StoreUnderTest {
  readonly states: StateStore;
  readonly leases: LeaseStore;
  create(job: NewJob): Promise<void>;
  read(jobId: JobId): Promise<Stored>;
  endLeases(jobId: JobId): Promise<void>;
}

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

const seenOfTask = (task: Omit<TaskRow, 'taskKey' | 'jobKey' | 'currentAttemptId'>) => [
  task.taskId,
  task.state,
  task.firstHistory,
  task.simulatedPrimaries,
  task.estimatedSeconds,
  task.failure,
  task.isUnexplained,
  task.hasOutput,
  task.mustFinish,
  task.startTime !== null,
  task.endTime !== null,
];

function databaseStore(): StoreUnderTest {
  const { states, leases } = openOperations(database, limits, LEASE_MS).ports;
  const submissions = openSubmissions(database);
  const TRY = sql`number, runner_id AS "runnerId", lease_expires_at AS "leaseExpiresAt", ended_at AS "endedAt", outcome, cpu_ms AS "cpuMs"`;
  return {
    states,
    leases,
    create: async (job) => {
      await submissions.beginSubmission(job.jobId, 1n);
      await submissions.createJob(job);
    },
    read: async (jobId) => {
      const job = await database.row(sql<{ key: bigint } & Stored['job']>`
        SELECT id AS key, state, failure, end_time IS NOT NULL AS "hasEnded", stopped_at IS NOT NULL AS "isStopped",
          merged_primaries AS "simulatedPrimaries" FROM jobs WHERE job_id = ${jobId}`);
      const gone = {
        state: 'UNKNOWN',
        failure: null,
        hasEnded: false,
        isStopped: false,
        simulatedPrimaries: null,
      } as const;
      const { key, ...facts } = job ?? { key: 0n, ...gone };
      const tasks = await database.rows(sql<TaskRow>`
        SELECT task_id AS "taskId", state, first_history AS "firstHistory", simulated_primaries AS "simulatedPrimaries", failure,
          estimated_seconds AS "estimatedSeconds", is_unexplained AS "isUnexplained", has_output AS "hasOutput", must_finish AS "mustFinish",
          start_time AS "startTime", end_time AS "endTime" FROM tasks WHERE job_key = ${key} ORDER BY task_id`);
      const attempts = await database.rows(sql<AttemptRow>`
        SELECT attempts.id, task_key AS "taskKey", ${TRY} FROM attempts JOIN tasks ON tasks.id = task_key
        WHERE job_key = ${key} ORDER BY task_id, number`);
      const merges = await database.rows(sql<MergeRow>`
        SELECT id, ${key}::bigint AS "jobKey", next_try_at AS "dueAt", payload->'isExternal' AS "isExternal",
          (payload->'failedCount')::int AS "failedCount"
        FROM duties WHERE job_id = ${jobId} AND kind = 'merge'`);
      const messages = await database.rows(sql<{ id: string }>`
        SELECT attempt_id AS id FROM outbox WHERE job_key = ${key}`);
      const duties = await database.rows(sql<{ kind: string }>`
        SELECT kind FROM duties WHERE job_id = ${jobId} AND kind <> 'merge' ORDER BY kind`);
      const events = await database.rows(sql<{ kind: string; taskId: number | null }>`
        SELECT kind, task_id AS "taskId" FROM job_events WHERE job_id = ${jobId} ORDER BY id`);
      return {
        job: facts,
        tasks: tasks.map(seenOfTask),
        attempts,
        merges,
        messages: new Set(messages.map(({ id }) => id)),
        duties: duties.map(({ kind }) => kind),
        events: events.map(({ kind, taskId }) => `${kind} ${taskId ?? ''}`),
      };
    },
    endLeases: async (jobId) => {
      await database.run(sql`
        UPDATE attempts SET lease_expires_at = now() - interval '1 s' WHERE lease_expires_at IS NOT NULL
          AND id IN (SELECT a.id FROM attempts a JOIN tasks ON tasks.id = task_key JOIN jobs ON jobs.id = job_key WHERE job_id = ${jobId})`);
      await database.run(
        sql`UPDATE duties SET next_try_at = now() - interval '1 s' WHERE job_id = ${jobId} AND kind = 'merge'`,
      );
    },
  };
}

function memoryStore(): StoreUnderTest {
  const memory = createMemoryStore(() => new Date());
  const { rows } = memory;
  const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number;
  return {
    ...memory,
    create: async (job) => memory.createJob(job),
    read: async () => {
      const [job] = rows.jobs.values();
      const tasks = [...rows.tasks.values()].toSorted((a, b) => a.taskId - b.taskId);
      const attempts = tasks.flatMap(({ taskKey }) =>
        [...rows.attempts.values()].filter((one) => one.taskKey === taskKey).toSorted(byNumber),
      );
      const taskId = (taskKey: bigint | undefined) => tasks.find((task) => task.taskKey === taskKey)?.taskId ?? '';
      return {
        job: {
          state: job?.state ?? 'UNKNOWN',
          failure: job?.failure ?? null,
          hasEnded: (job?.endTime ?? null) !== null,
          isStopped: (job?.stoppedAt ?? null) !== null,
          simulatedPrimaries: job?.simulatedPrimaries ?? null,
        },
        tasks: tasks.map(seenOfTask),
        attempts,
        merges: [...rows.merges.values()],
        messages: rows.messages,
        duties: [...rows.duties].map((duty) => duty.split(' ')[0] ?? '').toSorted(),
        events: rows.events.map(({ kind, taskKey }) => `${kind} ${taskId(taskKey)}`),
      };
    },
    endLeases: async () => {
      const over = new Date(Date.now() - 1_000);
      for (const [id, row] of rows.attempts)
        if (row.leaseExpiresAt !== null) rows.attempts.set(id, { ...row, leaseExpiresAt: over });
      for (const [key, merge] of rows.merges) rows.merges.set(key, { ...merge, dueAt: over });
    },
  };
}

const ends: readonly TaskEnd[] = [
  { kind: 'completed', simulatedPrimaries: 10n },
  { kind: 'completed', simulatedPrimaries: 10n },
  { kind: 'completed', simulatedPrimaries: 9n },
  { kind: 'failed', reason: 'R', message: 'm', isRetryable: true },
  { kind: 'failed', reason: 'R', message: 'm', isRetryable: false },
  { kind: 'released' },
];
const WORKER_STATES = [undefined, 'RUNNING', 'COMPLETED', 'FAILED'] as const;
const WORDS = {
  direct: ['exchange', 'exchange', 'exchange', 'worker', 'startMerge', 'endMerge', 'sweep', 'extend'],
  batch: ['report', 'report', 'output', 'worker', 'workerJob', 'startMerge', 'endMerge', 'sweep'],
} as const;
type Word = (typeof WORDS)[Platform][number] | 'stop' | 'cancel' | 'delete' | 'over';
interface Step {
  readonly word: Word;
  readonly n: number;
  readonly m: number;
}
const stepOn = (platform: Platform): fc.Arbitrary<Step> =>
  fc.record({
    word: fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom<Word>(...WORDS[platform]) },
      { weight: 1, arbitrary: fc.constantFrom<Word>('stop', 'cancel') },
      { weight: 1, arbitrary: fc.constant<Word>('delete') },
      { weight: 2, arbitrary: fc.constant<Word>('over') },
    ),
    n: fc.nat(255),
    m: fc.nat(255),
  });

/** Nobody waits for anybody. */
const NOTHING = { ...endReport(''), end: undefined };
const SCHEDULER_STATES = ['RUNNING', 'RUNNING', 'FAILED', 'CANCELED'] as const;

/** One step on one store; the answer, without ids. */
async function apply(store: StoreUnderTest, jobId: JobId, { word, n, m }: Step): Promise<unknown> {
  const { states, leases } = store;
  const lease = { leaseMs: LEASE_MS, workerLeaseMs: LEASE_MS, updateKeyHours: 1 };
  const ports = { states, leases, limits, ...lease, notifier: SILENT_NOTIFIER };
  const { attempts, merges } = await store.read(jobId);
  const pick = (i: number) => (attempts[i % attempts.length]?.id ?? 'none') as AttemptId;
  const taskId = 1 + (n % 3);
  const merge = n % 8 === 7 ? 'none' : (merges[0]?.id ?? 'none');
  const startMerge = () => states.changeJob({ jobId }, 'tally', (draft) => decideMergeStart(draft, jobId, merge));
  const runner = runners[m % 8 === 7 ? 1 : 0] ?? ('r1' as RunnerId);
  const end = ends[m % ends.length] ?? { kind: 'released' };
  switch (word) {
    case 'exchange': {
      const { wanted, isApplied, orders } = await exchangeTasks(ports, runner, {
        progress: [{ attemptId: pick(n), progress: { simulatedPrimaries: BigInt(m), estimatedSeconds: m } }],
        ends: n % 2 === 0 ? [{ attemptId: pick(n >> 1), end }] : [],
        claims: [pick(m), pick(n >> 2)],
        executables: new Map(),
      });
      return { wanted, isApplied, orders: orders.map((order) => order && [order.taskId, order.attempt]) };
    }
    case 'worker': {
      const state = WORKER_STATES[m % WORKER_STATES.length];
      const update = { state, requestedPrimaries: undefined, simulatedPrimaries: 3n, estimatedSeconds: 1 };
      const said = { ...update, startTime: undefined, endTime: undefined, ...(m > 99 ? { failure: 'F' } : {}) };
      const need = state === undefined ? 'facts' : state === 'RUNNING' ? 'start' : 'end';
      const decision = await states.changeTasks([{ jobId, taskId, need }], (draft) =>
        decideWorkerTaskUpdate(draft, { jobId, taskId, attemptName: n > 99 ? 'w' : undefined, update: said }, ports),
      );
      return typeof decision === 'object' ? decision.kind : decision;
    }
    case 'startMerge':
      return startMerge();
    case 'endMerge': {
      const order = await startMerge();
      if (order === undefined) return undefined;
      const failure = { jobId, mergeId: merge, failure: 'R: m', isRetryable: m % 2 === 0 };
      return states.changeJob({ jobId }, 'tally', (draft) =>
        m % 3 === 0
          ? decideMergeFailure(draft, failure, limits)
          : decideMergeEnd(draft, { jobId, mergeId: merge, relativeError: undefined }),
      );
    }
    case 'sweep': {
      await store.endLeases(jobId);
      const expired = await leases.listExpired(1_000);
      for (const id of attempts.map((one) => one.id as AttemptId).filter((id) => expired.includes(id)))
        await reportTaskEnd(ports, id, { kind: 'lost' });
      return undefined;
    }
    case 'report': {
      const state = SCHEDULER_STATES[m % SCHEDULER_STATES.length] ?? 'RUNNING';
      const waitingReason = m > 200 ? 'held' : undefined;
      return changeByReport(ports, jobId, { ...NOTHING, waitingReason, tasks: [{ taskId, state, failure: '' }] });
    }
    case 'over': {
      const ids = attempts.map(({ id }) => id as AttemptId);
      const completed = { kind: 'completed', simulatedPrimaries: 10n } as const;
      const given = await exchangeTasks(ports, runner, { progress: [], ends: [], claims: ids, executables: new Map() });
      const ends = ids.map((attemptId) => ({ attemptId, end: completed }));
      const { isApplied } = await exchangeTasks(ports, runner, {
        progress: [],
        ends,
        claims: [],
        executables: new Map(),
      });
      const isOpen = await changeByReport(ports, jobId, endReport('over'));
      return [given.orders.map((order) => order?.taskId), isApplied, isOpen];
    }
    case 'output':
      return states.changeTasks([{ jobId, taskId, need: 'end' }], (draft) =>
        decideOutput(draft, jobId, taskId, LEASE_MS),
      );
    case 'workerJob': {
      const said = { state: 'RUNNING', endTime: undefined, jobDir: '/d', arrayId: 7n, collectId: undefined } as const;
      const decision = await states.changeJob({ jobId }, 'tally', (draft) =>
        decideWorkerJobUpdate(draft, jobId, said, ports),
      );
      return decision?.kind;
    }
    case 'stop':
      return states.changeJob({ jobId, ownerId: 1n }, 'all', (draft) => decideStop(draft, jobId, LEASE_MS));
    case 'extend': {
      if ((await startMerge()) !== undefined) {
        const ended = { jobId, mergeId: merge, relativeError: undefined };
        await states.changeJob({ jobId }, 'tally', (draft) => decideMergeEnd(draft, ended));
      }
      const extended = await states.changeJob({ jobId, ownerId: 1n }, 'usage', (draft) =>
        decideExtension(
          draft,
          jobId,
          { primaries: 1 + (n % 20), taskCount: undefined, idempotencyKey: '' },
          EXTEND_LIMITS,
        ),
      );
      return extended instanceof Error ? extended.message : extended;
    }
    case 'cancel':
      return states.changeJob({ jobId, ownerId: 1n }, 'all', (draft) => decideCancel(draft, jobId));
    case 'delete':
      return states.changeJob({ jobId, ownerId: 1n }, 'tally', (draft) => decideDelete(draft, jobId));
  }
}

const seenOfTry =
  ({ messages }: Stored) =>
  (one: AttemptRow) => [one.number, one.runnerId, one.leaseExpiresAt !== null, one.outcome, messages.has(one.id)];
const comparable = (stored: Stored) => ({
  job: stored.job,
  tasks: stored.tasks,
  attempts: stored.attempts.map(seenOfTry(stored)),
  merges: stored.merges.map(({ isExternal, failedCount, dueAt }) => [isExternal, failedCount, dueAt <= new Date()]),
  messageCount: stored.messages.size,
  duties: stored.duties,
  // how often there is progress depends on the clock
  events: stored.events.filter((event) => !event.startsWith('progress')),
});

describe('the store in memory and the one in PostgreSQL', () => {
  const ends = ['PENDING', 'RUNNING', 'MERGING_QUEUED', 'CANCELED'];
  it.each<[Platform, string[]]>([
    ['direct', [...ends, 'MERGING_RUNNING', 'extended']],
    ['batch', ends],
  ])('answer the same and keep the same, whatever happens to a job of the platform %s', async (platform, expected) => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(stepOn(platform), { minLength: 10, maxLength: 40 }), async (steps) => {
        const jobId = newId() as JobId;
        const stores = [databaseStore(), memoryStore()] as const;
        const tasks = [1, 2, 3].map((taskId) => ({ taskId, primaries: 10, firstHistory: 10 * (taskId - 1) }));
        const facts = { title: 'T', platform, inputType: 'editor', simulator: 'simA', seed: 1n } as const;
        const origin = { requestId: null, traceparent: null };
        const batch =
          platform === 'batch' ? { clusterName: 'north', schedulerOptionsJson: Buffer.from('{}') } : undefined;
        const rest = { tasks, warnings: [], batch, idempotency: undefined, origin };
        for (const store of stores) await store.create({ jobId, ownerId: 1n, ...facts, ...rest });
        for (const one of steps) {
          const [answer, inMemory] = [await apply(stores[0], jobId, one), await apply(stores[1], jobId, one)];
          expect(inMemory).toEqual(answer);
          const stored = await stores[0].read(jobId);
          expect(comparable(await stores[1].read(jobId))).toEqual(comparable(stored));
          reached.add(stored.job.state);
          if (one.word === 'extend' && typeof answer === 'object') reached.add('extended');
        }
      }),
      { numRuns: RUNS },
    );
    expect([...reached]).toEqual(expect.arrayContaining(expected));
  });
});
