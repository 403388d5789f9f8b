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
  readonly text: string;
}

/** What the store knows of a task's log when a piece comes in. */
export interface LogState {
  /** The attempt that may write; undefined: nothing has been written. */
  readonly attemptId: string | undefined;
  /** Bytes that have come in of the piece's attempt; undefined: it is new. */
  readonly receivedBytes: number | undefined;
  /** The last thing written was a line feed, or nothing has been written. */
  readonly isAtLineStart: boolean;
}

/** What a piece adds to the log of a task. */
export interface LogAppend {
  /** Whole UTF-8 characters. */
  readonly bytes: Buffer;
  /** Bytes of the attempt that have come in after this. */
  readonly receivedBytes: number;
}

/**
 * What a piece adds: nothing (undefined) if all of it is there already, or if its attempt has been replaced by a newer
 * one. A new attempt begins below a line that names it. Where text is missing before the piece, a line says how much.
 * A note is put at the end once.
 */
export function appendLog(state: LogState, piece: LogPiece): LogAppend | undefined {
  const text = Buffer.from(piece.text, 'utf8');
  const endOffset = piece.offset + text.byteLength;
  const isNewAttempt = state.receivedBytes === undefined;
  if (piece.isNote) {
    const bytes = Buffer.concat([Buffer.from(state.isAtLineStart ? '' : '\n'), text]);
    return isNewAttempt ? { bytes, receivedBytes: endOffset } : undefined;
  }
  if (!isNewAttempt && state.attemptId !== piece.attemptId) return undefined;
  const receivedBytes = state.receivedBytes ?? 0;
  if (!isNewAttempt && endOffset <= receivedBytes) return undefined;
  const isFirstOfTask = state.attemptId === undefined;
  const notes: string[] = [];
  if (isNewAttempt && !isFirstOfTask) notes.push(`--- new attempt ${piece.attemptId} ---`);
  if (piece.offset > receivedBytes)
    notes.push(`--- ${piece.offset - receivedBytes} bytes of this log did not arrive ---`);
  const note = notes.map((line) => `${line}\n`).join('');
  const lineFeed = note !== '' && !state.isAtLineStart ? '\n' : '';
  const fresh = text.subarray(characterStart(text, Math.max(0, receivedBytes - piece.offset)));
  return { bytes: Buffer.concat([Buffer.from(lineFeed + note, 'utf8'), fresh]), receivedBytes: endOffset };
}

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
 * @param read - the bytes from one position of the log up to, not including, another
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
      yield Buffer.from(`${isAtLineStart ? '' : '\n'}--- ${leftOutBytes} bytes of this log were left out here ---\n`);
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
