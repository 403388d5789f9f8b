import { type Sql, sql } from '@tally/service-kit';
import type { Duty } from '../../domain/duties/duty.js';
import type { JobId } from '../../domain/job.js';

const IS_DUE = sql`next_try_at <= now() AND (held_until IS NULL OR held_until <= now())`;
const until = (holdMs: number): Sql => sql`now() + ${holdMs}::float8 * interval '1 ms'`;

/** What of a duty depends on its kind is its payload. */
type DutyRow = Pick<Duty, 'id' | 'kind' | 'jobId' | 'tryCount' | 'requestId' | 'traceparent'> & {
  readonly payload: object;
};

const WAITS_FOR_CANCEL = sql`(kind IN ('submit', 'delete') AND EXISTS (
  SELECT 1 FROM duties first WHERE first.job_id = duties.job_id AND first.kind = 'cancel'))`;

/** Takes due duties for a time, merges and others each up to a number; what other copies hold is passed over. */
export const takeDue = (merges: number, others: number, holdMs: number): Sql<DutyRow> => sql`
  WITH due_merge AS (
    SELECT id FROM duties WHERE kind = 'merge' AND ${IS_DUE} ORDER BY next_try_at LIMIT ${merges} FOR UPDATE SKIP LOCKED
  ), due_other AS (
    SELECT id FROM duties WHERE kind <> 'merge' AND ${IS_DUE} AND NOT ${WAITS_FOR_CANCEL} ORDER BY next_try_at LIMIT ${others} FOR UPDATE SKIP LOCKED
  )
  UPDATE duties SET try_count = try_count + 1, held_until = ${until(holdMs)}
  FROM (SELECT id FROM due_merge UNION ALL SELECT id FROM due_other) due WHERE duties.id = due.id
  RETURNING duties.id, kind, job_id AS "jobId", payload, try_count AS "tryCount",
    (SELECT request_id FROM jobs WHERE jobs.job_id = duties.job_id) AS "requestId",
    (SELECT traceparent FROM jobs WHERE jobs.job_id = duties.job_id) AS traceparent`;

/** Holds duties for a time from now on. */
export const holdDuties = (ids: readonly string[], holdMs: number): Sql => sql`
  UPDATE duties SET held_until = ${until(holdMs)} WHERE id = ANY(${[...ids]})`;

/** Deletes a duty that is done. */
export const deleteDuty = (id: string): Sql => sql`DELETE FROM duties WHERE id = ${id}`;

/** Makes a duty due again after a time. */
export const postponeDuty = (id: string, afterMs: number): Sql => sql`
  UPDATE duties SET held_until = NULL, next_try_at = ${until(afterMs)} WHERE id = ${id}`;

/** Makes the submission of a batch job due again after a time, as if it had not been tried. */
export const repeatSubmit = (jobId: JobId, afterMs: number): Sql => sql`
  UPDATE duties SET held_until = NULL, try_count = 0, next_try_at = ${until(afterMs)}
  WHERE job_id = ${jobId} AND kind = 'submit'`;
