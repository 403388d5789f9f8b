import { createBatcher, type Sql, sql } from '@tally/service-kit';
import type { TaskReport, TaskReportStore } from '../domain/ports.js';
import { appendTexts, type IndexRow } from './append-texts.js';
import type { Database } from './database.js';

/** Reports that share a commit. */
const BATCH_SIZE_MAX = 32;
/** Page sets that are remembered as known, so that the first output of a job is not tried in vain. */
const KNOWN_SETS_MAX = 10_000;

type Output = NonNullable<TaskReport['output']>;
interface Saved {
  readonly isOutputStored: boolean;
  readonly isLogAppended: boolean;
}

/** Outputs that lie in rows, and log texts, in PostgreSQL: those that come together in one round trip and one commit. */
export function createTaskReportStore(db: Database, limits: { readonly logBytesMax: number }): TaskReportStore {
  const known = new Set<string>();
  const setKey = ({ header, pageSet }: Output) => `${header.jobId} ${pageSet.hash}`;
  const remember = (key: string) => {
    known.add(key);
    const [oldest] = known;
    if (known.size > KNOWN_SETS_MAX && oldest !== undefined) known.delete(oldest);
  };
  const save = createBatcher<TaskReport, Saved>({
    run: (reports) => saveReports(db, reports, limits),
    sizeMax: BATCH_SIZE_MAX,
  });
  return {
    async save(report) {
      const { output } = report;
      // a list takes a look at those of the other tasks, and who comes first tells what the pages are
      const isAlike = output !== undefined && output.pageBytes === undefined;
      const isTried = isAlike && known.has(setKey(output));
      if (isAlike) remember(setKey(output));
      // its log is stored with it
      if (output !== undefined && !isTried) return { isOutputStored: false, isLogAppended: false };
      return save(report);
    },
  };
}

async function saveReports(
  db: Database,
  reports: readonly TaskReport[],
  { logBytesMax }: { readonly logBytesMax: number },
): Promise<Saved[]> {
  const outputs = reports.flatMap(({ output }, index) => (output === undefined ? [] : [{ ...output, index }]));
  const logs = reports.flatMap(({ log }, index) => (log === undefined ? [] : [{ ...log, index }]));
  const save = [
    ...(outputs.length === 0 ? [] : [insertOutputs(outputs)]),
    ...(logs.length === 0 ? [] : [appendTexts(logs, logBytesMax)]),
  ];
  const done = await db.change([], () => ({ save, result: (saved) => saved as IndexRow[][] }));
  const stored = new Set(outputs.length === 0 ? [] : done[0]?.map((row) => row.index));
  const appended = new Set(logs.length === 0 ? [] : done.at(-1)?.map((row) => row.index));
  return reports.map((_, index) => ({ isOutputStored: stored.has(index), isLogAppended: appended.has(index) }));
}

/**
 * Outputs whose page sets the job has, in place of earlier ones that are in their rows, too. The lock keeps the page set, see
 * loadPages. All contents travel as one value: as an array they would be text. Rows are looked up one by one: the planner, who takes
 * a list for a hundred rows, would read all of a table that it knows as small.
 */
function insertOutputs(outputs: readonly (Output & IndexRow)[]): Sql<IndexRow> {
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
