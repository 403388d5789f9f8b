import { jobs, messages, QUEUE_TOPOLOGY, TASK_QUEUE } from '@tally/contracts';
import {
  type ClientOf,
  chunksOf,
  createGrpcClient,
  type Delivery,
  openQueue,
  type Queue,
  silentLogger,
  withContext,
} from '@tally/service-kit';
import { createTestDatabase, type TestDatabase, testCallerToken, waitFor } from '@tally/testkit';
import pg from 'pg';
import type { JobsConfig } from '../src/config.js';
import { JOBS_MIGRATIONS, startTestJobs } from '../testing/start.js';
import { type FakeResults, type HeldMerge, startFakeResults } from './fake-results.js';
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
  const client = createGrpcClient(jobs.JobsServiceService, {
    target: `127.0.0.1:${copy.port}`,
    caller,
    token: testCallerToken(caller),
    timeoutMs: 60_000,
  });
  return Object.assign(client, singleCalls(client));
}

/** What a runner says of one attempt, or asks for, as an exchange of its own. */
function singleCalls(client: Pick<ClientOf<typeof jobs.JobsServiceService>, 'exchangeTasks'>) {
  const exchange = (part: Partial<jobs.ExchangeTasksRequest>) =>
    client.exchangeTasks({ runnerId: 'runner-1', progress: [], ends: [], claims: [], executables: [], ...part });
  return {
    /** Undefined: it is not there to be taken. */
    claimTask: async ({ attemptId, runnerId }: { readonly attemptId: string; readonly runnerId: string }) => {
      const answer = await exchange({ runnerId, claims: [attemptId] });
      const order = answer.claims[0]?.order;
      if (order === undefined) return undefined;
      const { jobIndex, ...task } = order;
      const { lease, heartbeat } = answer;
      return { ...required(answer.jobs[jobIndex]), ...task, lease, heartbeat };
    },
    reportTask: async (progress: jobs.TaskProgress) => {
      const { mustStop, mustFinish } = await exchange({ progress: [progress] });
      return { mustStop: required(mustStop[0]), mustFinish: required(mustFinish[0]) };
    },
    reportTaskEnd: async (end: jobs.TaskEnd) => ({
      isApplied: required((await exchange({ ends: [end] })).isApplied[0]),
    }),
  };
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the answer lacks a part');
  return value;
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

/** What {@link submission} changes. */
export type SubmissionChanges = Partial<jobs.Submission> & { readonly simDataJson?: Uint8Array };

/** First part of a submission that is accepted. */
export function submissionHeader(changes: Partial<jobs.Submission>, simDataBytes: number): jobs.Submission {
  return {
    platform: jobs.Platform.PLATFORM_DIRECT,
    simulator: jobs.Simulator.SIMULATOR_SIM_A,
    inputType: jobs.InputType.INPUT_TYPE_EDITOR,
    taskCount: 1,
    title: '',
    simDataBytes: BigInt(simDataBytes),
    idempotencyKey: '',
    schedulerOptionsJson: Buffer.alloc(0),
    onUnsupported: jobs.OnUnsupported.ON_UNSUPPORTED_UNSPECIFIED,
    ...changes,
  };
}

/** A submission that is accepted, as often as it is sent; `sim_data` has `primaries` primaries. */
export function submission(changes: SubmissionChanges = {}, primaries = 1_000): AsyncIterable<jobs.SubmitJobRequest> {
  const { simDataJson = projectWith(primaries), ...fields } = changes;
  return {
    async *[Symbol.asyncIterator]() {
      yield { part: { $case: 'submission', value: submissionHeader(fields, simDataJson.byteLength) } };
      for (const value of chunksOf(Buffer.from(simDataJson), 256 * 1024)) yield { part: { $case: 'chunk', value } };
    },
  };
}

const RECEIVE_TIMEOUT_MS = 10_000;

/** The next message about a task, in hand. */
export async function receiveTask(queue: Queue): Promise<{ delivery: Delivery; task: messages.TaskQueued }> {
  const delivery = await queue.receive(TASK_QUEUE, AbortSignal.timeout(RECEIVE_TIMEOUT_MS));
  return { delivery, task: messages.TaskQueued.decode(delivery.message.body) };
}

type Client = ReturnType<Suite['client']>;

/** Claims the next task of the queue as a runner does: messages of what is not wanted any more are dropped. */
export async function claimNextTask(queue: Queue, runner: Client, runnerId = 'runner-1') {
  for (;;) {
    const { delivery, task } = await receiveTask(queue);
    const { attemptId } = task;
    const order = await runner.claimTask({ attemptId, runnerId });
    await delivery.ack();
    if (order !== undefined) return { attemptId, order };
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

/** Has the next merge, or the next of a job, answered, and waits until that is stored. */
export async function mergeNext(
  { results: fake, sql }: Pick<Suite, 'results' | 'sql'>,
  { jobId, relativeError }: { readonly jobId?: string; readonly relativeError?: number | undefined } = {},
): Promise<HeldMerge['order']> {
  const { order, answer } = await fake.nextMerge(jobId);
  const [merge] = await sql<{ id: string }>('SELECT id FROM duties WHERE job_id = $1', [order.jobId]);
  answer({ relativeError });
  await waitFor(async () => (await sql('SELECT 1 FROM duties WHERE id = $1', [merge?.id])).length === 0, {
    what: 'the end of the merge',
    intervalMs: 5,
  });
  return order;
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
