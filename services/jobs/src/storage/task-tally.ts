import { z } from 'zod';
import type { TaskTally } from '../domain/job-end.js';
import { OPEN_STATES } from '../domain/job-state.js';
import { Prisma, queryRow, type Statements } from './database.js';

const tallyRow = z
  .object({
    open: z.number(),
    completed: z.number(),
    undelivered: z.number(),
    first_undelivered: z.number().nullable(),
    given_up: z.number(),
    unexplained: z.number(),
    primaries: z.string().transform(BigInt),
    given_up_primaries: z.string().transform(BigInt),
    example_failure: z.string().nullable(),
  })
  .transform(
    (row): TaskTally => ({
      openCount: row.open,
      completedCount: row.completed,
      undeliveredCount: row.undelivered,
      firstUndelivered: row.first_undelivered,
      givenUpCount: row.given_up,
      unexplainedCount: row.unexplained,
      primaries: row.primaries,
      givenUpPrimaries: row.given_up_primaries,
      exampleFailure: row.example_failure,
    }),
  );

/** What the tasks of a job are at this moment; the caller holds the lock on the simulation where that matters. */
export async function loadTaskTally(db: Statements, simulationId: bigint): Promise<TaskTally> {
  const tally = await queryRow(
    db,
    tallyRow,
    Prisma.sql`SELECT count(*) FILTER (WHERE state = ANY(${[...OPEN_STATES]}))::int AS open,
        count(*) FILTER (WHERE state = 'COMPLETED')::int AS completed,
        count(*) FILTER (WHERE state = 'COMPLETED' AND NOT has_output)::int AS undelivered,
        min(task_id) FILTER (WHERE state = 'COMPLETED' AND NOT has_output) AS first_undelivered,
        count(*) FILTER (WHERE is_given_up)::int AS given_up,
        count(*) FILTER (WHERE is_given_up AND is_unexplained)::int AS unexplained,
        coalesce(sum(requested_primaries), 0)::text AS primaries,
        coalesce(sum(requested_primaries) FILTER (WHERE is_given_up), 0)::text AS given_up_primaries,
        (array_agg('task ' || task_id || ': ' || coalesce(failure, 'canceled') ORDER BY task_id)
          FILTER (WHERE is_given_up))[1] AS example_failure
      FROM tasks, LATERAL (SELECT state IN ('FAILED', 'CANCELED') AS is_given_up) judged
      WHERE simulation_id = ${simulationId}`,
  );
  if (tally === undefined) throw new Error('an aggregate gave no row');
  return tally;
}
