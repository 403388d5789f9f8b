import { createBatcher, type Sql, sql } from '@tally/service-kit';
import type { LogContinuation } from '../domain/log/logfile.js';
import type { TaskReport, TaskReportStore } from '../domain/ports.js';
import type { Database } from './database.js';
import { isChunk, LINE_FEED, packChunk, TAIL_BYTES_MAX } from './log-text.js';

/** Reports that share a commit. */
const BATCH_SIZE_MAX = 32;
/** Page sets that are remembered as known, so that the first output of a job is not tried in vain. */
const KNOWN_SETS_MAX = 10_000;

type Output = NonNullable<TaskReport['output']>;
interface Saved {
  readonly isOutputStored: boolean;
  readonly isLogAppended: boolean;
}

/** Small outputs and log texts in PostgreSQL: those that come together in one round trip and one commit. */
export function createTaskReportStore(
  db: Database,
  limits: { readonly rowBytesMax: number; readonly logBytesMax: number },
): TaskReportStore {
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
      const isSmall =
        output !== undefined && output.pageBytes === undefined && output.content.byteLength <= limits.rowBytesMax;
      const isTried = isSmall && known.has(setKey(output));
      if (isSmall) remember(setKey(output));
      const { log } = report;
      const tried = { ...(isTried ? { output } : {}), ...(log === undefined ? {} : { log }) };
      if (!isTried && log === undefined) return { isOutputStored: false, isLogAppended: false };
      return save(tried);
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
  const done = await db.change([], () => ({ save, result: (saved) => saved as DoneRow[][] }));
  const stored = new Set(outputs.length === 0 ? [] : done[0]?.map((row) => row.index));
  const appended = new Set(logs.length === 0 ? [] : done.at(-1)?.map((row) => row.index));
  return reports.map((_, index) => ({ isOutputStored: stored.has(index), isLogAppended: appended.has(index) }));
}

interface DoneRow {
  readonly index: number;
}

/**
 * Outputs whose page sets the job has, in place of earlier ones that are in their rows, too. The lock keeps the page set, see
 * loadPages. All contents travel as one value: as an array they would be text. Rows are looked up one by one: the planner, who takes
 * a list for a hundred rows, would read all of a table that it knows as small.
 */
function insertOutputs(outputs: readonly (Output & { readonly index: number })[]): Sql {
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

/**
 * Texts that follow what the same attempt has sent, or begin the log of a task. Texts gather in the tail of the log's row;
 * when it is full it becomes a chunk, and a long text is one or several itself.
 */
function appendTexts(logs: readonly (LogContinuation & { readonly index: number })[], logBytesMax: number): Sql {
  const texts: Buffer[] = [];
  let start = 1;
  const put = (bytes: Uint8Array) => {
    texts.push(Buffer.from(bytes));
    const place = { start, size: bytes.byteLength };
    start += bytes.byteLength;
    return place;
  };
  const items: object[] = [];
  const chunks: object[] = [];
  for (const { index, jobId, taskId, attemptId, offset, text, members } of logs) {
    const isLong = isChunk(text);
    const task = { job_id: jobId, task_id: taskId, attempt_id: attemptId };
    const what = { before: offset, bytes: text.byteLength, is_long: isLong, ends_line: text.at(-1) === LINE_FEED };
    items.push({ index, ...task, ...what, ...put(isLong ? new Uint8Array(0) : text) });
    if (!isLong) continue;
    for (const { at, textBytes, content } of packChunk(text, members)) {
      chunks.push({ index, at, text_bytes: textBytes, ...put(content) });
    }
  }
  return sql`
    WITH item AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(items)}) AS item (index int, job_id text, task_id int,
        attempt_id text, before bigint, bytes int, is_long boolean, ends_line boolean, start int, size int)
    ), chunk AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(chunks)}) AS chunk (index int, at bigint, text_bytes int, start int,
        size int)
    ), packed AS (
      SELECT ${Buffer.concat(texts)}::bytea AS texts
    ), old AS (
      SELECT item.index, log.total_bytes, log.tail, log.is_at_line_start, item.is_long OR length(log.tail) + item.bytes > ${TAIL_BYTES_MAX} AS is_full
      FROM (SELECT * FROM item ORDER BY job_id, task_id) AS item CROSS JOIN LATERAL (
        SELECT total_bytes, tail, is_at_line_start FROM task_logs AS log
        WHERE log.job_id = item.job_id AND log.task_id = item.task_id
          AND log.attempt_id = item.attempt_id AND log.received_bytes = item.before
          AND log.total_bytes + item.bytes <= ${logBytesMax}
        FOR UPDATE) AS log
    ), grown AS (
      INSERT INTO task_logs AS log (job_id, task_id, attempt_id, received_bytes, total_bytes, is_at_line_start, tail)
      SELECT job_id, task_id, attempt_id, before + bytes, coalesce(old.total_bytes, 0) + bytes,
        CASE WHEN bytes = 0 THEN coalesce(old.is_at_line_start, true) ELSE ends_line END,
        CASE WHEN old.is_full THEN '' ELSE coalesce(old.tail, '') END || substring(packed.texts FROM start FOR size)
      FROM item LEFT JOIN old USING (index) CROSS JOIN packed
      WHERE old.index IS NOT NULL
        OR before = 0 AND bytes <= ${logBytesMax} AND EXISTS (SELECT FROM jobs WHERE jobs.job_id = item.job_id OFFSET 0)
      ORDER BY job_id, task_id
      ON CONFLICT (job_id, task_id) DO UPDATE SET received_bytes = excluded.received_bytes,
        total_bytes = excluded.total_bytes, is_at_line_start = excluded.is_at_line_start, tail = excluded.tail
      WHERE log.attempt_id = excluded.attempt_id AND log.total_bytes = (
        SELECT total_bytes FROM old JOIN item USING (index) WHERE item.job_id = log.job_id AND item.task_id = log.task_id)
      RETURNING job_id, task_id
    ), done AS (
      SELECT index, job_id, task_id FROM item JOIN grown USING (job_id, task_id)
    ), flushed AS (
      INSERT INTO log_chunks (job_id, task_id, start_byte, text_bytes, content)
      SELECT job_id, task_id, total_bytes - length(tail), length(tail), tail FROM done JOIN old USING (index)
      WHERE is_full AND tail <> ''
    ), added AS (
      INSERT INTO log_chunks (job_id, task_id, start_byte, text_bytes, content)
      SELECT job_id, task_id, coalesce(old.total_bytes, 0) + at, text_bytes, substring(packed.texts FROM start FOR size)
      FROM done JOIN chunk USING (index) LEFT JOIN old USING (index) CROSS JOIN packed
    )
    SELECT index FROM done`;
}
