import { z } from 'zod';
import type { AttemptEnd } from '../domain/attempt.js';
import type { JobId } from '../domain/job.js';
import { OPEN_STATES } from '../domain/job-state.js';
import type { DecideNextStep, MergeOrder, MergeStore } from '../domain/ports.js';
import type { RunnerId } from '../domain/task.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';
import { moveJob } from './move-state.js';
import { type LockedSimulation, openMerge } from './open-work.js';

export function createMergeStore(database: Database): MergeStore {
  return {
    claimMerge: (mergeId, runnerId, leaseMs) => database.transact((tx) => claimMerge(tx, mergeId, runnerId, leaseMs)),
    reportMerge: async (mergeId, runnerId, leaseMs) => {
      const renewed = await database.run(
        (db) => db.$executeRaw`
          UPDATE merges SET lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
          WHERE id = ${mergeId} AND runner_id = ${runnerId} AND ended_at IS NULL`,
      );
      return renewed === 1;
    },
    endMerge: (mergeId, runnerId, end, decide) =>
      database.transact((tx) => endMerge(tx, mergeId, runnerId, end, decide)),
    listExpiredMerges: async (limit) => {
      const rows = await database.run((db) =>
        queryRows(
          db,
          z.object({ id: z.string() }),
          Prisma.sql`SELECT id FROM merges WHERE ended_at IS NULL AND lease_expires_at < now()
            ORDER BY lease_expires_at LIMIT ${limit}`,
        ),
      );
      return rows.map(({ id }) => id);
    },
  };
}

const simulationRow = z
  .object({ simulation_id: z.bigint(), owner_id: z.bigint(), job_id: z.string() })
  .transform(({ simulation_id, owner_id, job_id }) => ({
    simulationId: simulation_id,
    ownerId: owner_id,
    jobId: job_id as JobId,
  }));

/** Locks the simulation of a merge; undefined when there is no such merge. */
function lockMerge(tx: Statements, mergeId: string) {
  return queryRow(
    tx,
    simulationRow,
    Prisma.sql`SELECT simulation_id, owner_id, job_id FROM merges JOIN simulations ON simulations.id = simulation_id
      WHERE merges.id = ${mergeId} FOR NO KEY UPDATE OF simulations`,
  );
}

/**
 * A task that counts in the merge. On a cluster the end of all may have come before the output of a COMPLETED task; it is
 * not waited for any more.
 */
const IS_DELIVERED = Prisma.sql`(tasks.state = 'COMPLETED' AND (has_output OR platform = 'direct'))`;

async function claimMerge(
  tx: Statements,
  mergeId: string,
  runnerId: RunnerId,
  leaseMs: number,
): Promise<MergeOrder | undefined> {
  const locked = await lockMerge(tx, mergeId);
  if (locked === undefined) return undefined;
  const claimed = await tx.$executeRaw`
    UPDATE merges SET runner_id = ${runnerId}, lease_expires_at = now() + ${leaseMs}::float8 * interval '1 ms'
    WHERE id = ${mergeId} AND ended_at IS NULL AND (runner_id IS NULL OR runner_id = ${runnerId})`;
  if (claimed === 0) return undefined;
  await tx.$executeRaw`DELETE FROM outbox WHERE merge_id = ${mergeId}`;
  await moveJob(tx, locked.simulationId, 'mergeStarted'); // false: the same worker asks again
  const tasks = await queryRows(
    tx,
    z.object({ task_id: z.number(), is_delivered: z.boolean() }),
    Prisma.sql`SELECT task_id, ${IS_DELIVERED} AS is_delivered
      FROM tasks JOIN simulations ON simulations.id = simulation_id
      WHERE simulation_id = ${locked.simulationId} ORDER BY task_id`,
  );
  const delivered = tasks.filter(({ is_delivered }) => is_delivered);
  return {
    jobId: locked.jobId,
    taskIds: delivered.map(({ task_id }) => task_id),
    isPartial: delivered.length < tasks.length,
  };
}

const factsRow = z.object({
  failed: z.number(),
  lost: z.number(),
  released: z.number(),
  is_partial: z.boolean(),
  is_open: z.boolean(),
});

async function endMerge(
  tx: Statements,
  mergeId: string,
  runnerId: RunnerId | undefined,
  end: AttemptEnd,
  decide: DecideNextStep,
): Promise<boolean> {
  const locked = await lockMerge(tx, mergeId);
  if (locked === undefined) return false;
  const isLost = end.kind === 'lost';
  const ended = await tx.$executeRaw`
    UPDATE merges SET ended_at = now(), outcome = ${end.kind}, lease_expires_at = NULL
    WHERE id = ${mergeId} AND ended_at IS NULL AND runner_id IS NOT NULL
      AND (CASE WHEN ${isLost}::boolean THEN lease_expires_at < now() ELSE runner_id = ${runnerId ?? ''} END)`;
  if (ended === 0) return !isLost && (await hasEndedAs(tx, mergeId, runnerId, end));
  const facts = await queryRow(
    tx,
    factsRow,
    Prisma.sql`SELECT count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
        count(*) FILTER (WHERE outcome = 'lost')::int AS lost,
        count(*) FILTER (WHERE outcome = 'released')::int AS released,
        EXISTS (SELECT 1 FROM tasks JOIN simulations ON simulations.id = simulation_id
          WHERE simulation_id = ${locked.simulationId} AND NOT ${IS_DELIVERED}) AS is_partial,
        EXISTS (SELECT 1 FROM tasks
          WHERE simulation_id = ${locked.simulationId} AND state = ANY(${[...OPEN_STATES]})) AS is_open
      FROM merges WHERE simulation_id = ${locked.simulationId} AND id <> ${mergeId}`,
  );
  const { failed = 0, lost = 0, released = 0, is_partial = false, is_open = false } = facts ?? {};
  if (is_open) return moveJob(tx, locked.simulationId, 'mergeAbandoned');
  const step = decide({ failedCount: failed, lostCount: lost, releasedCount: released });
  const isMoved = await follow(tx, locked, step, is_partial);
  if (!isMoved) throw new Error(`merge ${mergeId} was open, but its job cannot ${step.kind}`);
  return true;
}

async function follow(
  tx: Statements,
  locked: LockedSimulation,
  step: ReturnType<DecideNextStep>,
  isPartial: boolean,
): Promise<boolean> {
  switch (step.kind) {
    case 'complete':
      return moveJob(tx, locked.simulationId, isPartial ? 'mergedInPart' : 'merged');
    case 'fail':
      return moveJob(tx, locked.simulationId, 'mergeFailed', `merging the results failed; ${step.failure}`);
    case 'retry':
      await openMerge(tx, locked);
      return moveJob(tx, locked.simulationId, 'mergeReturned');
  }
}

async function hasEndedAs(
  tx: Statements,
  mergeId: string,
  runnerId: RunnerId | undefined,
  end: AttemptEnd,
): Promise<boolean> {
  const same = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM merges WHERE id = ${mergeId} AND runner_id = ${runnerId ?? ''} AND outcome = ${end.kind}`;
  return same.length > 0;
}
