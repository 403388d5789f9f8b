import { fail } from '../domain/errors.js';
import type { LogKey, LogSnapshot } from '../domain/log/logfile.js';
import type { LogStore, StoredLog } from '../domain/ports.js';
import type { Database } from './database.js';
import { chunkText } from './log-text.js';
import { type ListedRow, type LogRow, listLogRows, loadLogs, NOBODY, readChunks, saveLog } from './statements/logs.js';

/** Logs listed, and chunks read, by one statement; a chunk is at most 256 KiB of text. */
const LOGS_PER_STATEMENT = 100;
const CHUNKS_PER_STATEMENT = 16;

const keyOf = ({ task_id: taskId, name }: Pick<LogRow, 'task_id' | 'name'>): LogKey =>
  name === null ? { taskId } : { name };

function readSnapshot(row: LogRow | undefined, logCount: number): LogSnapshot {
  return {
    logCount,
    attemptId: row === undefined || row.attempt_id === NOBODY ? undefined : row.attempt_id,
    receivedBytes: Number(row?.received_bytes ?? 0),
    earlierAttempts: row?.earlier_attempts ?? [],
    totalBytes: Number(row?.total_bytes ?? 0),
    isAtLineStart: row?.is_at_line_start ?? true,
  };
}

async function* listLogs(db: Database, jobId: string): AsyncGenerator<StoredLog> {
  for (let rank = 0, isMore = true; isMore; ) {
    const rows = await db.rows(listLogRows(jobId, rank, LOGS_PER_STATEMENT));
    for (const row of rows) {
      const read = (from: number, to: number) => readLog(db, jobId, row, from, to);
      yield { key: keyOf(row), totalBytes: Number(row.total_bytes), read };
    }
    isMore = rows.length === LOGS_PER_STATEMENT;
    rank = Number(rows.at(-1)?.rank ?? 0);
  }
}

async function* readLog(
  db: Database,
  jobId: string,
  { task_id: taskId, total_bytes: totalBytes, tail }: ListedRow,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  const tailStart = Number(totalBytes) - tail.byteLength;
  let next = from;
  while (next < Math.min(to, tailStart)) {
    const rows = await db.rows(readChunks(jobId, taskId, { from: next, to }, CHUNKS_PER_STATEMENT));
    if (rows.length === 0) break;
    for (const { text_bytes: textBytes, content, ...row } of rows) {
      const startByte = Number(row.start_byte);
      yield chunkText(content, textBytes, Math.max(0, next - startByte), Math.min(textBytes, to - startByte));
      next = startByte + textBytes;
    }
  }
  if (to > tailStart && tail.byteLength > 0) {
    yield tail.subarray(Math.max(0, from - tailStart), to - tailStart);
  }
}

/** Logs in PostgreSQL. */
export function createLogStore(db: Database): LogStore {
  return {
    async change(jobId, keys, decide) {
      await db.change(loadLogs(jobId, keys), (_, newIn, rows, [counted]) => {
        const byKey = new Map(rows.map((row) => [JSON.stringify(keyOf(row)), row]));
        if (rows.length < keys.length && newIn.length === 0) throw fail('JOB_NOT_FOUND');
        const fresh = { count: counted?.count ?? 0, lowest: Math.min(counted?.lowest ?? 0, 0) };
        const save = keys.flatMap((key, index) => {
          const row = byKey.get(JSON.stringify(key));
          const change = decide(index, readSnapshot(row, row === undefined ? fresh.count++ : 0));
          if (change === undefined) return [];
          const newId = () => ('taskId' in key ? key.taskId : --fresh.lowest);
          return saveLog(jobId, key, row?.task_id ?? newId(), row, change);
        });
        return { save, result: undefined };
      });
    },
    list: (jobId) => listLogs(db, jobId),
  };
}
