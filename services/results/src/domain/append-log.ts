import { fail } from './errors.js';
import type { LogPiece } from './logfile.js';
import type { LogStore } from './ports.js';

/** Longest text of one append, UTF-8 bytes. */
const TEXT_BYTES_MAX = 256 * 1024;

/**
 * Appends text to a task's log; text that is already there is skipped, so a repeat is harmless.
 * @throws ServiceError LOG_INVALID, JOB_NOT_FOUND
 */
export async function appendLog(ports: { readonly logs: LogStore }, piece: LogPiece): Promise<void> {
  const isRight =
    piece.taskId >= 1 &&
    piece.attemptId !== '' &&
    /^[\w.:-]{1,200}$/.test(piece.attemptId) &&
    Number.isSafeInteger(piece.offset) &&
    piece.offset >= 0 &&
    Buffer.byteLength(piece.text, 'utf8') <= TEXT_BYTES_MAX;
  if (!isRight) throw fail('LOG_INVALID');
  await ports.logs.append(piece);
}
