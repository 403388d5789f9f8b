import { type Sql, sql } from '@tally/service-kit';

/** What live runners have that take tasks, each with its runner's slots. */
export const LIVE_EXECUTABLES = sql`live AS MATERIALIZED (
    SELECT name, split_part(name, '=', 1) AS simulator, slot_count
    FROM runners CROSS JOIN LATERAL unnest(string_to_array(executables, ',')) AS name
    WHERE expires_at > now() AND draining_since IS NULL
  )`;
/** Jobs that wait or run on an executable: the partial index jobs_by_executable. */
const IS_OPEN = sql`jobs.executable IS NOT NULL AND jobs.state IN ('UNKNOWN', 'PENDING', 'RUNNING')`;
export const IS_RUNNABLE = sql`EXISTS (SELECT 1 FROM live WHERE jobs.executable IN (name, simulator))`;

/** Takes messages out of the outbox; one that is locked is being claimed or cancelled. @param ids - query of rows of the outbox */
const moveToParking = (ids: Sql) => sql`gone AS (
    DELETE FROM outbox WHERE id IN (${ids} FOR UPDATE OF outbox SKIP LOCKED) RETURNING owner_id, job_key, attempt_id
  )
  INSERT INTO parked_messages (owner_id, job_key, attempt_id) SELECT owner_id, job_key, attempt_id FROM gone ORDER BY attempt_id
  ON CONFLICT (attempt_id) DO NOTHING
  RETURNING attempt_id AS "attemptId"`;

/** Messages of these attempts that were given to runners which cannot run them. */
export const parkMessages = (attemptIds: readonly string[]): Sql =>
  sql`WITH ${moveToParking(sql`SELECT id FROM outbox WHERE attempt_id = ANY(${[...attemptIds]})`)}`;

/** Whether there is anything for the others to do: mostly there is not. */
export const lookForWork = (): Sql<{ readonly isDue: boolean }> => sql<{ readonly isDue: boolean }>`
  WITH ${LIVE_EXECUTABLES}
  SELECT EXISTS (SELECT 1 FROM parked_messages)
    OR EXISTS (SELECT 1 FROM jobs WHERE ${IS_OPEN} AND NOT ${IS_RUNNABLE}) AS "isDue"`;

/** Messages that no live runner can run. */
export const parkStranded = (): Sql<{ readonly attemptId: string }> => sql<{ readonly attemptId: string }>`
  WITH ${LIVE_EXECUTABLES}, ${moveToParking(sql`
    SELECT outbox.id FROM jobs JOIN outbox ON job_key = jobs.id WHERE ${IS_OPEN} AND NOT ${IS_RUNNABLE}`)}`;

/**
 * Puts messages back into the outbox, job by job as they were submitted, of each executable as many as its runners have slots: a runner that
 * lacks it may be given one again, and no more often than this is done. What was claimed, ended or deleted meanwhile is forgotten; the lock
 * keeps an attempt from being claimed at the same time.
 */
export const unparkRunnable = (): Sql<{ readonly attemptId: string }> => sql<{ readonly attemptId: string }>`
  WITH ${LIVE_EXECUTABLES}, fit AS MATERIALIZED (
    SELECT attempt_id FROM (
      SELECT attempt_id, slots, row_number() OVER (PARTITION BY jobs.executable ORDER BY job_key, parked_messages.id) AS place
      FROM parked_messages JOIN jobs ON jobs.id = job_key
      CROSS JOIN LATERAL (
        SELECT greatest(sum(slot_count), 1) AS slots FROM live WHERE jobs.executable IN (name, simulator) HAVING count(*) > 0) room
    ) ranked WHERE place <= slots
  ), waiting AS MATERIALIZED (
    SELECT id FROM attempts
    WHERE id = ANY(ARRAY(SELECT attempt_id FROM fit)) AND ended_at IS NULL AND runner_id IS NULL
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), forgotten AS (
    DELETE FROM parked_messages WHERE attempt_id <> ALL(ARRAY(SELECT id FROM waiting))
      AND NOT EXISTS (SELECT 1 FROM attempts WHERE id = attempt_id AND ended_at IS NULL AND runner_id IS NULL)
  ), back AS (
    DELETE FROM parked_messages WHERE attempt_id = ANY(ARRAY(SELECT id FROM waiting)) RETURNING id, owner_id, job_key, attempt_id
  )
  INSERT INTO outbox (owner_id, job_key, attempt_id) SELECT owner_id, job_key, attempt_id FROM back ORDER BY id
  ON CONFLICT (attempt_id) DO NOTHING
  RETURNING attempt_id AS "attemptId"`;
