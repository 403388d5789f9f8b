import { type Sql, sql } from '@tally/service-kit';
import type { NewEvent } from '../../domain/events/job-event.js';
import type { UserId } from '../../domain/job.js';
import type { JobRow } from '../../domain/snapshot.js';

/**
 * Of a statement that stores events, the last one of its transaction: `locked` has one row, when the lock of each owner is held,
 * taken in an order that is the same for everybody. Rows that are joined with it draw their ids under the lock, which lasts
 * for the moment of the commit only: of one owner ids are in the order of the commits, so who has seen one has seen all before
 * it. (Numbers of a sequence alone are not: one could see 8, remember it, and never see 7, which commits later.)
 *
 * The statement reads its tables as they were before it waited for the lock: it must not read rows but those that its transaction
 * has stored or locked before.
 */
const lockEvents = (owners: Sql) => sql`
  WITH locked_owner AS MATERIALIZED (
    SELECT pg_advisory_xact_lock(7101, lock)
    FROM (SELECT DISTINCT hashint8(owner_id) AS lock, owner_id FROM (${owners}) named ORDER BY lock) owners
  ), locked AS (SELECT count(*) FROM locked_owner)`;

/** What statements give that store events of a change: see {@link eventOwners}. */
interface StoredEvent {
  readonly eventOwner?: UserId;
}

/** Owners of the events that the statements of a change have stored. */
export const eventOwners = (saved: readonly unknown[][]): UserId[] =>
  (saved.flat() as StoredEvent[]).flatMap(({ eventOwner }) => eventOwner ?? []);

/** What rows are like now. */
export function writeChangeEvents(events: readonly NewEvent[]): Sql[] {
  if (events.length === 0) return [];
  const jobKeys = events.map(({ jobKey }) => jobKey);
  const taskKeys = events.map((event) => (event.kind === 'job' ? null : event.taskKey));
  const kinds = events.map(({ kind }) => kind);
  const states = events.map((event) => (event.kind === 'job' ? (event.state ?? null) : null));
  return [
    sql`
      ${lockEvents(sql`SELECT owner_id FROM jobs WHERE id = ANY(${jobKeys})`)}
      INSERT INTO job_events (owner_id, job_id, kind, happened_at, state, task_count, task_id, requested_primaries,
        simulated_primaries, estimated_seconds, last_update_time, start_time, end_time, failure, waiting_reason,
        is_stopped, convergence)
      SELECT owner_id, job_id, kind, clock_timestamp(), coalesce(told.state, now.state), now.task_count, task_id, requested_primaries,
        simulated_primaries, estimated_seconds, last_update_time, now.start_time, now.end_time,
        CASE WHEN now.state = 'FAILED' THEN now.failure END, now.waiting_reason,
        now.is_stopped, now.convergence
      FROM unnest(${jobKeys}::bigint[], ${taskKeys}::bigint[], ${kinds}::text[], ${states}::text[]) WITH ORDINALITY
        AS told (job_key, task_key, kind, state, place)
      CROSS JOIN locked
      JOIN jobs ON jobs.id = told.job_key
      CROSS JOIN LATERAL (
        SELECT jobs.state, jobs.task_count, NULL::int AS task_id, NULL::bigint AS requested_primaries,
          jobs.merged_primaries AS simulated_primaries, NULL::int AS estimated_seconds, NULL::timestamptz AS last_update_time,
          jobs.start_time, jobs.end_time, jobs.failure, jobs.waiting_reason,
          jobs.stopped_at IS NOT NULL AS is_stopped, jobs.convergence
        WHERE told.task_key IS NULL
        UNION ALL
        SELECT state, NULL, task_id, requested_primaries, simulated_primaries, estimated_seconds, last_update_time,
          start_time, end_time, failure, NULL, false, NULL::json
        FROM tasks WHERE id = told.task_key) now
      ORDER BY place
      RETURNING owner_id AS "eventOwner"`,
  ];
}

/** A job that has just been stored. */
export const writeNewJobEvent = ({ jobId, ownerId }: Pick<JobRow, 'jobId' | 'ownerId'>): Sql => sql`
  ${lockEvents(sql`SELECT ${ownerId}::bigint AS owner_id`)}
  INSERT INTO job_events (owner_id, job_id, kind, happened_at, state, task_count, start_time, convergence)
  SELECT owner_id, job_id, 'job', clock_timestamp(), state, task_count, start_time, convergence
  FROM locked CROSS JOIN jobs WHERE job_id = ${jobId}`;

/** Nothing of a deleted job stays, but that it was deleted: who follows it has to learn it. */
export function writeDeletionEvents(jobs: readonly JobRow[]): Sql[] {
  if (jobs.length === 0) return [];
  const [owners, jobIds] = [jobs.map(({ ownerId }) => ownerId), jobs.map(({ jobId }) => jobId)];
  return [
    sql`DELETE FROM job_events WHERE job_id = ANY(${jobIds})`,
    sql`
      ${lockEvents(sql`SELECT unnest(${owners}::bigint[]) AS owner_id`)}
      INSERT INTO job_events (owner_id, job_id, kind, happened_at)
      SELECT owner_id, job_id, 'deleted', clock_timestamp()
      FROM locked CROSS JOIN unnest(${owners}::bigint[], ${jobIds}::text[]) AS told (owner_id, job_id)
      RETURNING owner_id AS "eventOwner"`,
  ];
}
