import { type Sql, sql, type Transaction } from '@tally/service-kit';
import type { JobEvent } from '../domain/events/job-event.js';
import type { JobId } from '../domain/job.js';
import type { State } from '../domain/job-state.js';
import type { EventStore } from '../domain/ports.js';
import type { Convergence } from '../domain/submit/target.js';
import type { Database } from './database.js';

export function createEventStore(database: Database): EventStore {
  return {
    openEvents: (ownerId, afterId) =>
      database.transact(async (tx) => {
        const { last, forgotten } = await lockPosition(tx, ownerId);
        const isResumed = afterId !== undefined && afterId >= forgotten && afterId <= last;
        return { position: isResumed ? afterId : last, isResumed };
      }),
    listEvents: async (ownerId, afterId, limit) => {
      const rows = await database.rows(sql<EventRow>`
        SELECT id, job_id AS "jobId", kind, happened_at AS "happenedAt", state, task_count AS "taskCount",
          task_id AS "taskId", requested_primaries AS "requestedPrimaries", simulated_primaries AS "simulatedPrimaries",
          estimated_seconds AS "estimatedSeconds", last_update_time AS "lastUpdateTime", start_time AS "startTime",
          end_time AS "endTime", failure, waiting_reason AS "waitingReason", is_stopped AS "isStopped", convergence
        FROM job_events WHERE owner_id = ${ownerId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`);
      return rows.map(toEvent);
    },
    listLastEvents: (ownerIds) =>
      database.rows(sql<{ readonly ownerId: bigint; readonly lastId: bigint }>`
        SELECT owner_id AS "ownerId", last.id AS "lastId" FROM unnest(${[...ownerIds]}::bigint[]) AS followed (owner_id)
        CROSS JOIN LATERAL (
          SELECT id FROM job_events WHERE owner_id = followed.owner_id ORDER BY id DESC LIMIT 1) last`),
    forgetEvents: async (ageMs, progressAgeMs) =>
      (await database.run(forgetOld(ageMs))) + (await database.run(forgetProgress(progressAgeMs))),
  };
}

/**
 * The last id that was drawn, while no commit with events of this owner is under way (the lock is that of
 * write-events.ts): all of the owner's events up to it are visible, and all that come have larger ids.
 */
async function lockPosition(tx: Transaction, ownerId: bigint) {
  const [, [position]] = await tx.rowsOfEach([
    sql`SELECT pg_advisory_xact_lock_shared(7101, hashint8(${ownerId}))`,
    sql<{ readonly last: bigint; readonly forgotten: bigint }>`
      SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last, forgotten_id AS forgotten
      FROM job_events_id_seq, event_floor`,
  ]);
  if (position === undefined) throw new Error('event_floor has no row');
  return position;
}

type EventRow = { readonly id: bigint; readonly jobId: JobId; readonly happenedAt: Date } & (
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

const toEvent = (row: EventRow): JobEvent => ({
  id: row.id,
  jobId: row.jobId,
  happenedAt: row.happenedAt,
  change: toChange(row),
});

function toChange(row: EventRow): JobEvent['change'] {
  if (row.kind === 'deleted') return { kind: 'deleted' };
  const { state, failure, endTime } = row;
  if (row.kind === 'job') {
    const { taskCount, startTime, waitingReason, isStopped, simulatedPrimaries, convergence } = row;
    const end = { endTime, failure, waitingReason, isStopped, simulatedPrimaries, convergence };
    const job = { state, taskCount, startTime, ...end };
    return { kind: 'job', job };
  }
  return {
    kind: 'task',
    task: {
      taskId: row.taskId,
      state,
      requestedPrimaries: row.requestedPrimaries,
      simulatedPrimaries: row.simulatedPrimaries,
      estimatedSeconds: row.estimatedSeconds,
      lastUpdateTime: row.lastUpdateTime,
      startTime: row.startTime,
      endTime,
      failure,
    },
  };
}

/** Rows of one statement: a backlog is worked off in several rounds. */
const FORGET_ROWS_MAX = 10_000;

const ALL = sql`true`;
const PROGRESS = sql`kind = 'progress'`;
/** Whether the first one is old: a look at one row, where there is nothing to forget. */
const isDue = (which: Sql, ageMs: number) => sql`
  (SELECT happened_at FROM job_events WHERE ${which} ORDER BY id LIMIT 1) < now() - ${ageMs}::float8 * interval '1 ms'`;

/** Forgets from the lowest id on, up to the first one that is young enough: what is forgotten is all below the floor. */
const forgetOld = (ageMs: number) => sql`
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

/** The floor stays: a later event of the same task, or the end of its attempt, says all that is worth knowing. */
const forgetProgress = (ageMs: number) => sql`
  DELETE FROM job_events WHERE id IN (
      SELECT id FROM (
        SELECT id, happened_at FROM job_events WHERE ${PROGRESS} AND ${isDue(PROGRESS, ageMs)}
        ORDER BY id LIMIT ${FORGET_ROWS_MAX}
      ) oldest WHERE happened_at < now() - ${ageMs}::float8 * interval '1 ms')`;
