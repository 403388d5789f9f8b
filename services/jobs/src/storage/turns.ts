import { type Sql, sql } from '@tally/service-kit';
import type { UserId } from '../domain/job.js';
import type { TurnRow } from '../domain/snapshot.js';
import { runningOf } from './usage.js';

/**
 * Whose turn it is, of those of these attempts that wait. `waiting` hops from owner to owner in the index of the outbox, for all
 * of them once, and only as far as is looked: to the first user with nothing running where a task of the owner runs; else to
 * the first who was served earlier, and only such users are asked whether something of theirs runs. LIMIT keeps the planner from
 * joining all that run.
 *
 * The list is that of a subquery, so that plans for a short one do not look cheaper than the one that is kept: to make a plan takes
 * longer than to answer.
 */
export const turnsOf = (attemptIds: readonly string[]): Sql<TurnRow> => sql<TurnRow>`
  WITH RECURSIVE mine AS MATERIALIZED (
    SELECT attempt_id, outbox.owner_id, deferred_at, given_at, (${runningOf(sql`outbox.owner_id`)} LIMIT 1) IS NOT NULL AS is_running
    FROM outbox LEFT JOIN dispatch_turns ON dispatch_turns.owner_id = outbox.owner_id
    WHERE attempt_id = ANY((SELECT ${[...attemptIds]}::text[])::text[])
  ), waiting AS (
    (SELECT owner_id FROM outbox ORDER BY owner_id LIMIT 1)
    UNION ALL
    SELECT (SELECT later.owner_id FROM outbox later WHERE later.owner_id > earlier.owner_id
            ORDER BY later.owner_id LIMIT 1)
    FROM waiting earlier WHERE earlier.owner_id IS NOT NULL
  )
  SELECT attempt_id AS "attemptId", owner_id AS "ownerId", is_running AS "isRunning",
    CASE WHEN is_running THEN EXISTS (
      SELECT 1 FROM waiting WHERE waiting.owner_id <> mine.owner_id AND (${runningOf(sql`waiting.owner_id`)} LIMIT 1) IS NULL)
    ELSE false END AS "isIdleUserWaiting",
    CASE WHEN is_running OR given_at IS NULL THEN false ELSE EXISTS (
      SELECT 1 FROM waiting
      WHERE waiting.owner_id <> mine.owner_id
        AND coalesce((SELECT given_at FROM dispatch_turns WHERE owner_id = waiting.owner_id) < mine.given_at, true)
        AND (${runningOf(sql`waiting.owner_id`)} LIMIT 1) IS NULL)
    END AS "isLongerIdleUserWaiting",
    (extract(epoch FROM now() - deferred_at) * 1000)::float8 AS "deferredMs"
  FROM mine`;

/** A row that is locked is being claimed or cancelled: it is about to go. */
export const deferMessages = (attemptIds: readonly string[]): Sql => sql`
  UPDATE outbox SET deferred_at = now(), in_flight_until = NULL
  WHERE id IN (SELECT id FROM outbox WHERE attempt_id = ANY(${[...attemptIds]}) FOR UPDATE SKIP LOCKED)`;

export const noteServed = (ownerIds: readonly UserId[]): Sql => sql`
  INSERT INTO dispatch_turns (owner_id, served_at, given_at)
  SELECT owner_id, clock_timestamp(), clock_timestamp() FROM unnest(${[...ownerIds]}::bigint[]) AS served (owner_id) ORDER BY owner_id
  ON CONFLICT (owner_id) DO UPDATE SET given_at = EXCLUDED.given_at`;
