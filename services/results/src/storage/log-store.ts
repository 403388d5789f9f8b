import { z } from 'zod';
import { fail } from '../domain/errors.js';
import { appendLog, cutRange, type LogPiece } from '../domain/logfile.js';
import type { LogStore } from '../domain/ports.js';
import { type Database, type DatabaseClient, inTransaction } from './database.js';
import { lockJob } from './lock-job.js';

/** Pieces are joined up to this size: a chatty simulator must not make a row of every line. */
const CHUNK_BYTES = 16 * 1024;
/** Chunks fetched by one statement: at most 256 KiB each. */
const CHUNKS_PER_READ = 16;
const LINE_FEED = 0x0a;
/** Waiting for another append to the same log included. */
const APPEND_TIMEOUT_MS = 10_000;

/** In the place of the attempt that may write: there are only notes so far. */
const NOBODY = '';

/** Most logs of a job: one for each task of the largest job, and room for more. */
const LOGS_MAX = 10_000;

const stateRows = z.array(z.object({ attempt_id: z.string(), total_bytes: z.bigint(), is_at_line_start: z.boolean() }));
const chunkRows = z.array(z.object({ start_byte: z.bigint(), content: z.instanceof(Uint8Array) }));
const countRows = z.array(z.object({ count: z.number(), lowest: z.number() }));
const logIdRows = z.array(z.object({ task_id: z.number() }));

/** The log's number, its row made if there is none; `isNew`: it was. */
async function openLog(tx: Database, piece: LogPiece): Promise<{ logId: number; isNew: boolean }> {
  const { jobId, key } = piece;
  const attemptId = piece.isNote ? NOBODY : piece.attemptId;
  const rows = logIdRows.parse(
    'taskId' in key
      ? await tx.$queryRaw`SELECT task_id FROM task_logs WHERE job_id = ${jobId} AND task_id = ${key.taskId}`
      : await tx.$queryRaw`SELECT task_id FROM task_logs WHERE job_id = ${jobId} AND name = ${key.name}`,
  );
  if (rows[0] !== undefined) return { logId: rows[0].task_id, isNew: false };
  // one new log of a job after the other: their count and the next number are then exact
  await lockJob(tx, jobId);
  const [counted] = countRows.parse(
    await tx.$queryRaw`
      SELECT count(*)::int AS count, coalesce(min(task_id), 0)::int AS lowest FROM task_logs WHERE job_id = ${jobId}`,
  );
  if (counted !== undefined && counted.count >= LOGS_MAX) throw fail('LOGS_TOO_MANY');
  const logId = 'taskId' in key ? key.taskId : Math.min(counted?.lowest ?? 0, 0) - 1;
  const name = 'name' in key ? key.name : null;
  const made = await tx.$executeRaw`
    INSERT INTO task_logs (job_id, task_id, name, attempt_id) VALUES (${jobId}, ${logId}, ${name}, ${attemptId})
    ON CONFLICT DO NOTHING`;
  return made > 0 ? { logId, isNew: true } : openLog(tx, piece);
}

/** Forgets what a log holds. */
async function emptyLog(tx: Database, jobId: string, logId: number): Promise<void> {
  await tx.$executeRaw`DELETE FROM log_chunks WHERE job_id = ${jobId} AND task_id = ${logId}`;
  await tx.$executeRaw`DELETE FROM log_attempts WHERE job_id = ${jobId} AND task_id = ${logId}`;
  await tx.$executeRaw`
    UPDATE task_logs SET total_bytes = 0, is_at_line_start = true WHERE job_id = ${jobId} AND task_id = ${logId}`;
}

async function appendPiece(tx: Database, piece: LogPiece, logBytesMax: number): Promise<void> {
  const { jobId, attemptId } = piece;
  const jobs = await tx.$queryRaw<unknown[]>`SELECT 1 FROM jobs WHERE job_id = ${jobId} FOR KEY SHARE`;
  if (jobs.length === 0) throw fail('JOB_NOT_FOUND');
  const { logId: taskId, isNew } = await openLog(tx, piece);
  await tx.$executeRaw`SELECT 1 FROM task_logs WHERE job_id = ${jobId} AND task_id = ${taskId} FOR UPDATE`;
  if (piece.isRestart) await emptyLog(tx, jobId, taskId);
  // by a statement of its own: one that waits for a lock sees other tables as they were before it waited
  const [row] = stateRows.parse(
    await tx.$queryRaw`
      SELECT attempt_id, total_bytes, is_at_line_start FROM task_logs
      WHERE job_id = ${jobId} AND task_id = ${taskId}`,
  );
  if (row === undefined) throw fail('JOB_NOT_FOUND');
  const attempt = await tx.logAttempt.findUnique({
    where: { jobId_taskId_attemptId: { jobId, taskId, attemptId } },
    select: { receivedBytes: true },
  });
  const added = appendLog(
    {
      attemptId: isNew || piece.isRestart || row.attempt_id === NOBODY ? undefined : row.attempt_id,
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
    UPDATE task_logs SET attempt_id = ${piece.isNote ? row.attempt_id : attemptId}, total_bytes = ${totalBytes}, is_at_line_start = ${isAtLineStart}
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

/** Logs in PostgreSQL. */
export function createLogStore(db: DatabaseClient, { logBytesMax }: { readonly logBytesMax: number }): LogStore {
  return {
    append: (piece) => inTransaction(db, APPEND_TIMEOUT_MS, (tx) => appendPiece(tx, piece, logBytesMax)),
    async list(jobId) {
      const rows = await db.taskLog.findMany({
        where: { jobId },
        select: { taskId: true, name: true, totalBytes: true },
      });
      const logs = rows.map(({ taskId, name, totalBytes }) => ({
        logId: taskId,
        key: name === null ? { taskId } : { name },
        totalBytes: Number(totalBytes),
      }));
      const rank = (logId: number) => (logId < 0 ? 2 ** 31 - logId : logId);
      return logs.toSorted((a, b) => rank(a.logId) - rank(b.logId));
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
