import { type Sql, sql } from '@tally/service-kit';
import type { LogChange, LogKey } from '../../domain/log/logfile.js';
import { isChunk, packChunk, TAIL_BYTES_MAX } from '../log-text.js';

/** In the place of the attempt that may write: there is none. */
export const NOBODY = '';

/** What a change of a log is decided on. */
export interface LogRow {
  readonly task_id: number;
  readonly name: string | null;
  readonly attempt_id: string;
  readonly received_bytes: bigint;
  readonly earlier_attempts: string[];
  readonly total_bytes: bigint;
  readonly is_at_line_start: boolean;
  readonly tail: Buffer;
}

/** Condition for logs by their keys. */
function areLogs(jobId: string, keys: readonly LogKey[]): Sql {
  const ids = keys.flatMap((key) => ('taskId' in key ? [key.taskId] : []));
  const names = keys.flatMap((key) => ('name' in key ? [key.name] : []));
  const ofJob = sql`task_logs.job_id = ${jobId}`;
  if (names.length === 0) return sql`${ofJob} AND task_logs.task_id = ANY(${ids}::int[])`;
  return sql`${ofJob} AND (task_logs.task_id = ANY(${ids}::int[]) OR task_logs.name = ANY(${names}::text[]))`;
}

/**
 * A log that exists is locked itself; of one that does not, the job is: one new log of a job comes after the other. Before several logs
 * the job is locked in any case, so that nobody waits for it with a log in hand.
 * @param keys - no two alike
 */
export function loadLogs(jobId: string, keys: readonly LogKey[]) {
  const areThese = areLogs(jobId, keys);
  const areThere = sql`(SELECT count(*) FROM task_logs WHERE ${areThese}) = ${keys.length}`;
  return [
    keys.length === 1
      ? sql`SELECT 1 FROM task_logs WHERE ${areThese} FOR UPDATE`
      : sql`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR NO KEY UPDATE`,
    sql<{ found: number }>`SELECT 1 AS found FROM jobs WHERE job_id = ${jobId} AND NOT ${areThere} FOR NO KEY UPDATE`,
    sql<LogRow>`
      SELECT task_id, name, attempt_id, received_bytes, earlier_attempts, total_bytes, is_at_line_start, tail
      FROM task_logs WHERE ${areThese} ORDER BY task_id FOR UPDATE`,
    sql<{ count: number; lowest: number }>`
      SELECT count(*)::int AS count, coalesce(min(task_id), 0)::int AS lowest FROM task_logs
      WHERE job_id = ${jobId} AND NOT ${areThere}`,
  ] as const;
}

/** The row with the facts after the change, chunks that go, and chunks that come. */
export function saveLog(jobId: string, key: LogKey, logId: number, row: LogRow | undefined, change: LogChange): Sql[] {
  const isBegun = row !== undefined && !change.isRestart;
  const [totalBytes, oldTail] = isBegun ? [Number(row.total_bytes), row.tail] : [0, Buffer.alloc(0)];
  const { bytes, cut, isRestart } = change;
  const isFull = isChunk(bytes) || oldTail.byteLength + bytes.byteLength > TAIL_BYTES_MAX;
  const tailStart = totalBytes - oldTail.byteLength;
  const chunks = [
    ...(isFull && oldTail.byteLength > 0 ? [{ at: tailStart, textBytes: oldTail.byteLength, content: oldTail }] : []),
    ...(isChunk(bytes) ? [...packChunk(bytes)].map((chunk) => ({ ...chunk, at: totalBytes + chunk.at })) : []),
  ];
  const tail = isChunk(bytes) ? Buffer.alloc(0) : isFull ? bytes : Buffer.concat([oldTail, bytes]);
  const name = 'name' in key ? key.name : null;
  const { attemptId = NOBODY, receivedBytes, earlierAttempts, isAtLineStart } = change;
  return [
    sql`
      INSERT INTO task_logs (job_id, task_id, name, attempt_id, received_bytes, earlier_attempts, total_bytes,
        is_at_line_start, tail)
      VALUES (${jobId}, ${logId}, ${name}, ${attemptId}, ${receivedBytes}, ${[...earlierAttempts]},
        ${totalBytes + bytes.byteLength}, ${isAtLineStart}, ${tail})
      ON CONFLICT (job_id, task_id) DO UPDATE SET attempt_id = excluded.attempt_id,
        received_bytes = excluded.received_bytes, earlier_attempts = excluded.earlier_attempts,
        total_bytes = excluded.total_bytes, is_at_line_start = excluded.is_at_line_start, tail = excluded.tail`,
    ...(isRestart && row !== undefined
      ? [sql`DELETE FROM log_chunks WHERE job_id = ${jobId} AND task_id = ${logId}`]
      : []),
    ...(chunks.length === 0 ? [] : [insertChunks(jobId, logId, chunks)]),
    ...(cut === undefined
      ? []
      : [
          sql`DELETE FROM log_chunks WHERE job_id = ${jobId} AND task_id = ${logId}
            AND start_byte >= ${cut.from} AND start_byte + text_bytes <= ${cut.to}`,
        ]),
  ];
}

/** All contents travel as one value: as an array they would be text. */
function insertChunks(
  jobId: string,
  logId: number,
  chunks: readonly { readonly at: number; readonly textBytes: number; readonly content: Uint8Array }[],
): Sql {
  let start = 1;
  const rows = chunks.map(({ at, textBytes, content }) => {
    const row = { at, text_bytes: textBytes, start, size: content.byteLength };
    start += content.byteLength;
    return row;
  });
  return sql`
    INSERT INTO log_chunks (job_id, task_id, start_byte, text_bytes, content)
    SELECT ${jobId}, ${logId}, at, text_bytes,
      substring(${Buffer.concat(chunks.map(({ content }) => content))}::bytea FROM start FOR size)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}) AS chunk (at bigint, text_bytes int, start int, size int)`;
}

/** A log, with the end of its text. */
export interface ListedRow {
  readonly task_id: number;
  readonly name: string | null;
  readonly total_bytes: bigint;
  readonly tail: Buffer;
}

/** Tasks by their number, then named logs, whose numbers are negative and fall. */
const RANK = sql`CASE WHEN task_id < 0 THEN 2147483648 - task_id ELSE task_id END`;

/** Logs of a job behind a rank. */
export const listLogRows = (jobId: string, rank: number, max: number) => sql<ListedRow & { readonly rank: bigint }>`
  SELECT task_id, name, total_bytes, tail, ${RANK} AS rank FROM task_logs
  WHERE job_id = ${jobId} AND ${RANK} > ${rank} ORDER BY rank LIMIT ${max}`;

/** Chunks that have a part of these bytes of a log. */
export const readChunks = (
  jobId: string,
  taskId: number,
  { from, to }: { readonly from: number; readonly to: number },
  max: number,
) => sql<{ readonly start_byte: bigint; readonly text_bytes: number; readonly content: Buffer }>`
  SELECT start_byte, text_bytes, content FROM log_chunks
  WHERE job_id = ${jobId} AND task_id = ${taskId} AND start_byte + text_bytes > ${from} AND start_byte < ${to}
  ORDER BY start_byte LIMIT ${max}`;
