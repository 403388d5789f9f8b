import { isUtf8 } from 'node:buffer';
import { fail } from '../errors.js';
import type { LogStore, TaskReportStore } from '../ports.js';
import { decideAppend, LOGS_MAX, type LogContinuation, type LogKey, type LogPiece } from './logfile.js';

/** What appending to a log needs. */
export interface AppendLogPorts {
  readonly logs: LogStore;
  readonly reports: TaskReportStore;
  /** Longest log that is kept whole, bytes. */
  readonly logBytesMax: number;
}

/** Longest text of one append, UTF-8 bytes. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;

const NAME_LENGTH_MAX = 128;

/** Most logs of one {@link appendLogs}: more than a worker may upload at once. */
const LOGS_AT_ONCE_MAX = 1_000;

/**
 * Appends text to logs of a job, all or nothing; text that is already there is skipped, so a repeat is harmless.
 * @param pieces - of the job, no two of a log
 * @throws ServiceError LOG_INVALID, LOGS_TOO_MANY, JOB_NOT_FOUND
 */
export async function appendLogs(ports: AppendLogPorts, jobId: string, pieces: readonly LogPiece[]): Promise<void> {
  for (const piece of pieces) checkPiece(piece);
  const keys = new Set(pieces.map(({ key }) => JSON.stringify(key)));
  if (keys.size < pieces.length || keys.size === 0 || keys.size > LOGS_AT_ONCE_MAX) throw fail('LOG_INVALID');
  const [only] = pieces.length === 1 ? pieces : [];
  const continuation = only && continuationOf(only);
  if (continuation !== undefined && (await ports.reports.save({ log: continuation })).isLogAppended) return;
  await changeLogs(ports, jobId, pieces);
}

/** Appends text whatever is stored, by the rule. @param pieces - of the job, no two of a log */
export async function changeLogs(
  { logs, logBytesMax }: AppendLogPorts,
  jobId: string,
  pieces: readonly LogPiece[],
): Promise<void> {
  const keys = pieces.map(({ key }) => key);
  await logs.change(jobId, keys, (index, snapshot) => {
    const piece = pieces[index];
    return piece && decideAppend(snapshot, piece, logBytesMax);
  });
}

/**
 * What a piece is when it is what most pieces are: the text that follows what the same attempt has sent, or the first of the
 * task. The rule then says no more than to put it at the end, which takes no decision. Undefined: it cannot be that.
 */
export function continuationOf({
  jobId,
  key,
  attemptId,
  offset,
  text,
  ...piece
}: LogPiece): LogContinuation | undefined {
  // of tasks with such numbers there are no more than a job may have logs
  if (piece.isRestart || piece.isNote || !('taskId' in key) || key.taskId > LOGS_MAX) return undefined;
  return { jobId, taskId: key.taskId, attemptId, offset, text };
}

/** @throws ServiceError LOG_INVALID */
export function checkPiece(piece: LogPiece): void {
  const isRight =
    isKey(piece.key) &&
    /^[\w.:-]{1,200}$/.test(piece.attemptId) &&
    Number.isSafeInteger(piece.offset) &&
    piece.offset >= 0 &&
    (!(piece.isRestart || piece.isNote) || piece.offset === 0) &&
    !(piece.isRestart && piece.isNote) &&
    piece.text.byteLength <= TEXT_BYTES_MAX &&
    isUtf8(piece.text);
  if (!isRight) throw fail('LOG_INVALID');
}

function isKey(key: LogKey): boolean {
  if ('taskId' in key) return key.taskId >= 1;
  return key.name !== '' && key.name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(key.name);
}
