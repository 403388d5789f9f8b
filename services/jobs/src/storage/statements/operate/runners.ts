import { type Sql, sql } from '@tally/service-kit';
import type { OperatedRunner } from '../../../domain/operate/operator-ports.js';
import type { RunnerId } from '../../../domain/task.js';
import { HELD_ATTEMPTS } from './jobs.js';

/** Runners that live, with the tasks that they have. */
export const listOperatedRunners = (): Sql<OperatedRunner> => sql<OperatedRunner>`
  SELECT runners.runner_id AS "runnerId", executables, slot_count AS "slotCount", confinement,
    draining_since IS NOT NULL AS "isDraining", coalesce(taken.count, 0)::int AS "runningTaskCount"
  FROM runners LEFT JOIN (SELECT runner_id, count(*) FROM ${HELD_ATTEMPTS} GROUP BY runner_id) taken USING (runner_id)
  WHERE expires_at > now() ORDER BY runners.runner_id`;

/** Drains a runner that lives, or takes that back; who is drained again has been since the first time. */
export const drainRunner = (runnerId: RunnerId, isDraining: boolean) => sql<{ readonly runningTaskCount: number }>`
  UPDATE runners SET draining_since = CASE WHEN ${isDraining}::boolean THEN coalesce(draining_since, now()) END
  WHERE runner_id = ${runnerId} AND expires_at > now()
  RETURNING (SELECT count(*)::int FROM ${HELD_ATTEMPTS} WHERE held.runner_id = runners.runner_id) AS "runningTaskCount"`;
