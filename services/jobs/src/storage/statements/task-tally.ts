import { type Sql, sql } from '@tally/service-kit';
import type { TaskTally } from '../../domain/job-end.js';
import { OPEN_STATES } from '../../domain/job-state.js';

/** A row of {@link taskTally}: numbers that do not fit as text. */
export type TallyRow = Omit<TaskTally, 'primaries' | 'givenUpPrimaries' | 'deliveredPrimaries'> & {
  readonly primaries: string;
  readonly givenUpPrimaries: string;
  readonly deliveredPrimaries: string;
};

/** What the tasks of a job are at this moment: one row, as a query of a statement. */
export const taskTally = (jobKey: Sql): Sql => sql`
  SELECT count(*) FILTER (WHERE state = ANY(${[...OPEN_STATES]}))::int AS "openCount",
    count(*) FILTER (WHERE state = 'COMPLETED')::int AS "completedCount",
    count(*) FILTER (WHERE state = 'COMPLETED' AND NOT has_output)::int AS "undeliveredCount",
    min(task_id) FILTER (WHERE state = 'COMPLETED' AND NOT has_output) AS "firstUndelivered",
    count(*) FILTER (WHERE is_given_up)::int AS "givenUpCount",
    count(*) FILTER (WHERE is_given_up AND is_unexplained)::int AS "unexplainedCount",
    count(*) FILTER (WHERE must_finish AND state IN ('FAILED', 'CANCELED'))::int AS "stoppedCount",
    coalesce(sum(CASE WHEN must_finish AND state = 'COMPLETED' THEN simulated_primaries
      WHEN must_finish AND state IN ('FAILED', 'CANCELED') THEN 0 ELSE requested_primaries END), 0)::text AS primaries,
    coalesce(sum(simulated_primaries) FILTER (WHERE state = 'COMPLETED' AND has_output), 0)::text AS "deliveredPrimaries",
    coalesce(sum(requested_primaries) FILTER (WHERE is_given_up), 0)::text AS "givenUpPrimaries",
    (array_agg('task ' || task_id || ': ' || coalesce(failure, 'canceled') ORDER BY task_id)
      FILTER (WHERE is_given_up))[1] AS "exampleFailure"
  FROM tasks, LATERAL (SELECT state IN ('FAILED', 'CANCELED') AND NOT must_finish AS is_given_up) judged
  WHERE job_key = ${jobKey}`;

export function readTaskTally(row: TallyRow): TaskTally {
  return {
    ...row,
    primaries: BigInt(row.primaries),
    givenUpPrimaries: BigInt(row.givenUpPrimaries),
    deliveredPrimaries: BigInt(row.deliveredPrimaries),
  };
}
