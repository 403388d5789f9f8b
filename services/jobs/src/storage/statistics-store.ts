import { type Sql, sql } from '@tally/service-kit';
import type { DutyCount, MessageCount, RunnerCount, StateCount, Statistics } from '../metrics.js';
import type { Database } from './database.js';
import { createRunnerStore } from './runner-store.js';

type Counted<Row> = Omit<Row, 'count'> & { readonly count: bigint };

/** Counts for metrics, from what is small or indexed: the ledger of jobs, open attempts, the outbox. */
export function createStatistics(database: Database): Statistics {
  const read = async <Row>(statement: Sql<Counted<Row>>) =>
    (await database.rows(statement)).map((row) => ({ ...row, count: Number(row.count) }) as Row);
  return {
    countJobs: () =>
      read<StateCount>(sql`SELECT state, sum(job_count)::bigint AS count FROM job_counts GROUP BY state`),
    countOpenTasks: () =>
      read<StateCount>(sql`
        SELECT CASE WHEN lease_expires_at IS NULL THEN 'PENDING' ELSE 'RUNNING' END AS state, count(*) AS count
        FROM attempts WHERE ended_at IS NULL GROUP BY 1`),
    countMessages: () =>
      read<MessageCount>(sql`
        SELECT CASE WHEN in_flight_until > now() THEN 'queue' ELSE 'jobs' END AS place, count(*) AS count
        FROM outbox GROUP BY 1`),
    countRunners: async () =>
      (await createRunnerStore(database).listExecutables()).map(({ simulator, version, runnerCount: count }) => ({
        simulator,
        version,
        count,
      })),
    countParked: () =>
      read<RunnerCount>(sql`
        SELECT split_part(executable, '=', 1) AS simulator, split_part(executable, '=', 2) AS version, count(*) AS count
        FROM parked_messages JOIN jobs ON jobs.id = job_key WHERE executable IS NOT NULL GROUP BY executable`),
    countDuties: () =>
      read<DutyCount>(
        sql`SELECT kind, count(*) AS count FROM duties WHERE try_count > CASE WHEN held_until IS NULL THEN 0 ELSE 1 END GROUP BY kind`,
      ),
    oldestMessageSeconds: () => oldestSeconds(database, oldestMessage(sql`published_at IS NULL`)),
    oldestPendingSeconds: async () => {
      const parked = sql`SELECT min(job_key) FROM parked_messages`;
      return Math.max(await oldestSeconds(database, oldestMessage(sql`true`)), await oldestSeconds(database, parked));
    },
  };
}

/** Job of the oldest message of those; ids grow with time. */
const oldestMessage = (selection: Sql) => sql`SELECT job_key FROM outbox WHERE ${selection} ORDER BY id LIMIT 1`;

/** Since the submission, or last extension, of a job; 0: there is none. @param jobKey - query of its key */
async function oldestSeconds(database: Database, jobKey: Sql): Promise<number> {
  const row = await database.row(sql<{ readonly seconds: number }>`
    SELECT coalesce(max(extract(epoch FROM now() - coalesce(jobs.extended_at, jobs.start_time))), 0)::float8 AS seconds
    FROM jobs WHERE id = (${jobKey})`);
  return row?.seconds ?? 0;
}
