import { z } from 'zod';
import { fail } from '../domain/errors.js';
import { appendLog, cutRange, type LogPiece } from '../domain/logfile.js';
import type { LogStore } from '../domain/ports.js';
import { type Database, type DatabaseClient, inTransaction } from './database.js';

/** Pieces are joined up to this size: a chatty simulator must not make a row of every line. */
const CHUNK_BYTES = 16 * 1024;
/** Chunks fetched by one statement: at most 256 KiB each. */
const CHUNKS_PER_READ = 16;
const LINE_FEED = 0x0a;
/** Waiting for another append to the same log included. */
const APPEND_TIMEOUT_MS = 10_000;

const stateRows = z.array(z.object({ attempt_id: z.string(), total_bytes: z.bigint(), is_at_line_start: z.boolean() }));
const chunkRows = z.array(z.object({ start_byte: z.bigint(), content: z.instanceof(Uint8Array) }));

async function appendPiece(tx: Database, piece: LogPiece, logBytesMax: number): Promise<void> {
  const { jobId, taskId, attemptId } = piece;
  const jobs = await tx.$queryRaw<unknown[]>`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR KEY SHARE`;
  if (jobs.length === 0) throw fail('JOB_NOT_FOUND');
  const isFirstOfTask =
    (await tx.$executeRaw`
      INSERT INTO task_logs (job_id, task_id, attempt_id) VALUES (${jobId}, ${taskId}, ${attemptId})
      ON CONFLICT (job_id, task_id) DO NOTHING`) > 0;
  const [row] = stateRows.parse(
    await tx.$queryRaw`
      SELECT attempt_id, total_bytes, is_at_line_start FROM task_logs
      WHERE job_id = ${jobId} AND task_id = ${taskId} FOR UPDATE`,
  );
  if (row === undefined) throw fail('JOB_NOT_FOUND');
  // by a statement of its own: one that waits for a lock sees other tables as they were before it waited
  const attempt = await tx.logAttempt.findUnique({
    where: { jobId_taskId_attemptId: { jobId, taskId, attemptId } },
    select: { receivedBytes: true },
  });
  const added = appendLog(
    {
      attemptId: isFirstOfTask ? undefined : row.attempt_id,
      receivedBytes: attempt === null ? undefined : Number(attempt.receivedBytes),
      isAtLineStart: row.is_at_line_start,
    },
    piece,
  );
  if (added === undefined) return;
  await tx.$executeRaw`
    INSERT INTO log_attempts (job_id, task_id, attempt_id, received_bytes)
    VALUES (${jobId}, ${taskId}, ${attemptId}, ${added.receivedBytes})
    ON CONFLICT (job_id, task_id, attempt_id) DO UPDATE SET received_bytes = excluded.received_bytes`;
  await writeChunk(tx, jobId, taskId, row.total_bytes, added.bytes);
  const totalBytes = Number(row.total_bytes) + added.bytes.byteLength;
  const isAtLineStart = added.bytes.byteLength === 0 ? row.is_at_line_start : added.bytes.at(-1) === LINE_FEED;
  await tx.$executeRaw`
    UPDATE task_logs SET attempt_id = ${attemptId}, total_bytes = ${totalBytes}, is_at_line_start = ${isAtLineStart}
    WHERE job_id = ${jobId} AND task_id = ${taskId}`;
  const cut = cutRange(totalBytes, logBytesMax);
  if (cut !== undefined) {
    await tx.$executeRaw`
      DELETE FROM log_chunks WHERE job_id = ${jobId} AND task_id = ${taskId}
        AND start_byte >= ${cut.from} AND start_byte + length(content) <= ${cut.to}`;
  }
}

async function writeChunk(
  tx: Database,
  jobId: string,
  taskId: number,
  startByte: bigint,
  bytes: Buffer,
): Promise<void> {
  if (bytes.byteLength === 0) return;
  const joined = await tx.$executeRaw`
    UPDATE log_chunks SET content = content || ${bytes}
    WHERE job_id = ${jobId} AND task_id = ${taskId} AND length(content) + ${bytes.byteLength} <= ${CHUNK_BYTES}
      AND start_byte = (SELECT max(start_byte) FROM log_chunks WHERE job_id = ${jobId} AND task_id = ${taskId})`;
  if (joined > 0) return;
  await tx.$executeRaw`
    INSERT INTO log_chunks (job_id, task_id, start_byte, content) VALUES (${jobId}, ${taskId}, ${startByte}, ${bytes})`;
}

/** Logs of tasks in PostgreSQL. */
export function createLogStore(db: DatabaseClient, { logBytesMax }: { readonly logBytesMax: number }): LogStore {
  return {
    append: (piece) => inTransaction(db, APPEND_TIMEOUT_MS, (tx) => appendPiece(tx, piece, logBytesMax)),
    async list(jobId) {
      const rows = await db.taskLog.findMany({
        where: { jobId },
        select: { taskId: true, totalBytes: true },
        orderBy: { taskId: 'asc' },
      });
      return rows.map(({ taskId, totalBytes }) => ({ taskId, totalBytes: Number(totalBytes) }));
    },
    async *read(jobId, taskId, from, to) {
      for (let next = from; next < to; ) {
        const rows = chunkRows.parse(
          await db.$queryRaw`
            SELECT start_byte, content FROM log_chunks
            WHERE job_id = ${jobId} AND task_id = ${taskId} AND start_byte + length(content) > ${next}
              AND start_byte < ${to}
            ORDER BY start_byte LIMIT ${CHUNKS_PER_READ}`,
        );
        if (rows.length === 0) return;
        for (const { start_byte, content } of rows) {
          const startByte = Number(start_byte);
          yield content.subarray(Math.max(0, next - startByte), Math.min(content.byteLength, to - startByte));
          next = startByte + content.byteLength;
        }
      }
    },
  };
}
