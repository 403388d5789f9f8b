// What the ways to PostgreSQL cost: the Prisma client's typed calls and its $queryRaw, `pg`, and service-kit's openDatabase,
// on the same statements over the schema of jobs: a job with its ten tasks, and a change of one task in a transaction.
// node bench/database.mjs (`pnpm bench:database`), after a build. The server does not sync to disk: what is compared is work.
import process from 'node:process';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { openDatabase, sql } from '../packages/service-kit/dist/src/index.js';
import { createTestDatabaseOn, startOwnPostgres } from '../packages/testkit/dist/src/index.js';
import { PrismaClient } from '../services/jobs/dist/src/generated/prisma/client.js';
import { compareVariants } from './load/micro.mjs';
import { ProcessGroup } from './load/processes.mjs';

const JOBS = 100;
const TASKS = 10;
const CONNECTIONS = 10;

const server = await startOwnPostgres({ log: console.log });
const { url } = await createTestDatabaseOn(server, 'services/jobs/prisma/migrations');
const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS });
await pool.query(
  `INSERT INTO jobs (job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count)
   SELECT 'job-' || n, 1 + n % 10, 'T', 'direct', 'editor', 'simA', 'RUNNING', 1, $2 FROM generate_series(1, $1::int) n`,
  [JOBS, TASKS],
);
await pool.query(
  `INSERT INTO tasks (job_key, task_id, state, requested_primaries)
   SELECT s.id, t, 'RUNNING', 100000 FROM jobs s, generate_series(1, $1::int) t`,
  [TASKS],
);
await pool.query('VACUUM ANALYZE');

/** Prisma's adapter sends statements without a name unless it is given names. */
const names = new Map();
const nameOf = ({ sql: text }) => names.get(text) ?? names.set(text, `p${names.size}`).get(text);
const prismaWith = (options) =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString: url, max: CONNECTIONS }, options) });
const prisma = prismaWith({});
const prismaNamed = prismaWith({ statementNameGenerator: nameOf });
const database = openDatabase({ url, connectionsMax: CONNECTIONS, loadClient: async () => prisma });

const any = (count) => 1 + Math.floor(Math.random() * count);
const anyJob = () => `job-${any(JOBS)}`;

/** A statement of one value as text for Prisma and `pg`, and for openDatabase. */
function statement(...parts) {
  return { text: parts.join('$1'), with: (value) => sql(parts, value) };
}
const read = statement(
  `SELECT s.id, s.state, s.title, t.task_id, t.state AS task_state, t.requested_primaries, t.simulated_primaries,
   t.last_update_time FROM jobs s JOIN tasks t ON t.job_key = s.id WHERE s.job_id = `,
  ' ORDER BY t.task_id',
);
const lock = statement('SELECT id FROM tasks WHERE job_key = ', '::bigint AND task_id = 1 FOR NO KEY UPDATE');
const add = statement(
  'UPDATE tasks SET simulated_primaries = simulated_primaries + 1 WHERE job_key = ',
  '::bigint AND task_id = 1',
);
/** Prisma puts calls of findUnique that come together into one statement. */
const typed = (client) => client.simulation.findUnique({ where: { jobId: anyJob() }, include: { tasks: true } });

const reads = {
  'Prisma, typed': () => typed(prisma),
  'Prisma, typed, named': () => typed(prismaNamed),
  'Prisma $queryRaw': () => prisma.$queryRawUnsafe(read.text, anyJob()),
  'Prisma $queryRaw, named': () => prismaNamed.$queryRawUnsafe(read.text, anyJob()),
  pg: () => pool.query(read.text, [anyJob()]),
  'pg, named': () => pool.query({ name: 'read', text: read.text, values: [anyJob()] }),
  'pg, named, rows as arrays': () =>
    pool.query({ name: 'read', text: read.text, values: [anyJob()], rowMode: 'array' }),
  'openDatabase, rows': () => database.rows(read.with(anyJob())),
};

async function awaitEach() {
  const connection = await pool.connect();
  const values = [any(JOBS)];
  try {
    await connection.query('BEGIN');
    await connection.query({ name: 'lock', text: lock.text, values });
    await connection.query({ name: 'add', text: add.text, values });
    await connection.query('COMMIT');
  } finally {
    connection.release();
  }
}

const changes = {
  'Prisma $transaction': () =>
    prisma.$transaction(async (transaction) => {
      const job = any(JOBS);
      await transaction.$queryRawUnsafe(lock.text, job);
      await transaction.$executeRawUnsafe(add.text, job);
    }),
  'pg, named, each awaited': awaitEach,
  'openDatabase, change': () => {
    const job = any(JOBS);
    return database.change([lock.with(job)], () => ({ save: [add.with(job)], result: undefined }));
  },
  'openDatabase, one statement': () => database.run(add.with(any(JOBS))),
};

const processes = new ProcessGroup(() => (server.processId === undefined ? {} : { PostgreSQL: server.processId() }));
console.log('\nA job with its ten tasks');
await compareVariants(reads, { callers: [1, 16], processes });
console.log('\nA change of one task: lock, update, commit');
await compareVariants(changes, { callers: [1, 8], processes });
await server.stop();
process.exit(0); // connections of a server that is gone
