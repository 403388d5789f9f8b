import { type Database, sql } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { Change, SubmissionStore } from '../domain/ports.js';
import type { StoredSubmission, Submission, SubmissionIn } from '../domain/submission.js';
import { announce } from './change-listener.js';
import {
  type JobSpecRow,
  SUBMISSION_COLUMNS,
  type SubmissionRow,
  saveRevocation,
  saveSchedulerJobs,
  saveSubmission,
  toJobSpec,
  toSubmission,
} from './submission-row.js';

/** The log keeps its end; what is longer is no longer read. Characters. */
const LOG_CHARACTERS_MAX = 16_000;
/** Submissions that are processed in one round; the others are due in the next. */
const DUE_COUNT_MAX = 500;

interface UserRow {
  readonly userId: bigint;
}
interface LeaseColumns {
  readonly leaseHolder: string | null;
  readonly leaseExpiresAt: Date | null;
}

const toStored = (row: SubmissionRow | undefined): StoredSubmission =>
  row && (row.userId === null ? 'revoked' : toSubmission(row));

const leaseOf = ({ leaseHolder: holder, leaseExpiresAt: expiresAt }: LeaseColumns) =>
  holder === null || expiresAt === null ? undefined : { holder, expiresAt };

const schedulerJobsOf = (stored: StoredSubmission) =>
  typeof stored === 'object' && stored.phase.kind !== 'accepted' ? stored.phase.remoteJob?.schedulerJobs : undefined;

/** The statements that a change amounts to. */
function statementsOf(jobId: JobId, stored: StoredSubmission, { save, spec, wakesWorker = false }: Change<unknown>) {
  if (save === undefined) return [];
  if (!('phase' in save)) return [saveRevocation(save), announce(jobId, undefined)];
  const schedulerJobs = schedulerJobsOf(save);
  const isChanged = schedulerJobs !== undefined && schedulerJobs !== schedulerJobsOf(stored);
  return [
    saveSubmission(save, spec),
    ...(isChanged ? saveSchedulerJobs(jobId, schedulerJobs) : []),
    announce(jobId, wakesWorker ? save.clusterName : undefined),
  ];
}

/** Submissions in PostgreSQL. */
export function createSubmissionStore(database: Database): SubmissionStore {
  const users = async (statement: ReturnType<typeof sql<UserRow>>): Promise<bigint[]> =>
    (await database.rows(statement)).map(({ userId }) => userId);
  const submissions = async (statement: ReturnType<typeof sql<SubmissionRow>>): Promise<Submission[]> =>
    (await database.rows(statement)).map(toSubmission);

  return {
    change: (jobId, decide) =>
      database.change(
        [
          // also for a job of which there is no row that could be locked
          sql`SELECT pg_advisory_xact_lock(hashtextextended(${jobId}, 0))`,
          sql<SubmissionRow & LeaseColumns>`
            SELECT ${SUBMISSION_COLUMNS}, c.lease_holder AS "leaseHolder", c.lease_expires_at AS "leaseExpiresAt"
            FROM submissions s LEFT JOIN clusters c ON c.name = s.cluster_name
            WHERE s.job_id = ${jobId} FOR UPDATE OF s`,
        ],
        (_, [row]) => {
          const stored = toStored(row);
          const change = decide(stored, row && leaseOf(row));
          return { save: statementsOf(jobId, stored, change), result: change.result };
        },
      ),

    find: async (jobId) =>
      toStored(
        await database.row(sql<SubmissionRow>`
          SELECT ${SUBMISSION_COLUMNS} FROM submissions s WHERE s.job_id = ${jobId}`),
      ),

    findSpec: async (jobId) => {
      const row = await database.row(sql<{ readonly spec: JobSpecRow | null }>`
        SELECT job_spec AS spec FROM submissions WHERE job_id = ${jobId}`);
      return row?.spec ? toJobSpec(row.spec) : undefined;
    },

    listDueUsers: (clusterName, now) =>
      users(sql`
        SELECT DISTINCT user_id AS "userId" FROM submissions WHERE cluster_name = ${clusterName} AND due_at <= ${now}`),

    listDue: (clusterName, userId, now) =>
      submissions(sql`
        SELECT ${SUBMISSION_COLUMNS} FROM submissions s
        WHERE cluster_name = ${clusterName} AND user_id = ${userId} AND due_at <= ${now}
        ORDER BY due_at, job_id LIMIT ${DUE_COUNT_MAX}`),

    listUsersToObserve: (clusterName, observedBefore) =>
      users(sql`
        SELECT DISTINCT user_id AS "userId" FROM submissions
        WHERE cluster_name = ${clusterName} AND phase = 'submitted' AND observed_at <= ${observedBefore}`),

    listSubmitted: async (clusterName, userId) => {
      const found = await submissions(sql`
        SELECT ${SUBMISSION_COLUMNS} FROM submissions s
        WHERE cluster_name = ${clusterName} AND user_id = ${userId} AND phase = 'submitted'
        ORDER BY created_at, job_id`);
      return found as SubmissionIn<'submitted'>[];
    },

    setObserved: async (jobIds, now) => {
      await database.run(sql`UPDATE submissions SET observed_at = ${now} WHERE job_id = ANY (${jobIds}::text[])`);
    },

    addLogLine: async (jobId, line) => {
      const row = await database.row(sql<{ readonly log: string }>`
        UPDATE submissions SET log = right(log || ${`${line}\n`}::text, ${LOG_CHARACTERS_MAX}::int)
        WHERE job_id = ${jobId} RETURNING log`);
      return row?.log ?? '';
    },

    deleteCleared: (before) =>
      database.run(sql`DELETE FROM submissions WHERE phase = 'cleared' AND cleared_at <= ${before}`),
  };
}
