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

/** Before {@link reserveTasks}, in its transaction. Tells whether users have bounds of their own on running tasks. */
export const lockWindow = (): Sql<{ readonly hasQuotas: boolean }> => sql`
  SELECT EXISTS (SELECT 1 FROM quotas WHERE kind = 'user' AND running_tasks IS NOT NULL) AS "hasQuotas"
  FROM pg_advisory_xact_lock(${WINDOW_LOCK})`;

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

/**
 * The same up to the number of running tasks that the owner may have; what may still be in the queue counts as one and is published
 * again. No more of what runs is read than he may have.
 */
const WAITING_BELOW = sql`
  (SELECT job_key, id FROM outbox
   WHERE owner_id = next_owner.owner_id AND in_flight_until <= now()
   ORDER BY job_key, id LIMIT (SELECT n FROM room))
  UNION ALL
  (SELECT job_key, id FROM outbox WHERE owner_id = next_owner.owner_id AND in_flight_until IS NULL
   ORDER BY job_key, id LIMIT (SELECT CASE WHEN next_owner.running_max = 0 THEN room.n ELSE least(room.n, greatest(0, next_owner.running_max
     - (SELECT count(*) FROM outbox queued
        WHERE queued.owner_id = next_owner.owner_id AND in_flight_until IS NOT NULL)
     - (SELECT count(*) FROM (${runningOf(sql`next_owner.owner_id`)} LIMIT next_owner.running_max) running))) END
     FROM room))`;

/** Running tasks that an owner may have: what is set for him, else the setting; 0: no bound. */
const runningMaxOf = (ownerId: Sql, runningMax: number) => sql`coalesce((
  SELECT running_tasks FROM quotas WHERE kind = 'user' AND subject_id = ${ownerId}::text), ${runningMax}::int)::bigint`;

/**
 * Fills the window. Whose turn: first among parties, a group or a user whose job has none: that with the fewest tasks in the window, and
 * among equals the one that was served longest ago; then in the same way among the users of a group. Who was never served comes before,
 * by the age of his job. The party of a user is that of his first job that waits. `waiting_owner` hops from owner to owner in the index.
 * Rows are read only of as many owners as there is room for, and of each only as many as there is room for: unless a bound on running
 * tasks may pass an owner over.
 *
 * A task runs because its message was published, so the bound on an owner's running tasks is kept here: what may be in the queue
 * (reserved once and not known to have left it, even if its time is over) and what has a lease are together no more.
 * @param runningMax - running tasks of a user; 0: no bound
 * @param hasQuotas - whether some users have other bounds
 */
export const reserveTasks = (
  windowTasks: number,
  forMs: number,
  runningMax: number,
  hasQuotas: boolean,
): Sql<TaskRow> => sql<TaskRow>`
  WITH RECURSIVE in_flight AS MATERIALIZED (
    SELECT owner_id, group_id, count(*) AS n
    FROM (SELECT owner_id, job_key FROM outbox WHERE ${IS_IN_FLIGHT} OFFSET 0) reserved
    CROSS JOIN LATERAL (SELECT group_id FROM jobs WHERE jobs.id = reserved.job_key OFFSET 0) of_job
    GROUP BY owner_id, group_id
  ), room AS (
    SELECT greatest(0, ${windowTasks}::bigint - coalesce(sum(n), 0))::bigint AS n FROM in_flight
  ), waiting_owner AS (
    (SELECT owner_id, job_key FROM outbox WHERE ${IS_DUE} ORDER BY owner_id, job_key LIMIT 1)
    UNION ALL
    SELECT later.owner_id, later.job_key FROM waiting_owner CROSS JOIN LATERAL (
      SELECT owner_id, job_key FROM outbox WHERE ${IS_DUE} AND outbox.owner_id > waiting_owner.owner_id
      ORDER BY owner_id, job_key LIMIT 1) later
  ), turned AS (
    SELECT waiting_owner.owner_id, job_key, of_job.group_id, coalesce(of_job.group_id, waiting_owner.owner_id::text) AS party,
      own.served_at, CASE WHEN of_job.group_id IS NULL THEN own.served_at ELSE of_group.served_at END AS party_served_at,
      coalesce((SELECT sum(n) FROM in_flight WHERE in_flight.owner_id = waiting_owner.owner_id
        AND in_flight.group_id IS NOT DISTINCT FROM of_job.group_id), 0)::bigint AS n,
      coalesce((SELECT sum(n) FROM in_flight WHERE CASE WHEN of_job.group_id IS NULL
        THEN in_flight.group_id IS NULL AND in_flight.owner_id = waiting_owner.owner_id
        ELSE in_flight.group_id = of_job.group_id END), 0)::bigint AS party_n
    FROM waiting_owner
    CROSS JOIN LATERAL (SELECT group_id FROM jobs WHERE jobs.id = waiting_owner.job_key OFFSET 0) of_job
    LEFT JOIN dispatch_turns own ON own.owner_id = waiting_owner.owner_id
    LEFT JOIN group_turns of_group ON of_group.group_id = of_job.group_id
  ), next_owner AS (
    SELECT turned.*, ${hasQuotas ? runningMaxOf(sql`turned.owner_id`, runningMax) : sql`${runningMax}::bigint`} AS running_max,
      party_n + row_number() OVER (PARTITION BY party ORDER BY n, served_at NULLS FIRST, job_key) AS place
    FROM turned
    ORDER BY place, party_served_at NULLS FIRST, served_at NULLS FIRST, job_key
    LIMIT ${runningMax === 0 && !hasQuotas ? sql`(SELECT n FROM room)` : sql`ALL`}
  ), candidate AS (
    SELECT waiting.id, waiting.job_key, next_owner.owner_id, group_id, party, party_n, party_served_at, served_at,
      next_owner.n + row_number() OVER (PARTITION BY next_owner.owner_id ORDER BY waiting.job_key, waiting.id) AS share
    FROM next_owner CROSS JOIN LATERAL (${runningMax === 0 && !hasQuotas ? WAITING : WAITING_BELOW}) waiting
  ), ranked AS (
    SELECT id, owner_id, group_id, party_served_at, share, served_at,
      party_n + row_number() OVER (PARTITION BY party ORDER BY share, served_at NULLS FIRST, id) AS party_share
    FROM candidate
  ), chosen AS (
    SELECT id, owner_id, group_id,
      row_number() OVER (ORDER BY party_share, party_served_at NULLS FIRST, share, served_at NULLS FIRST, id) AS place
    FROM ranked ORDER BY place LIMIT (SELECT n FROM room)
  ), locked AS (
    SELECT outbox.id, place FROM outbox JOIN chosen ON chosen.id = outbox.id FOR UPDATE OF outbox SKIP LOCKED
  ), moment AS MATERIALIZED (
    SELECT clock_timestamp() AS at
  ), turn AS (
    INSERT INTO dispatch_turns (owner_id, served_at)
    SELECT owner_id, at + max(place) * interval '1 microsecond' FROM chosen CROSS JOIN moment GROUP BY owner_id, at
    ON CONFLICT (owner_id) DO UPDATE SET served_at = EXCLUDED.served_at
  ), group_turn AS (
    INSERT INTO group_turns (group_id, served_at)
    SELECT group_id, at + max(place) * interval '1 microsecond'
    FROM chosen CROSS JOIN moment WHERE group_id IS NOT NULL GROUP BY group_id, at
    ON CONFLICT (group_id) DO UPDATE SET served_at = EXCLUDED.served_at
  )
  UPDATE outbox SET in_flight_until = now() + ${forMs}::float8 * interval '1 ms'
  FROM locked, attempts, tasks, jobs
  WHERE outbox.id = locked.id AND attempts.id = outbox.attempt_id AND tasks.id = attempts.task_key
    AND jobs.id = outbox.job_key
  RETURNING outbox.id AS "outboxId", jobs.job_id AS "jobId", tasks.task_id AS "taskId", attempts.id AS "attemptId",
    jobs.request_id AS "requestId", jobs.traceparent, locked.place, (SELECT n FROM room) AS room`;
