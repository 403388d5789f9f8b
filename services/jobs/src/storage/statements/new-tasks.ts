import { type Sql, sql } from '@tally/service-kit';
import type { NewJob } from '../../domain/ports.js';

/**
 * Tasks of the job that the query `job` before this has as `id`, with their first attempts and messages, as queries of one
 * statement; the first of them is `task`. Tasks of the batch platform have no attempts: the scheduler has them.
 */
export function newTasks({ platform, ownerId, tasks }: Pick<NewJob, 'platform' | 'ownerId' | 'tasks'>): Sql {
  const plan = sql`unnest(${tasks.map(({ taskId }) => taskId)}::int[], ${tasks.map(({ primaries }) => primaries)}::bigint[],
    ${tasks.map(({ firstHistory }) => firstHistory)}::bigint[]) AS plan (task_id, primaries, first_history)`;
  if (platform === 'batch') {
    return sql`task AS (
      INSERT INTO tasks (job_key, task_id, requested_primaries, first_history) SELECT job.id, plan.* FROM job, ${plan}
    )`;
  }
  return sql`task AS (
      INSERT INTO tasks (job_key, task_id, requested_primaries, first_history, current_attempt_id)
      SELECT job.id, plan.*, gen_random_uuid()::text FROM job, ${plan}
      RETURNING id, task_id, job_key, current_attempt_id
    ), attempt AS (
      INSERT INTO attempts (id, task_key, number) SELECT current_attempt_id, id, 1 FROM task
    ), message AS (
      INSERT INTO outbox (owner_id, job_key, attempt_id)
      SELECT ${ownerId}, job_key, current_attempt_id FROM task ORDER BY task_id
    )`;
}
