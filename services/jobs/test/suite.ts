import { jobs, MERGE_QUEUE, messages, QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import {
  createGrpcClient,
  type Delivery,
  hasReason,
  openQueue,
  type Queue,
  silentLogger,
  withContext,
} from '@tally/service-kit';
import { createTestDatabase, type TestDatabase, testCallerToken, waitFor } from '@tally/testkit';
import pg from 'pg';
import type { JobsConfig } from '../src/config.js';
import { JOBS_MIGRATIONS, startTestJobs } from '../testing/start.js';
import { type FakeResults, startFakeResults } from './fake-results.js';
import { projectWith } from './project.js';
import { findJob, type ShownJob } from './shown-job.js';

/** A copy of the service, under test. */
export type Copy = Awaited<ReturnType<typeof startTestJobs>>;

/** Jobs with a database, a queue and results of its own, and what a gateway and a runner would call it with. */
export interface Suite {
  readonly database: TestDatabase;
  readonly results: FakeResults;
  readonly queue: Queue;
  readonly queueUrl: string;
  /** Starts (another copy of) the service. */
  start(overrides?: Partial<JobsConfig>): Promise<Copy>;
  /** Calls the copy that was started first, or the given one. */
  client(caller: string, copy?: Copy): ReturnType<typeof connect>;
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

function connect(copy: Copy, caller: string) {
  return createGrpcClient(jobs.JobsServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 60_000,
  });
}

/** @param queueUrl - of a broker; unless given, a PostgreSQL queue of its own */
export async function openSuite(queueUrl?: string): Promise<Suite> {
  const database = await createTestDatabase(JOBS_MIGRATIONS);
  const queueDatabase = queueUrl === undefined ? await createTestDatabase() : undefined;
  const url = queueUrl ?? queueDatabase?.url ?? '';
  const results = await startFakeResults();
  const queue = await openQueue(url, QUEUE_TOPOLOGY, silentLogger);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  pool.on('error', () => {}); // idle when the database is dropped
  const copies: Copy[] = [];
  const clients: { close(): void }[] = [];
  return {
    database,
    results,
    queue,
    queueUrl: url,
    start: async (overrides = {}) => {
      const copy = await startTestJobs({
        databaseUrl: database.url,
        queueUrl: url,
        resultsAddress: results.address,
        graceMs: 2_000,
        ...overrides,
      });
      copies.push(copy);
      return copy;
    },
    client: (caller, copy = copies[0]) => {
      if (copy === undefined) throw new Error('no copy of the service runs');
      const client = connect(copy, caller);
      clients.push(client);
      return client;
    },
    sql: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    stop: async () => {
      for (const client of clients) client.close();
      for (const copy of copies) await copy.stop();
      await queue.close();
      await results.stop();
      await pool.end();
      await database.drop();
      await queueDatabase?.drop();
    },
  };
}

/** Where a job runs does not matter. */
export const ANY_PLATFORM = jobs.Platform.PLATFORM_UNSPECIFIED;

/** Runs calls on behalf of a user. */
export function as<T>(userId: bigint, work: () => Promise<T>): Promise<T> {
  return withContext({ requestId: 'test', userId }, work);
}

/** A submission that is accepted; `sim_data` has `primaries` primaries. */
export function submission(overrides: Partial<jobs.SubmitJobRequest> = {}, primaries = 1_000): jobs.SubmitJobRequest {
  return {
    platform: jobs.Platform.PLATFORM_DIRECT,
    simulator: jobs.Simulator.SIMULATOR_SIM_A,
    inputType: jobs.InputType.INPUT_TYPE_EDITOR,
    taskCount: 1,
    title: '',
    simDataJson: projectWith(primaries),
    idempotencyKey: '',
    schedulerOptionsJson: Buffer.alloc(0),
    onUnsupported: jobs.OnUnsupported.ON_UNSUPPORTED_UNSPECIFIED,
    deliversInputs: true,
    ...overrides,
  };
}

const RECEIVE_TIMEOUT_MS = 10_000;

/** The next message about a task, in hand. */
export async function receiveTask(queue: Queue): Promise<{ delivery: Delivery; task: messages.TaskQueued }> {
  const delivery = await queue.receive(TASK_QUEUE, AbortSignal.timeout(RECEIVE_TIMEOUT_MS));
  return { delivery, task: messages.TaskQueued.decode(delivery.message.body) };
}

/** The next message about a merge, in hand. */
export async function receiveMerge(queue: Queue): Promise<{ delivery: Delivery; merge: messages.MergeQueued }> {
  const delivery = await queue.receive(MERGE_QUEUE, AbortSignal.timeout(RECEIVE_TIMEOUT_MS));
  return { delivery, merge: messages.MergeQueued.decode(delivery.message.body) };
}

type Client = ReturnType<Suite['client']>;

/** Claims the next task of the queue as a runner does: messages of what is not wanted any more are dropped. */
export async function claimNextTask(queue: Queue, runner: Client, runnerId = 'runner-1') {
  for (;;) {
    const { delivery, task } = await receiveTask(queue);
    const { attemptId } = task;
    try {
      return { attemptId, order: await runner.claimTask({ attemptId, runnerId }) };
    } catch (err) {
      if (!hasReason(err, 'ATTEMPT_NOT_CLAIMABLE')) throw err;
    } finally {
      await delivery.ack();
    }
  }
}

/** Claims the next task of a job; those of other jobs that come before it are claimed, too. */
export async function claimTaskOf(jobId: string, queue: Queue, runner: Client) {
  for (;;) {
    const claimed = await claimNextTask(queue, runner);
    if (claimed.order.jobId === jobId) return claimed;
  }
}

/** Runs the next task to its end. */
export async function completeNextTask(queue: Queue, runner: Client, runnerId = 'runner-1') {
  const { attemptId, order } = await claimNextTask(queue, runner, runnerId);
  const { isApplied } = await runner.reportTaskEnd({
    attemptId,
    outcome: { $case: 'completed', value: { simulatedPrimaries: order.primaries } },
  });
  return { attemptId, order, isApplied };
}

/** Takes the next merge off the queue and claims it. */
export async function claimNextMerge(queue: Queue, runner: Client, runnerId = 'runner-1') {
  const { delivery, merge } = await receiveMerge(queue);
  const order = await runner.claimMerge({ mergeId: merge.mergeId, runnerId });
  await delivery.ack();
  return { mergeId: merge.mergeId, order };
}

/** Waits until a user's job is in a state. */
export function waitForState(gateway: Client, userId: bigint, jobId: string, state: jobs.State): Promise<ShownJob> {
  return waitFor(
    async () => {
      const job = await findJob(gateway, userId, jobId);
      return job.state === state ? job : undefined;
    },
    { what: `job ${jobId} in ${jobs.stateToJSON(state)}` },
  );
}
