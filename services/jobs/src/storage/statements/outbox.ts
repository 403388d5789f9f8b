import { type Sql, sql } from '@tally/service-kit';
import type { OutboxMessage } from '../../domain/ports.js';
import { runningOf } from './usage.js';

/** Names the lock of those who fill the window: they must not count it at the same time. */
const WINDOW_LOCK = 0x7a11_0001;
/** What is to be published. */
export const IS_DUE = sql`(in_flight_until IS NULL OR in_flight_until <= now())`;
/** What is in the queue, as far as is known: the window. */
export const IS_IN_FLIGHT = sql`in_flight_until IS NOT NULL AND in_flight_until > now()`;

/** Whether messages are due, and how many are in the window. */
export const lookAtWindow = (): Sql<{ readonly isWaiting: boolean; readonly n: number }> => sql`
  SELECT EXISTS (SELECT 1 FROM outbox WHERE ${IS_DUE}) AS "isWaiting",
    (SELECT count(*)::int FROM outbox WHERE ${IS_IN_FLIGHT}) AS n`;

/** Before {@link reserveTasks}, in its transaction. */
export const lockWindow = (): Sql => sql`SELECT pg_advisory_xact_lock(${WINDOW_LOCK})`;

/** Notes that messages are in the queue; the pause until they are due again doubles. A row that is locked is being claimed or cancelled: it is about to go. */
export const markPublished = (outboxIds: readonly bigint[], afterMs: number, afterMaxMs: number): Sql => sql`
  UPDATE outbox
  SET published_at = now(), publish_count = publish_count + 1,
      in_flight_until = now() + interval '1 ms'
        * least(${afterMs}::float8 * power(2, least(publish_count, 20)), ${afterMaxMs}::float8)
  WHERE id IN (SELECT id FROM outbox WHERE id = ANY(${[...outboxIds]}) FOR UPDATE SKIP LOCKED)`;

/** Makes messages due that are not in the queue. */
export const giveBack = (outboxIds: readonly bigint[]): Sql => sql`
  UPDATE outbox SET in_flight_until = NULL
  WHERE id IN (SELECT id FROM outbox WHERE id = ANY(${[...outboxIds]}) FOR UPDATE SKIP LOCKED)`;

interface TaskRow extends OutboxMessage {
  readonly place: bigint;
  /** Of the window, before these. */
  readonly room: bigint;
}

/** Of an owner, job by job as they were submitted: a task that is retried waits behind those of its own job only. */
const WAITING = sql`
  SELECT job_key, id FROM outbox WHERE owner_id = next_owner.owner_id AND ${IS_DUE}
  ORDER BY job_key, id LIMIT (SELECT n FROM room)`;

/** The same up to a number of running tasks; what may still be in the queue counts as one and is published again. */
const waitingBelow = (runningMax: number) => sql`
  (SELECT job_key, id FROM outbox
   WHERE owner_id = next_owner.owner_id AND in_flight_until <= now()
   ORDER BY job_key, id LIMIT (SELECT n FROM room))
  UNION ALL
  (SELECT job_key, id FROM outbox WHERE owner_id = next_owner.owner_id AND in_flight_until IS NULL
   ORDER BY job_key, id LIMIT (SELECT least(room.n, greatest(0, ${runningMax}::bigint
     - (SELECT count(*) FROM outbox queued
        WHERE queued.owner_id = next_owner.owner_id AND in_flight_until IS NOT NULL)
     - (SELECT count(*) FROM (${runningOf(sql`next_owner.owner_id`)}) running)))
     FROM room))`;

/**
 * Fills the window. Whose turn: the owner with the fewest tasks in the window; among equals, the one who was served
 * longest ago, or whose job is older if neither was. `waiting_owner` hops from owner to owner in the index. Rows are read only of as many
 * owners as there is room for, and of each only as many as there is room for: unless a bound on running tasks may pass an owner over.
 *
 * A task runs because its message was published, so the bound on an owner's running tasks is kept here: what may be in the queue
 * (reserved once and not known to have left it, even if its time is over) and what has a lease are together no more.
 */
export const reserveTasks = (windowTasks: number, forMs: number, runningMax: number): Sql<TaskRow> => sql<TaskRow>`
  WITH RECURSIVE in_flight AS (
    SELECT owner_id, count(*) AS n FROM outbox WHERE ${IS_IN_FLIGHT} GROUP BY owner_id
  ), room AS (
    SELECT greatest(0, ${windowTasks}::bigint - coalesce(sum(n), 0))::bigint AS n FROM in_flight
  ), waiting_owner AS (
    (SELECT owner_id, job_key FROM outbox WHERE ${IS_DUE} ORDER BY owner_id, job_key LIMIT 1)
    UNION ALL
    SELECT later.owner_id, later.job_key FROM waiting_owner CROSS JOIN LATERAL (
      SELECT owner_id, job_key FROM outbox WHERE ${IS_DUE} AND outbox.owner_id > waiting_owner.owner_id
      ORDER BY owner_id, job_key LIMIT 1) later
  ), next_owner AS (
    SELECT waiting_owner.owner_id, served_at, coalesce(in_flight.n, 0) AS n
    FROM waiting_owner
    LEFT JOIN in_flight ON in_flight.owner_id = waiting_owner.owner_id
    LEFT JOIN dispatch_turns ON dispatch_turns.owner_id = waiting_owner.owner_id
    ORDER BY n, served_at NULLS FIRST, job_key LIMIT ${runningMax === 0 ? sql`(SELECT n FROM room)` : sql`ALL`}
  ), candidate AS (
    SELECT waiting.id, next_owner.owner_id, served_at,
      next_owner.n + row_number() OVER (PARTITION BY next_owner.owner_id ORDER BY job_key, waiting.id) AS share
    FROM next_owner CROSS JOIN LATERAL (${runningMax === 0 ? WAITING : waitingBelow(runningMax)}) waiting
  ), chosen AS (
    SELECT id, owner_id, row_number() OVER (ORDER BY share, served_at NULLS FIRST, id) AS place FROM candidate
    ORDER BY place LIMIT (SELECT n FROM room)
  ), locked AS (
    SELECT outbox.id, place FROM outbox JOIN chosen ON chosen.id = outbox.id FOR UPDATE OF outbox SKIP LOCKED
  ), turn AS (
    INSERT INTO dispatch_turns (owner_id, served_at) SELECT owner_id, clock_timestamp() FROM chosen GROUP BY owner_id
    ON CONFLICT (owner_id) DO UPDATE SET served_at = EXCLUDED.served_at
  )
  UPDATE outbox SET in_flight_until = now() + ${forMs}::float8 * interval '1 ms'
  FROM locked, attempts, tasks, jobs
  WHERE outbox.id = locked.id AND attempts.id = outbox.attempt_id AND tasks.id = attempts.task_key
    AND jobs.id = outbox.job_key
  RETURNING outbox.id AS "outboxId", jobs.job_id AS "jobId", tasks.task_id AS "taskId", attempts.id AS "attemptId",
    jobs.request_id AS "requestId", jobs.traceparent, locked.place, (SELECT n FROM room) AS room`;
