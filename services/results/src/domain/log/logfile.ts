import { fail } from '../errors.js';

/** Which log of a job: a task's, or one that has a name of its own. */
export type LogKey = { readonly taskId: number } | { readonly name: string };

/** As users see it. */
export function logKeyText(key: LogKey): string {
  return 'name' in key ? key.name : `task_${key.taskId}`;
}

/** A piece of a log as a worker ships it. */
export interface LogPiece {
  readonly jobId: string;
  readonly key: LogKey;
  /** The log begins anew with this piece, whatever there was. */
  readonly isRestart: boolean;
  /** A line of the service's own: whoever writes the log goes on writing it. Its attempt is its name. */
  readonly isNote: boolean;
  readonly attemptId: string;
  /** UTF-8 bytes of this attempt's log before this text. */
  readonly offset: number;
  /** Whole UTF-8 characters. */
  readonly text: Uint8Array;
}

/** The next text of a task's log, to be appended if nothing stands against it: see {@link continuationOf}. */
export interface LogContinuation {
  readonly jobId: string;
  readonly taskId: number;
  readonly attemptId: string;
  readonly offset: number;
  readonly text: Uint8Array;
}

/** What is stored of a log when a piece comes in. */
export interface LogSnapshot {
  /** Logs of the job, if this one is new. */
  readonly logCount: number;
  /** The attempt that may write; undefined: there is none yet, or the log is new. */
  readonly attemptId: string | undefined;
  /** Bytes of its text that have come in. */
  readonly receivedBytes: number;
  /** Attempts before it, and names of notes. */
  readonly earlierAttempts: readonly string[];
  /** Of the log, with what was cut out of it. */
  readonly totalBytes: number;
  /** The last thing written was a line feed, or nothing has been written. */
  readonly isAtLineStart: boolean;
}

/** A change of a log: its facts after it, and what is written and dropped. */
export interface LogChange extends Omit<LogSnapshot, 'logCount' | 'totalBytes'> {
  /** What there was is dropped first. */
  readonly isRestart: boolean;
  /** Goes to the end. */
  readonly bytes: Buffer;
  /** Bytes that nobody is shown any more. */
  readonly cut: { readonly from: number; readonly to: number } | undefined;
}

/** Most logs of a job: one for each task of the largest job, and room for more. */
export const LOGS_MAX = 10_000;
/** Attempts and notes that are remembered: a note that came before them would be put a second time. */
const EARLIER_ATTEMPTS_MAX = 1_000;
const NOTHING: LogSnapshot = {
  logCount: 0,
  attemptId: undefined,
  receivedBytes: 0,
  earlierAttempts: [],
  totalBytes: 0,
  isAtLineStart: true,
};

/**
 * What a piece changes: nothing (undefined) if all of it is there already, or if its attempt has been replaced by a newer
 * one. A new attempt begins below a line that names it. Where text is missing before the piece, a line says how much.
 * A note is put at the end once.
 * @throws ServiceError LOGS_TOO_MANY
 */
export function decideAppend(stored: LogSnapshot, piece: LogPiece, logBytesMax: number): LogChange | undefined {
  if (stored.logCount >= LOGS_MAX) throw fail('LOGS_TOO_MANY');
  const log = piece.isRestart ? NOTHING : stored;
  const added = piece.isNote ? addNote(log, piece) : addText(log, piece);
  if (added === undefined) return undefined;
  const { bytes } = added;
  return {
    ...added,
    earlierAttempts: added.earlierAttempts.slice(-EARLIER_ATTEMPTS_MAX),
    isAtLineStart: bytes.byteLength === 0 ? log.isAtLineStart : bytes.at(-1) === LINE_FEED,
    isRestart: piece.isRestart,
    cut: cutRange(log.totalBytes + bytes.byteLength, logBytesMax),
  };
}

type Added = Pick<LogChange, 'attemptId' | 'receivedBytes' | 'earlierAttempts' | 'bytes'>;

function addNote(log: LogSnapshot, { attemptId: name, text }: LogPiece): Added | undefined {
  if (log.earlierAttempts.includes(name)) return undefined;
  const bytes = Buffer.concat([Buffer.from(log.isAtLineStart ? '' : '\n'), text]);
  const { attemptId, receivedBytes } = log;
  return { attemptId, receivedBytes, earlierAttempts: [...log.earlierAttempts, name], bytes };
}

function addText(log: LogSnapshot, { attemptId, offset, text }: LogPiece): Added | undefined {
  if (log.earlierAttempts.includes(attemptId)) return undefined;
  const isNewAttempt = log.attemptId !== attemptId;
  const receivedBytes = isNewAttempt ? 0 : log.receivedBytes;
  const end = offset + text.byteLength;
  if (!isNewAttempt && end <= receivedBytes) return undefined;
  const replaced = isNewAttempt && log.attemptId !== undefined ? [log.attemptId] : [];
  const lines = [
    ...replaced.map(() => `--- new attempt ${attemptId} ---\n`),
    ...(offset > receivedBytes ? [`--- ${offset - receivedBytes} bytes of this log did not arrive ---\n`] : []),
  ];
  const note = `${lines.length > 0 && !log.isAtLineStart ? '\n' : ''}${lines.join('')}`;
  const fresh = text.subarray(characterStart(text, Math.max(0, receivedBytes - offset)));
  const added = { attemptId, receivedBytes: end, earlierAttempts: [...log.earlierAttempts, ...replaced] };
  if (note !== '') return { ...added, bytes: Buffer.concat([Buffer.from(note), fresh]) };
  return { ...added, bytes: toBuffer(fresh) };
}

/** The same bytes, not a copy. */
const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Longest line that {@link readLog} puts in place of what was cut out. */
const CUT_LINE_BYTES_MAX = 100;

/** The part of a log of `totalBytes` that is cut out of its middle, so that at most `logBytesMax` are left. */
export function cutRange(totalBytes: number, logBytesMax: number): { from: number; to: number } | undefined {
  if (totalBytes <= logBytesMax) return undefined;
  const halfBytes = Math.floor((logBytesMax - CUT_LINE_BYTES_MAX) / 2);
  return { from: halfBytes, to: totalBytes - halfBytes };
}

/**
 * The text of a log: all of it, or its beginning, a line that says how much was cut out, and its end. Whole characters.
 * @param read - the text from one byte of the log up to, not including, another
 */
export async function* readLog(
  totalBytes: number,
  logBytesMax: number,
  read: (from: number, to: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const cut = cutRange(totalBytes, logBytesMax);
  if (cut === undefined) {
    yield* read(0, totalBytes);
    return;
  }
  let position = 0;
  let isAtLineStart = true;
  for await (const piece of read(0, cut.from)) {
    const isLast = position + piece.byteLength >= cut.from;
    const whole = isLast ? piece.subarray(0, wholeCharacters(piece)) : piece;
    position += whole.byteLength;
    isAtLineStart = whole.at(-1) === LINE_FEED;
    yield whole;
  }
  let isFirst = true;
  for await (const piece of read(cut.to, totalBytes)) {
    const start = isFirst ? characterStart(piece, 0) : 0;
    if (isFirst) {
      const leftOutBytes = cut.to + start - position;
      const line = `${isAtLineStart ? '' : '\n'}--- ${leftOutBytes} bytes of this log were left out here ---\n`;
      yield Buffer.from(line);
    }
    isFirst = false;
    yield piece.subarray(start);
  }
}

const LINE_FEED = 0x0a;
const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

/** First position at or after `from` at which a character begins, or the end. */
function characterStart(bytes: Uint8Array, from: number): number {
  let start = Math.min(from, bytes.byteLength);
  while (isContinuation(bytes[start])) start += 1;
  return start;
}

/** Length of the longest beginning of `bytes` that does not end inside a character (RFC 3629). */
function wholeCharacters(bytes: Uint8Array): number {
  let lead = bytes.byteLength - 1;
  while (lead >= 0 && isContinuation(bytes[lead])) lead -= 1;
  const first = bytes[lead] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return lead >= 0 && lead + length > bytes.byteLength ? lead : bytes.byteLength;
}
