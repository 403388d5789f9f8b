import { type Sql, sql } from '@tally/service-kit';
import type { JobId } from '../../domain/job.js';
import type { State } from '../../domain/job-state.js';
import type { Convergence } from '../../domain/submit/target.js';

export type EventRow = { readonly id: bigint; readonly jobId: JobId; readonly happenedAt: Date } & (
  | {
      readonly kind: 'job';
      readonly state: State;
      readonly taskCount: number;
      readonly startTime: Date;
      readonly endTime: Date | null;
      readonly failure: string | null;
      readonly waitingReason: string | null;
      readonly isStopped: boolean;
      readonly simulatedPrimaries: bigint | null;
      readonly convergence: Convergence | null;
    }
  | {
      readonly kind: 'task' | 'progress';
      readonly state: State;
      readonly taskId: number;
      readonly requestedPrimaries: bigint;
      readonly simulatedPrimaries: bigint;
      readonly estimatedSeconds: number | null;
      readonly lastUpdateTime: Date;
      readonly startTime: Date | null;
      readonly endTime: Date | null;
      readonly failure: string | null;
    }
  | { readonly kind: 'deleted' }
);

/** Events of an owner after one of them, in their order. */
export const listEvents = (ownerId: bigint, afterId: bigint, limit: number): Sql<EventRow> => sql`
  SELECT id, job_id AS "jobId", kind, happened_at AS "happenedAt", state, task_count AS "taskCount",
    task_id AS "taskId", requested_primaries AS "requestedPrimaries", simulated_primaries AS "simulatedPrimaries",
    estimated_seconds AS "estimatedSeconds", last_update_time AS "lastUpdateTime", start_time AS "startTime",
    end_time AS "endTime", failure, waiting_reason AS "waitingReason", is_stopped AS "isStopped", convergence
  FROM job_events WHERE owner_id = ${ownerId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`;

/** The last event of each owner who has one. */
export const listLastEvents = (
  ownerIds: readonly bigint[],
): Sql<{ readonly ownerId: bigint; readonly lastId: bigint }> => sql`
  SELECT owner_id AS "ownerId", last.id AS "lastId" FROM unnest(${[...ownerIds]}::bigint[]) AS followed (owner_id)
  CROSS JOIN LATERAL (
    SELECT id FROM job_events WHERE owner_id = followed.owner_id ORDER BY id DESC LIMIT 1) last`;

/** Channel on which the owners of new events are named. */
export const EVENT_CHANNEL = 'job_events';

export const notifyOwners = (ownerIds: readonly bigint[]): Sql =>
  sql`SELECT pg_notify(${EVENT_CHANNEL}, owner_id::text) FROM unnest(${[...ownerIds]}::bigint[]) AS told (owner_id)`;

/** Waits until no commit with events of this owner is under way; the lock is that of write-events.ts. */
export const lockEvents = (ownerId: bigint): Sql =>
  sql`SELECT pg_advisory_xact_lock_shared(7101, hashint8(${ownerId}))`;

/** The last id that was drawn: under the lock, all of the owner's events up to it are visible, and all that come have larger ids. */
export const readPosition = (): Sql<{ readonly last: bigint; readonly forgotten: bigint }> => sql`
  SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last, forgotten_id AS forgotten
  FROM job_events_id_seq, event_floor`;

/** Rows of one statement: a backlog is worked off in several rounds. */
const FORGET_ROWS_MAX = 10_000;

const ALL = sql`true`;
const PROGRESS = sql`kind = 'progress'`;
/** Whether the first one is old: a look at one row, where there is nothing to forget. */
const isDue = (which: Sql, ageMs: number) => sql`
  (SELECT happened_at FROM job_events WHERE ${which} ORDER BY id LIMIT 1) < now() - ${ageMs}::float8 * interval '1 ms'`;

/** Forgets from the lowest id on, up to the first one that is young enough: what is forgotten is all below the floor. */
export const forgetOld = (ageMs: number): Sql => sql`
  WITH oldest AS (
      SELECT id, happened_at FROM job_events WHERE ${isDue(ALL, ageMs)} ORDER BY id LIMIT ${FORGET_ROWS_MAX}
  ), kept AS (
      SELECT min(id) AS id FROM oldest WHERE happened_at >= now() - ${ageMs}::float8 * interval '1 ms'
  ), gone AS (
      DELETE FROM job_events USING oldest, kept
      WHERE job_events.id = oldest.id AND (kept.id IS NULL OR oldest.id < kept.id)
      RETURNING job_events.id
  ), floor AS (
      UPDATE event_floor SET forgotten_id = greatest(forgotten_id, (SELECT max(id) FROM gone))
      WHERE EXISTS (SELECT 1 FROM gone)
  )
  SELECT 1 FROM gone`;

/** Forgets old events of progress. The floor stays: a later event of the same task, or the end of its attempt, says all that is worth knowing. */
export const forgetProgress = (ageMs: number): Sql => sql`
  DELETE FROM job_events WHERE id IN (
      SELECT id FROM (
        SELECT id, happened_at FROM job_events WHERE ${PROGRESS} AND ${isDue(PROGRESS, ageMs)}
        ORDER BY id LIMIT ${FORGET_ROWS_MAX}
      ) oldest WHERE happened_at < now() - ${ageMs}::float8 * interval '1 ms')`;
