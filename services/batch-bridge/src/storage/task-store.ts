import { z } from 'zod';
import type { JobId } from '../domain/job-id.js';
import type { TaskStore } from '../domain/observation-ports.js';

import type { TaskRecord } from '../domain/task-record.js';
import { type Database, Prisma, queryRows } from './database.js';

const optionalDate = z
  .date()
  .nullable()
  .transform((date) => date ?? undefined);

const taskRow = z
  .object({
    job_id: z.string(),
    task_id: z.number(),
    told: z.enum(['nothing', 'running', 'ended']),
    end_outcome: z.enum(['completed', 'failed', 'canceled', 'lost']).nullable(),
    end_description: z.string().nullable(),
    end_seen_at: z.date().nullable(),
    absent_since: optionalDate,
    stuck_since: optionalDate,
    has_own_end: z.boolean(),
    log_bytes: z.bigint(),
    is_output_stored: z.boolean(),
    is_tail_stored: z.boolean(),
    progress_at: optionalDate,
  })
  .transform((row): { readonly jobId: JobId; readonly record: TaskRecord } => {
    const { end_outcome: outcome, end_description: description, end_seen_at: seenAt } = row;
    const hasEnd = outcome !== null && description !== null && seenAt !== null;
    return {
      jobId: row.job_id as JobId,
      record: {
        taskId: row.task_id,
        told: row.told,
        ...(hasEnd ? { end: { outcome, description, seenAt } } : {}),
        ...(row.absent_since === undefined ? {} : { absentSince: row.absent_since }),
        ...(row.stuck_since === undefined ? {} : { stuckSince: row.stuck_since }),
        hasOwnEnd: row.has_own_end,
        logBytes: Number(row.log_bytes),
        isOutputStored: row.is_output_stored,
        isTailStored: row.is_tail_stored,
        ...(row.progress_at === undefined ? {} : { progressAt: row.progress_at }),
      },
    };
  });

/** A record as jsonb_to_recordset reads it. */
function toJson(record: TaskRecord): object {
  return {
    task_id: record.taskId,
    told: record.told,
    end_outcome: record.end?.outcome,
    end_description: record.end?.description,
    end_seen_at: record.end?.seenAt,
    absent_since: record.absentSince,
    stuck_since: record.stuckSince,
    has_own_end: record.hasOwnEnd,
    log_bytes: record.logBytes,
    is_output_stored: record.isOutputStored,
    is_tail_stored: record.isTailStored,
    progress_at: record.progressAt,
  };
}

const COLUMNS = Prisma.sql`task_id, told, end_outcome, end_description, end_seen_at, absent_since, stuck_since,
  has_own_end, log_bytes, is_output_stored, is_tail_stored, progress_at`;

/** What is remembered of tasks, in PostgreSQL. */
export function createTaskStore(database: Database): TaskStore {
  return {
    async list(jobIds) {
      const sql = Prisma.sql`
        SELECT job_id, ${COLUMNS} FROM submission_tasks WHERE job_id = ANY (${[...jobIds]}::text[])`;
      const jobs = new Map<JobId, Map<number, TaskRecord>>();
      for (const { jobId, record } of await database.run((statements) => queryRows(statements, taskRow, sql))) {
        const records = jobs.get(jobId) ?? new Map<number, TaskRecord>();
        jobs.set(jobId, records.set(record.taskId, record));
      }
      return jobs;
    },

    async save(jobId, records) {
      const rows = JSON.stringify(records.map(toJson));
      await database.run((statements) =>
        statements.$executeRaw(Prisma.sql`
          INSERT INTO submission_tasks (job_id, ${COLUMNS})
          SELECT job.job_id, ${COLUMNS}
          FROM (SELECT job_id FROM submissions WHERE job_id = ${jobId} FOR KEY SHARE) AS job,
            jsonb_to_recordset(${rows}::jsonb) AS given (task_id int, told text, end_outcome text,
              end_description text, end_seen_at timestamptz, absent_since timestamptz, stuck_since timestamptz,
              has_own_end bool, log_bytes bigint, is_output_stored bool, is_tail_stored bool, progress_at timestamptz)
          ON CONFLICT (job_id, task_id) DO UPDATE SET
            told = excluded.told, end_outcome = excluded.end_outcome, end_description = excluded.end_description,
            end_seen_at = excluded.end_seen_at, absent_since = excluded.absent_since,
            stuck_since = excluded.stuck_since, has_own_end = excluded.has_own_end, log_bytes = excluded.log_bytes,
            is_output_stored = excluded.is_output_stored, is_tail_stored = excluded.is_tail_stored,
            progress_at = excluded.progress_at`),
      );
    },

    async forget(jobId) {
      await database.run((statements) => statements.$executeRaw`DELETE FROM submission_tasks WHERE job_id = ${jobId}`);
    },

    async setWaiting(jobId, waitingReason) {
      await database.run(
        (statements) => statements.$executeRaw`
          UPDATE submissions SET waiting_reason = ${waitingReason} WHERE job_id = ${jobId} AND phase = 'submitted'`,
      );
    },
  };
}
