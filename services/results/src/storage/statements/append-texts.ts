import { type Sql, sql } from '@tally/service-kit';
import type { LogContinuation } from '../../domain/log/logfile.js';
import { isChunk, LINE_FEED, packChunk, TAIL_BYTES_MAX } from '../log-text.js';

/** Which of the things that were given to a statement. */
export interface IndexRow {
  readonly index: number;
}

/**
 * Texts that follow what the same attempt has sent, or begin the log of a task. Texts gather in the tail of the log's row;
 * when it is full it becomes a chunk, and a long text is one or several itself. Gives a row for each text that was put there; the
 * others take a decision.
 */
export function appendTexts(logs: readonly (LogContinuation & IndexRow)[], logBytesMax: number): Sql<IndexRow> {
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
  for (const { index, jobId, taskId, attemptId, offset, text } of logs) {
    const isLong = isChunk(text);
    const task = { job_id: jobId, task_id: taskId, attempt_id: attemptId };
    const what = { before: offset, bytes: text.byteLength, is_long: isLong, ends_line: text.at(-1) === LINE_FEED };
    items.push({ index, ...task, ...what, ...put(isLong ? new Uint8Array(0) : text) });
    if (!isLong) continue;
    for (const { at, textBytes, content } of packChunk(text)) {
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
