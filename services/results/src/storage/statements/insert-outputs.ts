import { type Sql, sql } from '@tally/service-kit';
import type { TaskReport } from '../../domain/ports.js';
import type { IndexRow } from './append-texts.js';

/** An output with its bytes. */
export type WholeOutput = NonNullable<TaskReport['output']>;

/**
 * Outputs whose page sets the job has, in place of earlier ones that are in their rows, too. The lock keeps the page set, see
 * loadPages. All contents travel as one value: as an array they would be text. Rows are looked up one by one: the planner, who takes
 * a list for a hundred rows, would read all of a table that it knows as small.
 */
export function insertOutputs(outputs: readonly (WholeOutput & IndexRow)[]): Sql<IndexRow> {
  let start = 1;
  const rows = outputs.map(({ index, header, pageSet, hasRemainders = false, content }) => {
    const { jobId, taskId, attemptId, primaries, batches, engine, counters, warnings } = header;
    const place = { index, start, size: content.byteLength };
    start += content.byteLength;
    const task = { job_id: jobId, task_id: taskId, attempt_id: attemptId };
    return {
      ...place,
      ...task,
      primaries,
      batches,
      engine,
      counters,
      warnings,
      set_hash: `\\x${pageSet.hash}`,
      has_remainders: hasRemainders,
    };
  });
  return sql`
    WITH item AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS item (index int, start int, size int, job_id text,
        task_id int, attempt_id text, primaries bigint, batches int, engine text, counters jsonb, warnings jsonb, set_hash bytea, has_remainders boolean)
    ), known AS (
      SELECT wanted.* FROM (SELECT DISTINCT job_id, set_hash FROM item) AS wanted CROSS JOIN LATERAL (
        SELECT FROM page_sets WHERE job_id = wanted.job_id AND set_hash = wanted.set_hash FOR KEY SHARE) AS found
    ), stored AS (
      INSERT INTO task_outputs AS output (job_id, task_id, attempt_id, primaries, batches, engine, counters, warnings, set_hash,
        has_remainders, content)
      SELECT job_id, task_id, attempt_id, primaries, batches, engine, counters, warnings, set_hash, has_remainders,
        substring(${Buffer.concat(outputs.map(({ content }) => content))}::bytea FROM start FOR size)
      FROM item JOIN known USING (job_id, set_hash) ORDER BY job_id, task_id
      ON CONFLICT (job_id, task_id) DO UPDATE SET output_id = excluded.output_id, attempt_id = excluded.attempt_id,
        primaries = excluded.primaries, batches = excluded.batches, engine = excluded.engine, counters = excluded.counters,
        warnings = excluded.warnings, set_hash = excluded.set_hash, page_bytes = NULL, has_remainders = excluded.has_remainders, content = excluded.content,
        stored_at = now()
      WHERE output.blob_id IS NULL
      RETURNING job_id, task_id
    )
    SELECT index FROM item JOIN stored USING (job_id, task_id)`;
}
