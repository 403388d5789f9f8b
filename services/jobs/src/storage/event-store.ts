import { z } from 'zod';
import type { JobId } from '../domain/job.js';
import type { JobEvent } from '../domain/job-event.js';
import { STATES } from '../domain/job-state.js';
import type { EventStore } from '../domain/ports.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';

export function createEventStore(database: Database): EventStore {
  return {
    openEvents: (ownerId, afterId) =>
      database.transact(async (tx) => {
        const { last, forgotten } = await lockPosition(tx, ownerId);
        const isResumed = afterId !== undefined && afterId >= forgotten && afterId <= last;
        return { position: isResumed ? afterId : last, isResumed };
      }),
    listEvents: (ownerId, afterId, limit) =>
      database.run((db) =>
        queryRows(
          db,
          eventRow,
          Prisma.sql`SELECT id, job_id, kind, happened_at, state, task_count, task_id, requested_primaries,
              simulated_primaries, estimated_seconds, last_update_time, start_time, end_time, failure, waiting_reason
            FROM job_events WHERE owner_id = ${ownerId} AND id > ${afterId} ORDER BY id LIMIT ${limit}`,
        ),
      ),
    forgetEvents: (ageMs, progressAgeMs) =>
      database.run(async (db) => (await forgetOld(db, ageMs)) + (await forgetProgress(db, progressAgeMs))),
  };
}

const positionRow = z.object({ last: z.bigint(), forgotten: z.bigint() });

/**
 * The last id that was drawn, while no commit with events of this owner is under way (the lock is the one of the
 * triggers): all of the owner's events up to it are visible, and all that come have larger ids.
 */
async function lockPosition(tx: Statements, ownerId: bigint): Promise<z.output<typeof positionRow>> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock_shared(7101, hashint8(${ownerId}))`;
  const position = await queryRow(
    tx,
    positionRow,
    Prisma.sql`SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last, forgotten_id AS forgotten
      FROM job_events_id_seq, event_floor`,
  );
  if (position === undefined) throw new Error('event_floor has no row');
  return position;
}

const head = {
  id: z.bigint(),
  job_id: z.string().transform((text) => text as JobId),
  happened_at: z.date(),
};
const jobChange = z.object({
  ...head,
  kind: z.literal('job'),
  state: z.enum(STATES),
  task_count: z.number(),
  start_time: z.date(),
  end_time: z.date().nullable(),
  failure: z.string().nullable(),
  waiting_reason: z.string().nullable(),
});
const taskChange = z.object({
  ...head,
  kind: z.enum(['task', 'progress']),
  state: z.enum(STATES),
  task_id: z.number(),
  requested_primaries: z.bigint(),
  simulated_primaries: z.bigint(),
  estimated_seconds: z.number().nullable(),
  last_update_time: z.date(),
  start_time: z.date().nullable(),
  end_time: z.date().nullable(),
  failure: z.string().nullable(),
});
const deletion = z.object({ ...head, kind: z.literal('deleted') });
const eventRow = z.discriminatedUnion('kind', [jobChange, taskChange, deletion]).transform(
  (row): JobEvent => ({
    id: row.id,
    jobId: row.job_id,
    happenedAt: row.happened_at,
    change: toChange(row),
  }),
);

function toChange(row: z.output<typeof jobChange | typeof taskChange | typeof deletion>): JobEvent['change'] {
  if (row.kind === 'deleted') return { kind: 'deleted' };
  const { state, failure, end_time: endTime } = row;
  if (row.kind === 'job') {
    const { task_count: taskCount, start_time: startTime, waiting_reason: waitingReason } = row;
    return { kind: 'job', job: { state, taskCount, startTime, endTime, failure, waitingReason } };
  }
  return {
    kind: 'task',
    task: {
      taskId: row.task_id,
      state,
      requestedPrimaries: row.requested_primaries,
      simulatedPrimaries: row.simulated_primaries,
      estimatedSeconds: row.estimated_seconds,
      lastUpdateTime: row.last_update_time,
      startTime: row.start_time,
      endTime,
      failure,
    },
  };
}

/** Rows of one statement: a backlog is worked off in several rounds. */
const FORGET_ROWS_MAX = 10_000;

/** Forgets from the lowest id on, up to the first one that is young enough: what is forgotten is all below the floor. */
function forgetOld(db: Statements, ageMs: number): Promise<number> {
  return db.$executeRaw`
    WITH oldest AS (
      SELECT id, happened_at FROM job_events ORDER BY id LIMIT ${FORGET_ROWS_MAX}
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
}

/** The floor stays: a later event of the same task, or the end of its attempt, says all that is worth knowing. */
function forgetProgress(db: Statements, ageMs: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM job_events WHERE id IN (
      SELECT id FROM (
        SELECT id, happened_at FROM job_events WHERE kind = 'progress' ORDER BY id LIMIT ${FORGET_ROWS_MAX}
      ) oldest WHERE happened_at < now() - ${ageMs}::float8 * interval '1 ms')`;
}
