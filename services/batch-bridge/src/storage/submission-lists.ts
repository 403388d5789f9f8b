import { z } from 'zod';
import type { SubmissionStore } from '../domain/ports.js';
import { isIn } from '../domain/submission.js';
import { type Database, Prisma, queryRows } from './database.js';
import { SUBMISSION_COLUMNS, submissionRow } from './submission-row.js';

/** Submissions that one round looks at; the others are due in the next. */
const DUE_COUNT_MAX = 500;
/** Of submitted ones, only a cancel or a deletion is work. */
const IS_WORK = Prisma.sql`(phase <> 'submitted' OR cancel_requested_at IS NOT NULL)`;

const userRow = z.object({ user_id: z.bigint() });

type SubmissionLists = Pick<SubmissionStore, 'listDueUsers' | 'listDue' | 'listUsersToObserve' | 'listSubmitted'>;

/** What the worker of a cluster looks for. */
export function createSubmissionLists(database: Database): SubmissionLists {
  return {
    async listDueUsers(clusterName, now) {
      const sql = Prisma.sql`
        SELECT DISTINCT user_id FROM submissions WHERE cluster_name = ${clusterName} AND due_at <= ${now} AND ${IS_WORK}`;
      const rows = await database.run((statements) => queryRows(statements, userRow, sql));
      return rows.map(({ user_id }) => user_id);
    },

    listDue: (clusterName, userId, now) =>
      database.run((statements) =>
        queryRows(
          statements,
          submissionRow,
          Prisma.sql`
            SELECT ${SUBMISSION_COLUMNS} FROM submissions s
            WHERE cluster_name = ${clusterName} AND user_id = ${userId} AND due_at <= ${now} AND ${IS_WORK}
            ORDER BY due_at, job_id LIMIT ${DUE_COUNT_MAX}`,
        ),
      ),

    async listUsersToObserve(clusterName, observedBefore) {
      const sql = Prisma.sql`
        SELECT DISTINCT user_id FROM submissions
        WHERE cluster_name = ${clusterName} AND phase = 'submitted' AND observed_at <= ${observedBefore}`;
      const rows = await database.run((statements) => queryRows(statements, userRow, sql));
      return rows.map(({ user_id }) => user_id);
    },

    async listSubmitted(clusterName, userId) {
      const sql = Prisma.sql`
        SELECT ${SUBMISSION_COLUMNS} FROM submissions s
        WHERE cluster_name = ${clusterName} AND user_id = ${userId} AND phase = 'submitted'
        ORDER BY created_at, job_id`;
      const found = await database.run((statements) => queryRows(statements, submissionRow, sql));
      return found.filter((submission) => isIn('submitted', submission));
    },
  };
}
