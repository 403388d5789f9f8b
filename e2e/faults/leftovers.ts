import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { waitFor, workspaceRoot } from '@tally/testkit';
import type { EventFollower } from '../fixtures/event-follower.js';
import type { FaultySuite } from './faulty-suite.js';
import type { JobRecord } from './job-load.js';

interface Client {
  connect(): Promise<void>;
  query(sql: string): Promise<{ rows: unknown[] }>;
  end(): Promise<void>;
}
interface Channel {
  checkQueue(name: string): Promise<{ messageCount: number }>;
}
const requireFromTestkit = createRequire(path.join(workspaceRoot(), 'packages/testkit/package.json'));
const { Client: PgClient } = requireFromTestkit('pg') as { Client: new (url: string) => Client };
const amqp = requireFromTestkit('amqplib') as {
  connect(url: string): Promise<{ createChannel(): Promise<Channel>; close(): Promise<void> }>;
};

/** Rows of a statement, on a connection of its own. */
export async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new PgClient(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Rows that nothing should be left in, by what they are. */
const OPEN_ROWS = {
  'messages in the outbox': 'SELECT count(*)::int AS n FROM outbox',
  'open attempts': 'SELECT count(*)::int AS n FROM attempts WHERE ended_at IS NULL',
  'leases of attempts': 'SELECT count(*)::int AS n FROM attempts WHERE lease_expires_at IS NOT NULL',
  'unfinished duties': 'SELECT count(*)::int AS n FROM duties',
  'open jobs':
    "SELECT count(*)::int AS n FROM jobs WHERE state NOT IN ('COMPLETED', 'FAILED', 'CANCELED') OR closed_at IS NULL",
} as const;

const QUEUES = ['direct.tasks', 'direct.tasks.dead'];
/** Of a runner that lives. */
const RUNNER_LOCK = 'runner.lock';
/** Longer than everything takes to be looked after: a submission that was cut off is given up after a minute. */
const TIMEOUT_MS = 180_000;

/** What is left once all jobs have ended, after a while in which it may go; none: nothing. */
export async function findLeftovers(on: FaultySuite, jobs: readonly JobRecord[]): Promise<string[]> {
  let left: string[] = ['not looked at'];
  await waitFor(
    async () => {
      left = await leftNow(on, jobs);
      return left.length === 0;
    },
    { timeoutMs: TIMEOUT_MS, intervalMs: 500 },
  ).catch(() => {});
  return left;
}

/** What the database of jobs has that is not done. */
export async function openRows(url: string): Promise<string[]> {
  const left: string[] = [];
  for (const [what, sql] of Object.entries(OPEN_ROWS)) {
    const [row] = await query<{ n: number }>(url, sql);
    if (row?.n !== 0) left.push(`${row?.n} ${what}`);
  }
  return left;
}

/** Messages that wait in the queues of the suite. */
export async function messagesLeft(url: string, prefix = ''): Promise<string[]> {
  const left: string[] = [];
  for (const name of QUEUES) {
    const count = await messagesIn(url, prefix + name);
    if (count > 0) left.push(`${count} messages in ${name}`);
  }
  return left;
}

async function leftNow(on: FaultySuite, jobs: readonly JobRecord[]): Promise<string[]> {
  const left = await openRows(on.databases.jobs);
  const deleted = new Set(jobs.filter(({ isDeleted }) => isDeleted).map(({ jobId }) => jobId));
  const stored = await query<{ job_id: string }>(on.databases.results, 'SELECT job_id FROM jobs');
  for (const { job_id: jobId } of stored) if (deleted.has(jobId)) left.push(`data of ${jobId} in results`);
  left.push(...(await messagesLeft(on.rabbitmq.url)));
  left.push(...on.simulators().map((pid) => `simulator ${pid}`), ...on.strays().map((text) => `process ${text}`));
  for (const name of on.copiesOf('direct-runner')) {
    const folder = path.join(on.directory, `${name}-work`);
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== RUNNER_LOCK);
    left.push(
      ...files.map((file) => `file ${path.relative(folder, path.join(file.parentPath, file.name))} of ${name}`),
    );
  }
  return left;
}

/** A connection for each queue: to ask for one that is not there closes the channel. */
async function messagesIn(url: string, name: string): Promise<number> {
  const connection = await amqp.connect(url);
  try {
    const channel = await connection.createChannel();
    return (await channel.checkQueue(name)).messageCount;
  } catch {
    return 0;
  } finally {
    await connection.close().catch(() => {});
  }
}

interface EventRow {
  readonly id: string;
  readonly job_id: string;
  readonly kind: string;
  readonly task_id: number | null;
  readonly state: string | null;
}

const RANKS: Readonly<Record<string, number>> = {
  UNKNOWN: 0,
  PENDING: 0,
  RUNNING: 1,
  MERGING_QUEUED: 2,
  MERGING_RUNNING: 2,
  COMPLETED: 3,
  FAILED: 3,
  CANCELED: 3,
};

/** What is wrong with the changes as they are stored, and as a listener that comes again has heard them. */
export async function judgeEvents(on: FaultySuite, follower: EventFollower): Promise<string[]> {
  const faults: string[] = [];
  const rows = await query<EventRow>(
    on.databases.jobs,
    "SELECT id::text, job_id, kind, task_id, state FROM job_events WHERE kind IN ('job', 'task') ORDER BY job_events.id",
  );
  const jobStates = new Map<string, string[]>();
  for (const { job_id: jobId, kind, state } of rows)
    if (kind === 'job' && state !== null) jobStates.set(jobId, [...(jobStates.get(jobId) ?? []), state]);
  for (const [jobId, states] of jobStates) {
    const ranks = states.map((state) => RANKS[state] ?? -1);
    if (ranks.some((rank, i) => rank < (ranks[i - 1] ?? 0))) faults.push(`job ${jobId} went back: ${states.join(' ')}`);
    if (ranks.filter((rank) => rank === 3).length !== 1)
      faults.push(`job ${jobId} ended not once: ${states.join(' ')}`);
  }
  const heard = follower.events.filter(({ name }) => name !== 'ready').map(({ id }) => BigInt(id));
  if (heard.some((id, i) => i > 0 && id <= (heard[i - 1] ?? 0n)))
    faults.push('the listener heard changes out of order');
  const first = heard[0];
  const known = new Set(heard);
  const missed = rows.filter(({ id }) => first !== undefined && BigInt(id) >= first && !known.has(BigInt(id)));
  if (missed.length > 0) faults.push(`the listener missed ${missed.length} changes, the first is ${missed[0]?.id}`);
  return faults;
}
