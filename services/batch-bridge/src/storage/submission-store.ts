import { z } from 'zod';
import type { JobId } from '../domain/job-id.js';
import type { SubmissionStore } from '../domain/ports.js';

import { type Database, Prisma, queryRows } from './database.js';
import { createSchedulerJobStore } from './scheduler-job-store.js';
import { changeSubmission } from './submission-intents.js';
import { createSubmissionLists } from './submission-lists.js';
import { createSubmissionPhases } from './submission-phases.js';

/** The log `submission` keeps its end; what is longer is no longer read. Characters. */
const LOG_CHARACTERS_MAX = 16_000;

const logRow = z.object({ log: z.string() });

/** Submissions in PostgreSQL, as the worker of their cluster sees them. */
export function createSubmissionStore(database: Database): SubmissionStore {
  const change = (jobId: JobId, sql: Prisma.Sql): Promise<void> =>
    database.transact((transaction) => changeSubmission(transaction, jobId, sql));

  return {
    ...createSchedulerJobStore(database),
    ...createSubmissionLists(database),
    ...createSubmissionPhases(database),

    beginTry: (jobId, dueAt) =>
      change(
        jobId,
        Prisma.sql`UPDATE submissions SET try_count = try_count + 1, due_at = ${dueAt} WHERE job_id = ${jobId}`,
      ),

    postpone: ({ jobId, isCancelWanted, isDeleteWanted }, { dueAt, waitingReason }) =>
      change(
        jobId,
        Prisma.sql`
          UPDATE submissions SET waiting_reason = ${waitingReason}, due_at = CASE
            WHEN (cancel_requested_at IS NOT NULL) = ${isCancelWanted} AND (delete_requested_at IS NOT NULL) = ${isDeleteWanted}
            THEN ${dueAt}::timestamptz ELSE created_at END
          WHERE job_id = ${jobId} AND phase <> 'cleared'`,
      ),

    notePlace: (jobId, username) =>
      change(
        jobId,
        Prisma.sql`UPDATE submissions SET username = ${username} WHERE job_id = ${jobId} AND phase = 'accepted'`,
      ),

    async setObserved(jobIds, now) {
      await database.run(
        (statements) => statements.$executeRaw`
          UPDATE submissions SET observed_at = ${now} WHERE job_id = ANY (${[...jobIds]}::text[])`,
      );
    },

    async addLogLine(jobId, line) {
      const sql = Prisma.sql`
        UPDATE submissions SET log = right(log || ${`${line}\n`}::text, ${LOG_CHARACTERS_MAX}::int)
        WHERE job_id = ${jobId} RETURNING log`;
      const [row] = await database.run((statements) => queryRows(statements, logRow, sql));
      return row?.log ?? '';
    },

    forget: (before) =>
      database.run(
        (statements) =>
          statements.$executeRaw`DELETE FROM submissions WHERE phase = 'cleared' AND cleared_at <= ${before}`,
      ),
  };
}
