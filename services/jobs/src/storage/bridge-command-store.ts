import { sql } from '@tally/service-kit';
import type { BridgeCommand, BridgeCommandStore } from '../domain/batch/batch-ports.js';
import type { JobId, UserId } from '../domain/job.js';
import { OPEN_STATES } from '../domain/job-state.js';
import type { Database } from './database.js';

type CommandRow = { readonly jobId: JobId } & (
  | {
      readonly kind: 'submit';
      readonly ownerId: UserId;
      readonly clusterName: string;
      readonly schedulerOptionsJson: Uint8Array;
    }
  | { readonly kind: 'cancel' | 'delete' }
);

function toCommand(row: CommandRow): BridgeCommand {
  if (row.kind !== 'submit') return { kind: row.kind, jobId: row.jobId };
  const { jobId, ownerId, clusterName, schedulerOptionsJson } = row;
  return { kind: 'submit', order: { jobId, ownerId, clusterName, schedulerOptionsJson } };
}

/** Pause after the first try, milliseconds; doubled after each. */
const RETRY_FIRST_MS = 1_000;

const JOB_IS_OPEN = sql`EXISTS (
  SELECT 1 FROM simulations WHERE simulations.job_id = errands.job_id AND state = ANY(${[...OPEN_STATES]}))`;

export function createBridgeCommandStore(database: Database): BridgeCommandStore {
  return {
    // the pauses differ by a quarter, so that what failed together is not all tried at one moment for ever
    takeDueCommands: async (limit, retryMaxMs) => {
      const rows = await database.rows(sql<CommandRow>`
        WITH due AS (
          SELECT job_id, kind FROM errands
          WHERE next_try_at <= now() AND (kind <> 'submit' OR ${JOB_IS_OPEN})
            AND (kind <> 'delete' OR NOT EXISTS (
              SELECT 1 FROM errands first WHERE first.job_id = errands.job_id AND first.kind = 'cancel'))
          ORDER BY next_try_at LIMIT ${limit} FOR UPDATE OF errands SKIP LOCKED
        )
        UPDATE errands
        SET try_count = try_count + 1,
            next_try_at = now() + interval '1 ms' * (0.75 + random() / 2)
              * least(${RETRY_FIRST_MS}::float8 * power(2, least(try_count, 20)), ${retryMaxMs}::float8)
        FROM due WHERE errands.job_id = due.job_id AND errands.kind = due.kind
        RETURNING errands.job_id AS "jobId", errands.kind, owner_id AS "ownerId", cluster_name AS "clusterName",
          scheduler_options AS "schedulerOptionsJson"`);
      return rows.map(toCommand);
    },
    finishCommand: async (jobId, kind) => {
      await database.run(sql`DELETE FROM errands WHERE job_id = ${jobId} AND kind = ${kind}`);
    },
    postponeSubmit: async (jobId, afterMs) => {
      await database.run(sql`
        UPDATE errands SET try_count = 0, next_try_at = now() + ${afterMs}::float8 * interval '1 ms'
        WHERE job_id = ${jobId} AND kind = 'submit'`);
    },
    dropEndedSubmits: async () => {
      await database.run(sql`DELETE FROM errands WHERE kind = 'submit' AND NOT ${JOB_IS_OPEN}`);
    },
  };
}
