import { z } from 'zod';
import { OPEN_STATES } from '../domain/job-state.js';
import type { DecideJobEnd } from '../domain/ports.js';
import { Prisma, queryRow, type Statements } from './database.js';
import { holdMerge } from './hold-work.js';
import { moveJob } from './move-state.js';
import { closeWork, hasOpenMerge, type LockedSimulation, openMerge } from './open-work.js';

/**
 * What becomes of tasks that are COMPLETED without an output here: `holdMs`, the worker outside that left none is expected
 * to merge, under a lease; `await`, their outputs or the end on the cluster are waited for; `drop`, they never come.
 */
export type Undelivered = { readonly holdMs: number } | 'await' | 'drop';

const tallyRow = z.object({
  open: z.number(),
  completed: z.number(),
  failed: z.number(),
  is_delivered: z.boolean(),
  example_failure: z.string().nullable(),
});

/** The last task to end takes the job on; the lock on the simulation makes one of them the last. */
export async function endJobIfDone(
  tx: Statements,
  simulation: LockedSimulation,
  decideJob: DecideJobEnd,
  undelivered: Undelivered,
): Promise<void> {
  const { simulationId } = simulation;
  const tally = await queryRow(
    tx,
    tallyRow,
    Prisma.sql`SELECT count(*) FILTER (WHERE state = ANY(${[...OPEN_STATES]}))::int AS open,
        count(*) FILTER (WHERE is_done)::int AS completed,
        count(*) FILTER (WHERE NOT is_done)::int AS failed,
        coalesce(bool_and(has_output) FILTER (WHERE is_done), true) AS is_delivered,
        (array_agg('task ' || task_id || ': '
          || CASE state WHEN 'COMPLETED' THEN ${OUTPUT_MISSING} ELSE coalesce(failure, 'canceled') END
          ORDER BY task_id) FILTER (WHERE NOT is_done))[1] AS example_failure
      FROM tasks, LATERAL (
        SELECT state = 'COMPLETED' AND (has_output OR NOT ${undelivered === 'drop'}::boolean) AS is_done) judged
      WHERE simulation_id = ${simulationId}`,
  );
  if (tally === undefined || tally.open > 0) return;
  if (undelivered === 'await' && !tally.is_delivered) return;
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
  if (typeof undelivered === 'string' || tally.is_delivered) await openMerge(tx, simulation);
  else await holdMerge(tx, simulation, undelivered.holdMs);
}

const OUTPUT_MISSING = 'OUTPUT_MISSING: it was completed, but its output never came';
