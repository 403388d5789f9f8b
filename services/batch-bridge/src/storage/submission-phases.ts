import type { JobId } from '../domain/job-id.js';
import type { SubmissionStore } from '../domain/ports.js';
import { NEXT_PHASES, type PhaseKind } from '../domain/submission.js';
import { type Database, Prisma } from './database.js';
import { changeSubmission } from './submission-intents.js';

/** `phase` is one from which `next` follows. */
function precedes(next: PhaseKind): Prisma.Sql {
  const before = (Object.keys(NEXT_PHASES) as PhaseKind[]).filter((phase) => NEXT_PHASES[phase].includes(next));
  return Prisma.sql`phase = ANY (${before}::text[])`;
}

type SubmissionPhases = Pick<
  SubmissionStore,
  'setUploaded' | 'setSubmitted' | 'setCancelSent' | 'end' | 'setEndReported' | 'setCleared'
>;

/** Transitions of submissions, each one transaction. */
export function createSubmissionPhases(database: Database): SubmissionPhases {
  const change = (jobId: JobId, sql: Prisma.Sql): Promise<void> =>
    database.transact((transaction) => changeSubmission(transaction, jobId, sql));

  return {
    setUploaded: (jobId, { username, taskCount, jobs }, now) =>
      database.transact(async (transaction) => {
        await changeSubmission(
          transaction,
          jobId,
          Prisma.sql`
            UPDATE submissions SET phase = 'uploaded', username = ${username}, task_count = ${taskCount}, due_at = ${now}
            WHERE job_id = ${jobId} AND ${precedes('uploaded')}`,
        );
        const rows = jobs.map((job) => Prisma.sql`(${jobId}, ${job.ordinal}, ${job.firstTask}, ${job.taskCount})`);
        await transaction.$executeRaw`
          INSERT INTO scheduler_jobs (job_id, ordinal, first_task, task_count) VALUES ${Prisma.join(rows)}`;
      }),

    setSubmitted: (jobId, now) =>
      database.transact(async (transaction) => {
        await changeSubmission(
          transaction,
          jobId,
          Prisma.sql`
            UPDATE submissions SET phase = 'submitted', observed_at = ${now}, waiting_reason = '', try_count = 0,
              due_at = CASE WHEN cancel_requested_at IS NULL THEN NULL ELSE ${now}::timestamptz END
            WHERE job_id = ${jobId} AND ${precedes('submitted')}`,
        );
        await transaction.$executeRaw`DELETE FROM scheduler_jobs WHERE job_id = ${jobId} AND scheduler_job_id IS NULL`;
      }),

    setCancelSent: (jobId, now) =>
      change(
        jobId,
        Prisma.sql`
          UPDATE submissions SET cancel_sent_at = ${now}, waiting_reason = '', try_count = 0,
            due_at = CASE WHEN delete_requested_at > ${now} THEN ${now}::timestamptz END
          WHERE job_id = ${jobId} AND phase = 'submitted'`,
      ),

    end: (jobId, { reason, message }, now) =>
      change(
        jobId,
        Prisma.sql`
          UPDATE submissions SET phase = 'ended', ended_at = ${now}, end_reason = ${reason ?? null},
            end_message = ${message}, waiting_reason = '', try_count = 0, due_at = ${now}
          WHERE job_id = ${jobId} AND ${precedes('ended')}`,
      ),

    setEndReported: (jobId, now, clearAt) =>
      change(
        jobId,
        Prisma.sql`
          UPDATE submissions SET end_reported_at = ${now}, try_count = 0,
            due_at = CASE WHEN delete_requested_at IS NULL THEN ${clearAt}::timestamptz ELSE ${now}::timestamptz END
          WHERE job_id = ${jobId} AND phase = 'ended'`,
      ),

    setCleared: (jobId, now) =>
      change(
        jobId,
        Prisma.sql`
          UPDATE submissions SET phase = 'cleared', cleared_at = ${now}, due_at = NULL, waiting_reason = '', log = ''
          WHERE job_id = ${jobId} AND ${precedes('cleared')}`,
      ),
  };
}
