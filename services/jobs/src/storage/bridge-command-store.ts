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
      readonly firstTask: number | null;
    }
  | { readonly kind: 'cancel'; readonly lastTask: number | null }
  | { readonly kind: 'delete' }
);

function toCommand(row: CommandRow): BridgeCommand {
  const { kind, jobId } = row;
  if (kind === 'delete') return { kind, jobId };
  if (kind === 'cancel') return { kind, jobId, lastTask: row.lastTask ?? undefined };
  const { ownerId, clusterName, schedulerOptionsJson, firstTask } = row;
  return { kind, submission: { jobId, ownerId, clusterName, schedulerOptionsJson, firstTask: firstTask ?? 1 } };
}

/** Pause after the first try, milliseconds; doubled after each. */
const RETRY_FIRST_MS = 1_000;

const JOB_IS_OPEN = sql`EXISTS (
  SELECT 1 FROM jobs WHERE jobs.job_id = bridge_commands.job_id AND state = ANY(${[...OPEN_STATES]}))`;

export function createBridgeCommandStore(database: Database): BridgeCommandStore {
  return {
    // the pauses differ by a quarter, so that what failed together is not all tried at one moment for ever
    takeDueCommands: async (limit, retryMaxMs) => {
      const rows = await database.rows(sql<CommandRow>`
        WITH due AS (
          SELECT job_id, kind FROM bridge_commands
          WHERE next_try_at <= now() AND (kind <> 'submit' OR ${JOB_IS_OPEN})
            AND (kind = 'cancel' OR NOT EXISTS (
              SELECT 1 FROM bridge_commands first WHERE first.job_id = bridge_commands.job_id AND first.kind = 'cancel'))
          ORDER BY next_try_at LIMIT ${limit} FOR UPDATE OF bridge_commands SKIP LOCKED
        )
        UPDATE bridge_commands
        SET try_count = try_count + 1,
            next_try_at = now() + interval '1 ms' * (0.75 + random() / 2)
              * least(${RETRY_FIRST_MS}::float8 * power(2, least(try_count, 20)), ${retryMaxMs}::float8)
        FROM due WHERE bridge_commands.job_id = due.job_id AND bridge_commands.kind = due.kind
        RETURNING bridge_commands.job_id AS "jobId", bridge_commands.kind, owner_id AS "ownerId", cluster_name AS "clusterName",
          scheduler_options AS "schedulerOptionsJson", first_task AS "firstTask", last_task AS "lastTask"`);
      return rows.map(toCommand);
    },
    finishCommand: async (jobId, kind) => {
      await database.run(sql`DELETE FROM bridge_commands WHERE job_id = ${jobId} AND kind = ${kind}`);
    },
    postponeSubmit: async (jobId, afterMs) => {
      await database.run(sql`
        UPDATE bridge_commands SET try_count = 0, next_try_at = now() + ${afterMs}::float8 * interval '1 ms'
        WHERE job_id = ${jobId} AND kind = 'submit'`);
    },
    dropEndedSubmits: async () => {
      await database.run(sql`DELETE FROM bridge_commands WHERE kind = 'submit' AND NOT ${JOB_IS_OPEN}`);
    },
  };
}
