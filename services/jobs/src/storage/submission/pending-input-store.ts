import { type Sql, sql } from '@tally/service-kit';
import type { PendingInput, PendingInputStore } from '../../domain/ports.js';
import type { Database } from '../database.js';

/*
 * Inputs that results does not have yet (ADR 20). While a job has one here it has no messages, so nobody is sent to a task whose
 * deck is nowhere; `finish` writes those of what is open by then. Everybody else who writes a message asks first, under the lock
 * of the job.
 */

/** Condition: results does not have the input of a job. */
export const hasPendingInput = (jobKey: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM pending_inputs WHERE job_key = ${jobKey})`;

/** Pause after the first try, milliseconds; doubled after each. */
const RETRY_FIRST_MS = 1_000;

export interface PendingInputSettings {
  /** A delivery has ended after this time, whatever became of it. */
  readonly deliveryMs: number;
  readonly retryMaxMs: number;
}

export function createPendingInputStore(database: Database, settings: PendingInputSettings): PendingInputStore {
  const { deliveryMs, retryMaxMs } = settings;
  const take = sql`try_count = try_count + 1, next_try_at = now() + ${deliveryMs}::float8 * interval '1 ms'`;
  return {
    takeDue: (limit) =>
      database.rows(sql<PendingInput>`
        UPDATE pending_inputs SET ${take}
        FROM (
          SELECT job_key AS key FROM pending_inputs WHERE next_try_at <= now()
          ORDER BY next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
        ) due
        WHERE job_key = due.key
        RETURNING job_key AS "jobKey", (SELECT job_id FROM jobs WHERE id = job_key) AS "jobId", content`),
    take: async (jobId, ownerId) => {
      const row = await database.row(sql<{ readonly jobKey: bigint; readonly content: Buffer | null }>`
        WITH job AS (
          SELECT id FROM jobs WHERE job_id = ${jobId} AND owner_id = coalesce(${ownerId ?? null}::bigint, owner_id)
        ), taken AS (
          UPDATE pending_inputs SET ${take} FROM job WHERE job_key = job.id AND next_try_at <= now() RETURNING content
        )
        SELECT job_key AS "jobKey", (SELECT content FROM taken) AS content
        FROM job JOIN pending_inputs ON job_key = job.id`);
      if (row === undefined) return undefined;
      const { jobKey, content } = row;
      return content === null ? 'taken' : { jobKey, jobId, content };
    },
    finish: async (jobKeys) => {
      await database.change([lockJobs(jobKeys), lockTasks(jobKeys)], () => ({
        save: [finish(jobKeys)],
        result: undefined,
      }));
    },
    giveBack: async (jobKeys) => {
      await database.run(sql`
        UPDATE pending_inputs SET next_try_at = now() + interval '1 ms'
          * least(${RETRY_FIRST_MS}::float8 * power(2, least(try_count, 20)), ${retryMaxMs}::float8)
        WHERE job_key = ANY(${[...jobKeys]})`);
    },
  };
}

/** The input of the new job that the query `job` before this has as `id`, in the hands of who submits it. */
export const newPendingInput = (content: Uint8Array, deliveryMs: number) => sql`
  INSERT INTO pending_inputs (job_key, content, next_try_at)
  SELECT job.id, ${content}, now() + ${deliveryMs}::float8 * interval '1 ms' FROM job`;

const lockJobs = (keys: readonly bigint[]) => sql`
  SELECT 1 FROM jobs WHERE id = ANY(${[...keys]}) ORDER BY id FOR NO KEY UPDATE`;

/** A task of a job that has not started is not claimed without the lock of its job (loadNamedTasks of load-snapshot.ts). */
const lockTasks = (keys: readonly bigint[]) => sql`
  SELECT 1 FROM tasks
  WHERE job_key = ANY(ARRAY(SELECT id FROM jobs WHERE id = ANY(${[...keys]}) AND state NOT IN ('UNKNOWN', 'PENDING')))
  ORDER BY id FOR NO KEY UPDATE`;

/**
 * The messages of what is open and in nobody's hands; one that is there already was written by the release before. OFFSET: what is
 * open has indexes of its own, of which the planner may read all.
 */
const finish = (keys: readonly bigint[]) => sql`
  WITH delivered AS (DELETE FROM pending_inputs WHERE job_key = ANY(${[...keys]}))
  INSERT INTO outbox (owner_id, job_key, attempt_id)
  SELECT (SELECT owner_id FROM jobs WHERE id = job_key), job_key, attempt.id
  FROM (SELECT * FROM tasks WHERE job_key = ANY(${[...keys]}) OFFSET 0) task
  CROSS JOIN LATERAL (SELECT * FROM attempts WHERE id = current_attempt_id OFFSET 0) attempt
  WHERE ended_at IS NULL AND runner_id IS NULL
  ORDER BY job_key, task_id
  ON CONFLICT DO NOTHING`;
