// Puts a history and tasks in flight straight into the databases of jobs and results, as the services would have left them.
// Everything comes from generate_series; triggers and foreign keys are off meanwhile, the ledger is written as they would.
import pg from 'pg';

/** Users that share what is not the measured user's. */
const OTHERS = 999;
/** Of jobs and of tasks in flight, the measured user has one in so many. */
const OWN_SHARE = 10;
const TASKS_PER_JOB = 100;
const PRIMARIES_PER_TASK = 100_000;
/** So many events a task in flight has given in the last day, the last one of mere progress. */
const EVENTS_PER_TASK = 3;
const ROWS_AT_ONCE = 100_000;
/** That have had, or have, the tasks. */
const RUNNERS = 10_000;
/** Keys above what the services give out before the databases are filled. */
const FIRST_KEY = 1_000_000;

const owner = (own) => `CASE WHEN n % ${OWN_SHARE} = 0 THEN ${own} ELSE 1000000 + n % ${OTHERS} END::bigint`;
const id = (what) => `md5('${what}' || n)::uuid::text`;
const STATE = `(ARRAY['COMPLETED', 'COMPLETED', 'COMPLETED', 'FAILED', 'CANCELED'])[1 + n / 10 % 5]`;

/** Jobs that have ended, each a minute before the other, of one task. `n`: 1 to their number. */
const historyOfJobs = (own) => [
  `INSERT INTO jobs (id, job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max, start_time,
     end_time, closed_at, submitted_task_count)
   SELECT ${FIRST_KEY} + n, ${id('job')}, ${owner(own)}, 'Simulation ' || n, 'direct', 'editor', 'simA', ${STATE}, n, 1, 100000,
     now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '30 s',
     now() - n * interval '1 minute' + interval '30 s', 1`,
  `INSERT INTO tasks (id, job_key, task_id, state, requested_primaries, simulated_primaries, start_time, end_time,
     last_update_time, current_attempt_id, has_output)
   SELECT ${FIRST_KEY} + n, ${FIRST_KEY} + n, 1, ${STATE}, 100000, 100000, now() - n * interval '1 minute',
     now() - n * interval '1 minute' + interval '20 s', now() - n * interval '1 minute' + interval '20 s', ${id('attempt')},
     ${STATE} = 'COMPLETED'`,
  `INSERT INTO attempts (id, task_key, number, runner_id, ended_at, outcome)
   SELECT ${id('attempt')}, ${FIRST_KEY} + n, 1, 'runner-' || n % ${RUNNERS}, now() - n * interval '1 minute', 'completed'`,
  `INSERT INTO job_costs (job_key, engine, kind, fingerprint, start_seconds, primary_seconds)
   SELECT ${FIRST_KEY} + n, 'simA 1.0', 'editor', md5((n % 1000)::text), 1, 1e-4`,
];

/** What results keeps of them. */
const historyOfResults = (own) => [
  `INSERT INTO jobs (job_id, owner_id, input_kind, documents, content, content_bytes)
   SELECT ${id('job')}, ${owner(own)}, 'editor', '[]', decode(repeat(md5(n::text), 16), 'hex'), 256`,
  `INSERT INTO page_sets (job_id, set_hash, estimator_indexes, page_numbers, page_bytes)
   SELECT ${id('job')}, '\\x00', '{0}', '{1}', '{512}'`,
  `INSERT INTO task_outputs (job_id, task_id, attempt_id, primaries, batches, engine, counters, warnings, set_hash, has_remainders, content)
   SELECT ${id('job')}, 1, ${id('attempt')}, 100000, 1, 'simA 1.0', '{}', '[]', '\\x00', false, decode(repeat(md5(n::text), 32), 'hex')`,
  `INSERT INTO final_results (job_id, primaries, task_count, is_partial, engine, warnings, version, pages, content, merge_number)
   SELECT ${id('job')}, 100000, 1, false, 'simA 1.0', '[]', md5(n::text), '[]', decode(repeat(md5(n::text), 32), 'hex'), 1`,
  `INSERT INTO task_logs (job_id, task_id, attempt_id, total_bytes, received_bytes, tail)
   SELECT ${id('job')}, 1, ${id('attempt')}, 256, 256, decode(repeat(md5(n::text), 16), 'hex')`,
];

/** Open jobs of so many tasks; every other task runs, with a lease for a day, the others wait. `n`: 1 to the number of jobs. */
const openJobs = (own, first) => [
  `INSERT INTO jobs (id, job_id, owner_id, title, platform, input_type, simulator, state, seed, task_count, primaries_max)
   SELECT ${first} + n, ${id('open')}, ${owner(own)}, 'Open ' || n, 'direct', 'editor', 'simA', 'RUNNING', n, ${TASKS_PER_JOB},
     ${TASKS_PER_JOB * PRIMARIES_PER_TASK}`,
];
/** `n`: 1 to the number of tasks. */
const openTasks = (own, first) => {
  const job = `(n - 1) / ${TASKS_PER_JOB} + 1`;
  const ownerOfTask = owner(own).replaceAll('n %', `(${job}) %`);
  const isRunning = 'n % 2 = 0';
  return [
    `INSERT INTO tasks (id, job_key, task_id, state, requested_primaries, start_time, current_attempt_id)
     SELECT ${first} + n, ${first} + ${job}, 1 + (n - 1) % ${TASKS_PER_JOB}, CASE WHEN ${isRunning} THEN 'RUNNING' ELSE 'PENDING' END,
       ${PRIMARIES_PER_TASK}, CASE WHEN ${isRunning} THEN now() END, ${id('running')}`,
    `INSERT INTO attempts (id, task_key, number, runner_id, lease_expires_at)
     SELECT ${id('running')}, ${first} + n, 1, CASE WHEN ${isRunning} THEN 'runner-' || n % ${RUNNERS} END,
       CASE WHEN ${isRunning} THEN now() + interval '1 day' END`,
    `INSERT INTO outbox (owner_id, job_key, attempt_id)
     SELECT ${ownerOfTask}, ${first} + ${job}, ${id('running')} FROM source WHERE NOT ${isRunning}`,
    ...Array.from(
      { length: EVENTS_PER_TASK },
      (_, i) => `INSERT INTO job_events (owner_id, job_id, kind, happened_at, state, task_id, requested_primaries)
     SELECT ${ownerOfTask}, md5('open' || ${job})::uuid::text, '${i + 1 < EVENTS_PER_TASK ? 'task' : 'progress'}',
       now() - ${EVENTS_PER_TASK - i} * interval '1 minute', 'RUNNING', 1 + (n - 1) % ${TASKS_PER_JOB}, 100000`,
    ),
  ];
};

/** Runners of four kinds with a slot each, which have just reported. `n`: 1 to their number. */
const RUNNER_REPORTS = [
  `INSERT INTO runners (runner_id, executables, slot_count, expires_at)
   SELECT 'runner-' || n % ${RUNNERS}, 'simA=1.' || n % 4 || ',simC=11.' || n % 4, 1, now() + interval '1 day'`,
];

const LEDGER = `
  INSERT INTO job_counts (owner_id, state, job_count)
  SELECT owner_id, state, count(*) FROM jobs WHERE id > ${FIRST_KEY} GROUP BY owner_id, state`;
/** Numbers go on behind those that are taken. */
const setSequence = (table) => `SELECT setval('${table}_id_seq', (SELECT max(id) FROM ${table}))`;

async function insertAll(client, statements, count) {
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const source = `generate_series(${from}::bigint, ${Math.min(count, from + ROWS_AT_ONCE - 1)}) AS source (n)`;
    for (const statement of statements) {
      const text = statement.includes('FROM source')
        ? statement.replace('FROM source', `FROM ${source}`)
        : `${statement} FROM ${source}`;
      await client.query(text);
    }
  }
}

async function fillDatabase(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query('SET synchronous_commit = off');
    await work(client);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/**
 * @param ownerId - of the measured user, who has a tenth of everything
 * @param jobCount - jobs that have ended
 * @param taskCount - tasks in flight, in jobs of a hundred
 */
export async function fill(postgres, { ownerId, jobCount, taskCount, say }) {
  say(`  filling: ${jobCount} jobs in history, ${taskCount} tasks in flight, ${RUNNERS} runners`);
  await fillDatabase(postgres.url('tally_jobs'), async (client) => {
    const first = FIRST_KEY + jobCount;
    await insertAll(client, historyOfJobs(ownerId), jobCount);
    await insertAll(client, openJobs(ownerId, first), Math.ceil(taskCount / TASKS_PER_JOB));
    await insertAll(client, openTasks(ownerId, first), taskCount);
    await insertAll(client, RUNNER_REPORTS, RUNNERS);
    await client.query(LEDGER);
    for (const table of ['jobs', 'tasks']) await client.query(setSequence(table));
  });
  await fillDatabase(postgres.url('tally_results'), (client) => insertAll(client, historyOfResults(ownerId), jobCount));
}
