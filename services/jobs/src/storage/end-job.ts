import { z } from 'zod';
import { OPEN_STATES } from '../domain/job-state.js';
import type { DecideJobEnd } from '../domain/ports.js';
import { Prisma, queryRow, type Statements } from './database.js';
import { holdMerge } from './hold-work.js';
import { moveJob } from './move-state.js';
import { closeWork, hasOpenMerge, type LockedSimulation, openMerge } from './open-work.js';

const tallyRow = z.object({
  open: z.number(),
  completed: z.number(),
  failed: z.number(),
  is_delivered: z.boolean(),
  example_failure: z.string().nullable(),
});

/**
 * The last task to end takes the job on; the lock on the simulation makes one of them the last. Where a task was completed
 * by a worker outside that left no output here, that worker is expected to merge: it holds the merge under a lease.
 * @param holdMs - that lease
 */
export async function endJobIfDone(
  tx: Statements,
  simulation: LockedSimulation,
  decideJob: DecideJobEnd,
  holdMs: number,
): Promise<void> {
  const { simulationId } = simulation;
  const tally = await queryRow(
    tx,
    tallyRow,
    Prisma.sql`SELECT count(*) FILTER (WHERE state = ANY(${[...OPEN_STATES]}))::int AS open,
        count(*) FILTER (WHERE state = 'COMPLETED')::int AS completed,
        count(*) FILTER (WHERE state IN ('FAILED', 'CANCELED'))::int AS failed,
        coalesce(bool_and(has_output) FILTER (WHERE state = 'COMPLETED'), false) AS is_delivered,
        (array_agg('task ' || task_id || ': ' || coalesce(failure, 'canceled') ORDER BY task_id)
          FILTER (WHERE state IN ('FAILED', 'CANCELED')))[1] AS example_failure
      FROM tasks WHERE simulation_id = ${simulationId}`,
  );
  if (tally === undefined || tally.open > 0) return;
  const { kind, failure } = decideJob({
    completedCount: tally.completed,
    failedCount: tally.failed,
    exampleFailure: tally.example_failure,
  });
  if (kind === 'fail') await closeWork(tx, simulationId);
  else if (await hasOpenMerge(tx, simulationId)) return; // a worker outside said that it merges
  const trigger = kind === 'merge' ? 'tasksEnded' : 'nothingDelivered';
  const isMoved = await moveJob(tx, simulationId, trigger, failure);
  if (!isMoved) throw new Error(`simulation ${simulationId} has no open task but cannot be ${trigger}`);
  if (kind === 'fail') return;
  if (tally.is_delivered) await openMerge(tx, simulation);
  else await holdMerge(tx, simulation, holdMs);
}
