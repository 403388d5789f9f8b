import { z } from 'zod';
import type { JobId } from '../domain/job-id.js';
import type { SubmissionIntents } from '../domain/ports.js';
import type { SubmissionOutcome } from '../domain/submission.js';
import { type Database, Prisma, queryRows, type Statements } from './database.js';
import { notifyOutcome, notifyWork } from './signals.js';

const OUTCOME_COLUMNS = Prisma.sql`
  cluster_name, phase, user_id IS NOT NULL AS was_asked_for, waiting_reason, end_reason, end_message`;
const outcomeRow = z
  .object({
    cluster_name: z.string().nullable(),
    phase: z.string(),
    was_asked_for: z.boolean(),
    waiting_reason: z.string(),
    end_reason: z.string().nullable(),
    end_message: z.string().nullable(),
  })
  .transform((row) => ({ clusterName: row.cluster_name, outcome: toOutcome(row) }));

interface OutcomeRow {
  readonly phase: string;
  readonly was_asked_for: boolean;
  readonly waiting_reason: string;
  readonly end_reason: string | null;
  readonly end_message: string | null;
}

function toOutcome(row: OutcomeRow): SubmissionOutcome {
  if (!row.was_asked_for) return { kind: 'revoked' };
  if (row.end_reason !== null) return { kind: 'failed', reason: row.end_reason, message: row.end_message ?? '' };
  if (row.phase === 'accepted' || row.phase === 'uploaded') {
    return { kind: 'underway', waitingReason: row.waiting_reason };
  }
  return { kind: 'submitted' };
}

/** Intents of jobs in PostgreSQL. */
export function createSubmissionIntents(database: Database): SubmissionIntents {
  const request = (jobId: JobId, now: Date, isDeletion: boolean): Promise<void> =>
    database.transact(async (transaction) => {
      // unknown: the row only keeps a submission that comes later from doing anything. Submitted: the collect job, which
      // a cancel spares, is canceled by a deletion, so the command is sent again
      const rows = await queryRows(
        transaction,
        outcomeRow,
        Prisma.sql`
          INSERT INTO submissions AS s (job_id, phase, created_at, cleared_at, cancel_requested_at, delete_requested_at)
          VALUES (${jobId}, 'cleared', ${now}, ${now}, ${now}, ${isDeletion ? now : null})
          ON CONFLICT (job_id) DO UPDATE SET
            cancel_requested_at = coalesce(s.cancel_requested_at, ${now}),
            delete_requested_at = CASE WHEN ${isDeletion} THEN coalesce(s.delete_requested_at, ${now}) ELSE s.delete_requested_at END,
            cancel_sent_at = CASE WHEN ${isDeletion} AND s.delete_requested_at IS NULL THEN NULL ELSE s.cancel_sent_at END,
            due_at = CASE
              WHEN s.phase IN ('accepted', 'uploaded', 'submitted') AND s.cancel_requested_at IS NULL THEN ${now}
              WHEN s.phase <> 'cleared' AND ${isDeletion} AND s.delete_requested_at IS NULL THEN ${now}
              ELSE s.due_at END
          RETURNING ${OUTCOME_COLUMNS}`,
      );
      for (const { clusterName } of rows) if (clusterName !== null) await notifyWork(transaction, clusterName);
    });

  return {
    accept: ({ jobId, userId, clusterName, options }, now) =>
      database.transact(async (transaction) => {
        const [row] = await queryRows(
          transaction,
          outcomeRow,
          Prisma.sql`
            INSERT INTO submissions AS s (job_id, user_id, cluster_name, options, phase, created_at, due_at)
            VALUES (${jobId}, ${userId}, ${clusterName}, ${JSON.stringify(options)}::jsonb, 'accepted', ${now}, ${now})
            ON CONFLICT (job_id) DO UPDATE SET phase = s.phase -- changes nothing, but returns the row
            RETURNING ${OUTCOME_COLUMNS}`,
        );
        if (row === undefined) throw new Error('a row that was written does not come back');
        if (row.outcome.kind === 'underway' && row.clusterName !== null) await notifyWork(transaction, row.clusterName);
        return row.outcome;
      }),

    repeat: (jobId, now) =>
      database.transact(async (transaction) => {
        const [row] = await queryRows(
          transaction,
          outcomeRow,
          Prisma.sql`
            UPDATE submissions s SET due_at = CASE
              WHEN s.phase IN ('accepted', 'uploaded') AND s.waiting_reason <> '' THEN least(s.due_at, ${now}) ELSE s.due_at END
            WHERE job_id = ${jobId} RETURNING ${OUTCOME_COLUMNS}`,
        );
        if (row?.outcome.kind === 'underway' && row.clusterName !== null)
          await notifyWork(transaction, row.clusterName);
        return row?.outcome;
      }),

    async outcomeOf(jobId) {
      const sql = Prisma.sql`SELECT ${OUTCOME_COLUMNS} FROM submissions WHERE job_id = ${jobId}`;
      const [row] = await database.run((statements) => queryRows(statements, outcomeRow, sql));
      return row?.outcome;
    },

    requestCancel: (jobId, now) => request(jobId, now, false),
    requestDelete: (jobId, now) => request(jobId, now, true),
  };
}

/** One statement that changes a submission, and tells who waits for its outcome. */
export async function changeSubmission(statements: Statements, jobId: JobId, sql: Prisma.Sql): Promise<void> {
  const changed = await statements.$executeRaw(sql);
  if (changed !== 1) throw new Error(`submission ${jobId} is not in a phase in which this can be done`);
  await notifyOutcome(statements, jobId);
}
