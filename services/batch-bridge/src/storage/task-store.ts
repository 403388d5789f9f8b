import { type Database, sql } from '@tally/service-kit';
import type { JobId } from '../domain/job-id.js';
import type { SchedulerEnd, TaskRecord } from '../domain/observe/task-record.js';
import type { TaskStore } from '../domain/ports.js';

interface TaskRow extends Pick<TaskRecord, 'taskId' | 'reported' | 'hasEndFile' | 'isOutputStored' | 'isTailStored'> {
  readonly jobId: JobId;
  readonly endOutcome: SchedulerEnd['outcome'] | null;
  readonly endDescription: string;
  readonly endSeenAt: Date;
  readonly absentSince: Date | null;
  readonly stuckSince: Date | null;
  readonly logBytes: bigint;
  readonly progressAt: Date | null;
}

function toRecord(row: TaskRow): TaskRecord {
  const { taskId, reported, hasEndFile, isOutputStored, isTailStored, endOutcome: outcome } = row;
  return {
    taskId,
    reported,
    end: outcome === null ? undefined : { outcome, description: row.endDescription, observedAt: row.endSeenAt },
    absentSince: row.absentSince ?? undefined,
    stuckSince: row.stuckSince ?? undefined,
    hasEndFile,
    logBytes: Number(row.logBytes),
    isOutputStored,
    isTailStored,
    progressAt: row.progressAt ?? undefined,
  };
}

/** A record as jsonb_to_recordset reads it. */
function toJson({ end, ...record }: TaskRecord): object {
  return {
    task_id: record.taskId,
    told: record.reported,
    end_outcome: end?.outcome,
    end_description: end?.description,
    end_seen_at: end?.observedAt,
    absent_since: record.absentSince,
    stuck_since: record.stuckSince,
    has_own_end: record.hasEndFile,
    log_bytes: record.logBytes,
    is_output_stored: record.isOutputStored,
    is_tail_stored: record.isTailStored,
    progress_at: record.progressAt,
  };
}

const COLUMNS = sql`task_id, told, end_outcome, end_description, end_seen_at, absent_since, stuck_since,
  has_own_end, log_bytes, is_output_stored, is_tail_stored, progress_at`;

/** What is remembered of tasks, in PostgreSQL. */
export function createTaskStore(database: Database): TaskStore {
  return {
    async list(jobIds) {
      const rows = await database.rows(sql<TaskRow>`
        SELECT job_id AS "jobId", task_id AS "taskId", told AS reported, end_outcome AS "endOutcome",
          end_description AS "endDescription", end_seen_at AS "endSeenAt", absent_since AS "absentSince",
          stuck_since AS "stuckSince", has_own_end AS "hasEndFile", log_bytes AS "logBytes",
          is_output_stored AS "isOutputStored", is_tail_stored AS "isTailStored", progress_at AS "progressAt"
        FROM submission_tasks WHERE job_id = ANY (${jobIds}::text[])`);
      const jobs = new Map<JobId, Map<number, TaskRecord>>(jobIds.map((jobId) => [jobId, new Map()]));
      for (const row of rows) jobs.get(row.jobId)?.set(row.taskId, toRecord(row));
      return jobs;
    },

    async save(jobId, records) {
      await database.run(sql`
        INSERT INTO submission_tasks (job_id, ${COLUMNS})
        SELECT job.job_id, ${COLUMNS}
        FROM (SELECT job_id FROM submissions WHERE job_id = ${jobId} FOR KEY SHARE) AS job,
          jsonb_to_recordset(${JSON.stringify(records.map(toJson))}::jsonb) AS given (task_id int, told text,
            end_outcome text, end_description text, end_seen_at timestamptz, absent_since timestamptz,
            stuck_since timestamptz, has_own_end bool, log_bytes bigint, is_output_stored bool, is_tail_stored bool,
            progress_at timestamptz)
        ON CONFLICT (job_id, task_id) DO UPDATE SET
          told = excluded.told, end_outcome = excluded.end_outcome, end_description = excluded.end_description,
          end_seen_at = excluded.end_seen_at, absent_since = excluded.absent_since,
          stuck_since = excluded.stuck_since, has_own_end = excluded.has_own_end, log_bytes = excluded.log_bytes,
          is_output_stored = excluded.is_output_stored, is_tail_stored = excluded.is_tail_stored,
          progress_at = excluded.progress_at`);
    },

    async delete(jobId) {
      await database.run(sql`DELETE FROM submission_tasks WHERE job_id = ${jobId}`);
    },
  };
}
