import { type Sql, sql } from '@tally/service-kit';
import type { DutyCount, MessageCount, RunnerCount, StateCount } from '../../metrics.js';

/** A count as PostgreSQL gives it. */
export type Counted<Row> = Omit<Row, 'count'> & { readonly count: bigint };

/** Jobs in each state, archived or not. */
export const countJobs = (): Sql<Counted<StateCount>> => sql`
  SELECT replace(state, 'ARCHIVED ', '') AS state, sum(job_count)::bigint AS count FROM job_counts GROUP BY 1`;

/** Tasks that wait or run; of tasks of clusters there are no attempts. */
export const countOpenTasks = (): Sql<Counted<StateCount>> => sql`
  SELECT CASE WHEN lease_expires_at IS NULL THEN 'PENDING' ELSE 'RUNNING' END AS state, count(*) AS count
  FROM attempts WHERE ended_at IS NULL GROUP BY 1`;

/** Messages in the queue, and those that wait for a place there. */
export const countMessages = (): Sql<Counted<MessageCount>> => sql`
  SELECT CASE WHEN in_flight_until > now() THEN 'queue' ELSE 'jobs' END AS place, count(*) AS count
  FROM outbox GROUP BY 1`;

/** Tasks that wait for a runner which has their simulator. */
export const countParked = (): Sql<Counted<RunnerCount>> => sql`
  SELECT split_part(executable, '=', 1) AS simulator, split_part(executable, '=', 2) AS version, count(*) AS count
  FROM parked_messages JOIN jobs ON jobs.id = job_key WHERE executable IS NOT NULL GROUP BY executable`;

/** Duties that have failed at least once. */
export const countDuties = (): Sql<Counted<DutyCount>> => sql`
  SELECT kind, count(*) AS count FROM duties WHERE try_count > CASE WHEN held_until IS NULL THEN 0 ELSE 1 END GROUP BY kind`;

/** Since the submission, or last extension, of a job; 0: there is none. @param jobKey - query of its key */
const secondsOf = (jobKey: Sql): Sql<{ readonly seconds: number }> => sql`
  SELECT coalesce(max(extract(epoch FROM now() - coalesce(jobs.extended_at, jobs.start_time))), 0)::float8 AS seconds
  FROM jobs WHERE id = (${jobKey})`;

/** How long the oldest message waits; ids grow with time. */
export const oldestMessage = () => secondsOf(sql`SELECT job_key FROM outbox WHERE true ORDER BY id LIMIT 1`);

/** The same of those that were never published. */
export const oldestUnpublished = () =>
  secondsOf(sql`SELECT job_key FROM outbox WHERE published_at IS NULL ORDER BY id LIMIT 1`);

/** The same of those that wait for a runner. */
export const oldestParked = () => secondsOf(sql`SELECT min(job_key) FROM parked_messages`);
