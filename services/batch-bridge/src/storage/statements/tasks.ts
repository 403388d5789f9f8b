import { type Sql, sql } from '@tally/service-kit';

const COLUMNS = sql`task_id, reported, end_outcome, end_description, end_observed_at, absent_since, stuck_since,
  has_end_file, log_bytes, is_output_stored, is_tail_stored, progress_at`;

/** Replaces records of tasks, given as JSON rows with the names of the columns. A submission that is gone is no error. */
export const saveTasks = (jobId: string, rows: readonly object[]): Sql => sql`
  INSERT INTO submission_tasks (job_id, ${COLUMNS})
  SELECT job.job_id, ${COLUMNS}
  FROM (SELECT job_id FROM submissions WHERE job_id = ${jobId} FOR KEY SHARE) AS job,
    jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (task_id int, reported text,
      end_outcome text, end_description text, end_observed_at timestamptz, absent_since timestamptz,
      stuck_since timestamptz, has_end_file bool, log_bytes bigint, is_output_stored bool, is_tail_stored bool,
      progress_at timestamptz)
  ON CONFLICT (job_id, task_id) DO UPDATE SET
    reported = excluded.reported, end_outcome = excluded.end_outcome, end_description = excluded.end_description,
    end_observed_at = excluded.end_observed_at, absent_since = excluded.absent_since,
    stuck_since = excluded.stuck_since, has_end_file = excluded.has_end_file, log_bytes = excluded.log_bytes,
    is_output_stored = excluded.is_output_stored, is_tail_stored = excluded.is_tail_stored,
    progress_at = excluded.progress_at`;
