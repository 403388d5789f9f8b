import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutRange, decideAppend, type LogPiece, type LogSnapshot, readLog } from './logfile.js';

const LOG_BYTES_MAX = 1e6;
const piece = (text: string, offset = 0, attemptId = 'a'): LogPiece => ({
  jobId: 'j',
  key: { taskId: 1 },
  attemptId,
  offset,
  text: Buffer.from(text),
  isRestart: false,
  isNote: false,
});
const log = (fields: Partial<LogSnapshot> = {}): LogSnapshot => ({
  logCount: 0,
  attemptId: 'a',
  receivedBytes: 0,
  earlierAttempts: [],
  totalBytes: 0,
  isAtLineStart: true,
  ...fields,
});
const decide = (stored: LogSnapshot, sent: LogPiece) => decideAppend(stored, sent, LOG_BYTES_MAX);
const textOf = (stored: LogSnapshot, sent: LogPiece) => decide(stored, sent)?.bytes.toString();

/** Reads a log held in memory in pieces of `pieceBytes` whole characters or fewer bytes. */
async function cutText(text: string, logBytesMax: number, pieceBytes: number): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const read = async function* (from: number, to: number) {
    for (let next = from; next < to; next += pieceBytes) {
      yield bytes.subarray(next, Math.min(next + pieceBytes, to));
    }
  };
  const pieces: Uint8Array[] = [];
  for await (const part of readLog(bytes.length, logBytesMax, read)) pieces.push(part);
  return Buffer.concat(pieces);
}

describe('a piece of a log', () => {
  it('puts a log together from pieces that repeat and overlap at random', () => {
    const sends = fc.array(fc.tuple(fc.nat(40), fc.integer({ min: 1, max: 12 })), { maxLength: 30 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), sends, (text, cuts) => {
        const characters = Array.from(text);
        const byteAt = (index: number) => Buffer.byteLength(characters.slice(0, index).join(''));
        let stored = '';
        let next = 0; // first character that has not come in
        for (const [start, count] of cuts) {
          const begin = start % (next + 1);
          const sent = characters.slice(begin, begin + count).join('');
          const added = decide(log({ receivedBytes: byteAt(next) }), piece(sent, byteAt(begin)));
          stored += added?.bytes.toString() ?? '';
          next = Math.max(next, Math.min(begin + count, characters.length));
          expect(added?.receivedBytes ?? byteAt(next)).toBe(byteAt(next));
        }
        expect(stored).toBe(characters.slice(0, next).join(''));
      }),
    );
  });

  it('adds nothing for what is there, or from an attempt that has been replaced', () => {
    expect(decide(log({ receivedBytes: 3 }), piece('abc'))).toBeUndefined();
    expect(decide(log({ receivedBytes: 3 }), piece('', 1))).toBeUndefined();
    expect(decide(log({ attemptId: 'b', earlierAttempts: ['a'] }), piece('more', 3))).toBeUndefined();
  });

  it('names a new attempt on a line of its own, and remembers the one before it', () => {
    const added = (fields: Partial<LogSnapshot>) => decide(log(fields), piece('x', 0, 'b'));
    expect(added({})).toMatchObject({ attemptId: 'b', receivedBytes: 1, earlierAttempts: ['a'], isAtLineStart: false });
    expect(added({})?.bytes.toString()).toBe('--- new attempt b ---\nx');
    expect(added({ isAtLineStart: false })?.bytes.toString()).toBe('\n--- new attempt b ---\nx');
    expect(added({ attemptId: undefined })?.bytes.toString()).toBe('x');
  });

  it('says how much is missing before it', () => {
    expect(textOf(log({ receivedBytes: 3 }), piece('xyz\n', 10))).toBe(
      '--- 7 bytes of this log did not arrive ---\nxyz\n',
    );
  });

  it('that is a note is put on a line of its own, once, whoever writes the log', () => {
    const note = { ...piece('dropped\n', 0, 'late:1'), isNote: true };
    expect(textOf(log(), note)).toBe('dropped\n');
    expect(textOf(log({ isAtLineStart: false }), note)).toBe('\ndropped\n');
    expect(decide(log({ receivedBytes: 5 }), note)).toMatchObject({ attemptId: 'a', receivedBytes: 5 });
    expect(decide(log({ earlierAttempts: ['late:1'] }), note)).toBeUndefined();
  });

  it('begins the log anew, whatever there was', () => {
    const stored = log({ attemptId: 'b', earlierAttempts: ['a'], totalBytes: 7, isAtLineStart: false });
    const restart = decide(stored, { ...piece('whole'), isRestart: true });
    expect(restart).toMatchObject({ attemptId: 'a', receivedBytes: 5, earlierAttempts: [], isRestart: true });
    expect(restart?.bytes.toString()).toBe('whole');
  });

  it('is refused when it would begin one log more than a job may have', () => {
    expect(() => decide(log({ logCount: 10_000 }), piece('x'))).toThrow(
      expect.objectContaining({ reason: 'LOGS_TOO_MANY' }),
    );
  });

  it('has the middle cut out when the log grows too long', () => {
    expect(decide(log({ totalBytes: LOG_BYTES_MAX }), piece('x'))?.cut).toEqual(
      cutRange(LOG_BYTES_MAX + 1, LOG_BYTES_MAX),
    );
    expect(decide(log({ totalBytes: LOG_BYTES_MAX - 1 }), piece('x'))?.cut).toBeUndefined();
  });
});

describe('readLog', () => {
  it('gives at most the limit, whole characters, the true beginning and end, however it is read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 64 }),
        async (text, pieceBytes) => {
          const cut = await cutText(text, 200, pieceBytes);
          const shown = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(cut);
          expect(cut.length).toBeLessThanOrEqual(200);
          if (Buffer.byteLength(text) <= 200) return expect(shown).toBe(text);
          const match = /^([^]*?)\n?--- (\d+) bytes of this log were left out here ---\n([^]*)$/.exec(shown);
          expect(text.startsWith(match?.[1] ?? '?')).toBe(true);
          expect(text.endsWith(match?.[3] ?? '?')).toBe(true);
        },
      ),
    );
  });

  it('cuts nothing out of a log that fits exactly', () => {
    expect(cutRange(1000, 1000)).toBeUndefined();
    expect(cutRange(1001, 1000)).toEqual({ from: 450, to: 551 });
  });
});
