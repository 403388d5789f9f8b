import { type Sql, sql } from '@tally/service-kit';
import type { Duty, DutyStore } from '../domain/duties/duty.js';
import type { Database } from './database.js';

const IS_DUE = sql`next_try_at <= now() AND (held_until IS NULL OR held_until <= now())`;
const until = (holdMs: number): Sql => sql`now() + ${holdMs}::float8 * interval '1 ms'`;

export function createDutyStore(database: Database): DutyStore {
  return {
    takeDue: ({ merges, others }, holdMs) =>
      database.rows(sql<Duty>`
        WITH due_merge AS (
          SELECT id FROM duties WHERE kind = 'merge' AND ${IS_DUE} ORDER BY next_try_at LIMIT ${merges} FOR UPDATE SKIP LOCKED
        ), due_other AS (
          SELECT id FROM duties WHERE kind <> 'merge' AND ${IS_DUE} ORDER BY next_try_at LIMIT ${others} FOR UPDATE SKIP LOCKED
        )
        UPDATE duties SET try_count = try_count + 1, held_until = ${until(holdMs)}
        FROM (SELECT id FROM due_merge UNION ALL SELECT id FROM due_other) due WHERE duties.id = due.id
        RETURNING duties.id, kind, job_id AS "jobId", try_count AS "tryCount",
          (SELECT request_id FROM jobs WHERE jobs.job_id = duties.job_id) AS "requestId",
          (SELECT traceparent FROM jobs WHERE jobs.job_id = duties.job_id) AS traceparent`),
    hold: async (ids, holdMs) => {
      await database.run(sql`UPDATE duties SET held_until = ${until(holdMs)} WHERE id = ANY(${[...ids]})`);
    },
    finish: async (id) => {
      await database.run(sql`DELETE FROM duties WHERE id = ${id}`);
    },
    postpone: async (id, afterMs) => {
      await database.run(sql`UPDATE duties SET held_until = NULL, next_try_at = ${until(afterMs)} WHERE id = ${id}`);
    },
  };
}
