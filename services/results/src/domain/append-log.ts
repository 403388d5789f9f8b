import { fail } from './errors.js';
import type { LogKey, LogPiece } from './logfile.js';
import type { LogStore } from './ports.js';

/** Longest text of one append, UTF-8 bytes. */
const TEXT_BYTES_MAX = 256 * 1024;

const NAME_LENGTH_MAX = 128;

function isKey(key: LogKey): boolean {
  if ('taskId' in key) return key.taskId >= 1;
  return key.name !== '' && key.name.length <= NAME_LENGTH_MAX && !/\p{Cc}/u.test(key.name);
}

/**
 * Appends text to a log; text that is already there is skipped, so a repeat is harmless.
 * @throws ServiceError LOG_INVALID, LOGS_TOO_MANY, JOB_NOT_FOUND
 */
export async function appendLog(ports: { readonly logs: LogStore }, piece: LogPiece): Promise<void> {
  const isRight =
    isKey(piece.key) &&
    /^[\w.:-]{1,200}$/.test(piece.attemptId) &&
    Number.isSafeInteger(piece.offset) &&
    piece.offset >= 0 &&
    (!(piece.isRestart || piece.isNote) || piece.offset === 0) &&
    !(piece.isRestart && piece.isNote) &&
    Buffer.byteLength(piece.text, 'utf8') <= TEXT_BYTES_MAX;
  if (!isRight) throw fail('LOG_INVALID');
  await ports.logs.append(piece);
}
