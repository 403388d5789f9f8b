import { type Sql, sql } from '@tally/service-kit';
import type { Duty, DutyStore } from '../domain/duties/duty.js';
import type { Database } from './database.js';

const IS_DUE = sql`next_try_at <= now() AND (held_until IS NULL OR held_until <= now())`;
const until = (holdMs: number): Sql => sql`now() + ${holdMs}::float8 * interval '1 ms'`;

/** What of a duty depends on its kind is its payload. */
type DutyRow = Pick<Duty, 'id' | 'kind' | 'jobId' | 'tryCount' | 'requestId' | 'traceparent'> & {
  readonly payload: object;
};

const WAITS_FOR_CANCEL = sql`(kind IN ('submit', 'delete') AND EXISTS (
  SELECT 1 FROM duties first WHERE first.job_id = duties.job_id AND first.kind = 'cancel'))`;

export function createDutyStore(database: Database): DutyStore {
  return {
    takeDue: async ({ merges, others }, holdMs) => {
      const rows = await database.rows(sql<DutyRow>`
        WITH due_merge AS (
          SELECT id FROM duties WHERE kind = 'merge' AND ${IS_DUE} ORDER BY next_try_at LIMIT ${merges} FOR UPDATE SKIP LOCKED
        ), due_other AS (
          SELECT id FROM duties WHERE kind <> 'merge' AND ${IS_DUE} AND NOT ${WAITS_FOR_CANCEL} ORDER BY next_try_at LIMIT ${others} FOR UPDATE SKIP LOCKED
        )
        UPDATE duties SET try_count = try_count + 1, held_until = ${until(holdMs)}
        FROM (SELECT id FROM due_merge UNION ALL SELECT id FROM due_other) due WHERE duties.id = due.id
        RETURNING duties.id, kind, job_id AS "jobId", payload, try_count AS "tryCount",
          (SELECT request_id FROM jobs WHERE jobs.job_id = duties.job_id) AS "requestId",
          (SELECT traceparent FROM jobs WHERE jobs.job_id = duties.job_id) AS traceparent`);
      return rows.map(({ payload, ...duty }) => ({ ...duty, ...payload }) as Duty);
    },
    hold: async (ids, holdMs) => {
      await database.run(sql`UPDATE duties SET held_until = ${until(holdMs)} WHERE id = ANY(${[...ids]})`);
    },
    finish: async (id) => {
      await database.run(sql`DELETE FROM duties WHERE id = ${id}`);
    },
    postpone: async (id, afterMs) => {
      await database.run(sql`UPDATE duties SET held_until = NULL, next_try_at = ${until(afterMs)} WHERE id = ${id}`);
    },
    repeatSubmit: async (jobId, afterMs) => {
      await database.run(sql`
        UPDATE duties SET held_until = NULL, try_count = 0, next_try_at = ${until(afterMs)}
        WHERE job_id = ${jobId} AND kind = 'submit'`);
    },
  };
}
