import { z } from 'zod';
import type { AttemptEnd } from '../domain/attempt.js';
import { type JobId, PLATFORMS } from '../domain/job.js';
import { decideJobStep } from '../domain/job-end.js';
import type { DecideNextStep, MergeOrder, MergeStore } from '../domain/ports.js';
import type { RunnerId } from '../domain/task.js';
import { type Database, Prisma, queryRow, queryRows, type Statements } from './database.js';
import { OUTSIDE } from './hold-work.js';
import { moveJob } from './move-state.js';
import { type LockedSimulation, openMerge } from './open-work.js';
import { loadTaskTally } from './task-tally.js';

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
  .object({ simulation_id: z.bigint(), owner_id: z.bigint(), job_id: z.string(), runner_id: z.string().nullable() })
  .transform(({ simulation_id, owner_id, job_id, runner_id }) => ({
    simulationId: simulation_id,
    ownerId: owner_id,
    jobId: job_id as JobId,
    isHeld: runner_id === OUTSIDE,
  }));

/** Locks the simulation of a merge; undefined when there is no such merge. */
function lockMerge(tx: Statements, mergeId: string) {
  return queryRow(
    tx,
    simulationRow,
    Prisma.sql`SELECT simulation_id, owner_id, simulations.job_id, runner_id FROM merges JOIN simulations ON simulations.id = simulation_id
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

const historyRow = z.object({
  failed: z.number(),
  lost: z.number(),
  released: z.number(),
  platform: z.enum(PLATFORMS),
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
  const history = await queryRow(
    tx,
    historyRow,
    Prisma.sql`SELECT platform, count(merges.id) FILTER (WHERE outcome = 'failed')::int AS failed,
        count(merges.id) FILTER (WHERE outcome = 'lost')::int AS lost,
        count(merges.id) FILTER (WHERE outcome = 'released')::int AS released
      FROM simulations LEFT JOIN merges
        ON simulation_id = simulations.id AND merges.id <> ${mergeId} AND runner_id <> ${OUTSIDE}
      WHERE simulations.id = ${locked.simulationId} GROUP BY platform`,
  );
  if (history === undefined) throw new Error(`the job of merge ${mergeId} is locked but not there`);
  const tally = await loadTaskTally(tx, locked.simulationId);
  const jobStep = decideJobStep(tally, history.platform === 'batch' ? 'lost' : 'external', true);
  if (jobStep.kind === 'continue') return moveJob(tx, locked.simulationId, 'mergeAbandoned');
  if (jobStep.kind === 'fail') return moveJob(tx, locked.simulationId, 'nothingDelivered', jobStep);
  const { failed: failedCount, lost: lostCount, released: releasedCount } = history;
  // who was waited for outside has not tried to merge: that counts as no attempt
  const step = locked.isHeld ? RETRY : decide({ failedCount, lostCount, releasedCount });
  const isMoved = await follow(tx, locked, step, jobStep.failure);
  if (!isMoved) throw new Error(`merge ${mergeId} was open, but its job cannot ${step.kind}`);
  return true;
}

const RETRY = { kind: 'retry' } as const;

/** @param taskFailure - null: no task failed */
async function follow(
  tx: Statements,
  locked: LockedSimulation,
  step: ReturnType<DecideNextStep>,
  taskFailure: string | null,
): Promise<boolean> {
  switch (step.kind) {
    case 'complete':
      return taskFailure === null
        ? moveJob(tx, locked.simulationId, 'merged')
        : moveJob(tx, locked.simulationId, 'mergedInPart', { failure: taskFailure });
    case 'fail': {
      const failure = `merging the results failed; ${step.failure}`;
      return moveJob(tx, locked.simulationId, 'mergeFailed', { failure });
    }
    case 'retry':
      await openMerge(tx, locked);
      return moveJob(tx, locked.simulationId, 'mergeReturned', { waitingReason: null });
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
