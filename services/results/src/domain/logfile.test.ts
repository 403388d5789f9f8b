import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendLog, cutRange, type LogState, readLog } from './logfile.js';

const piece = (text: string, offset = 0, attemptId = 'a') => ({
  jobId: 'j',
  key: { taskId: 1 },
  attemptId,
  offset,
  text,
  isRestart: false,
  isNote: false,
});
const state = (fields: Partial<LogState> = {}): LogState => ({
  attemptId: 'a',
  receivedBytes: 0,
  isAtLineStart: true,
  ...fields,
});

/** Reads a log held in memory in pieces of `pieceBytes` whole characters or fewer bytes. */
async function cutText(text: string, logBytesMax: number, pieceBytes: number): Promise<Buffer> {
  const bytes = Buffer.from(text);
  const read = async function* (from: number, to: number) {
    for (let next = from; next < to; next += pieceBytes) yield bytes.subarray(next, Math.min(next + pieceBytes, to));
  };
  const pieces: Uint8Array[] = [];
  for await (const part of readLog(bytes.length, logBytesMax, read)) pieces.push(part);
  return Buffer.concat(pieces);
}

describe('appendLog', () => {
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
          const added = appendLog(state({ receivedBytes: byteAt(next) }), piece(sent, byteAt(begin)));
          stored += added?.bytes.toString() ?? '';
          next = Math.max(next, Math.min(begin + count, characters.length));
          expect(added?.receivedBytes ?? byteAt(next)).toBe(byteAt(next));
        }
        expect(stored).toBe(characters.slice(0, next).join(''));
      }),
    );
  });

  it('adds nothing for what is there, or from an attempt that has been replaced', () => {
    expect(appendLog(state({ receivedBytes: 3 }), piece('abc'))).toBeUndefined();
    expect(appendLog(state({ receivedBytes: 3 }), piece('', 1))).toBeUndefined();
    expect(appendLog(state({ attemptId: 'b', receivedBytes: 3 }), piece('more', 3))).toBeUndefined();
  });

  it('names a new attempt on a line of its own', () => {
    const added = (fields: Partial<LogState>) =>
      appendLog(state({ receivedBytes: undefined, ...fields }), piece('x', 0, 'b'))?.bytes.toString();
    expect(added({})).toBe('--- new attempt b ---\nx');
    expect(added({ isAtLineStart: false })).toBe('\n--- new attempt b ---\nx');
    expect(added({ attemptId: undefined })).toBe('x');
  });

  it('puts a note on a line of its own, once, whoever writes the log', () => {
    const note = { ...piece('dropped\n', 0, 'late:1'), isNote: true };
    const added = (fields: Partial<LogState>) => appendLog(state({ receivedBytes: undefined, ...fields }), note);
    expect(added({})?.bytes.toString()).toBe('dropped\n');
    expect(added({ isAtLineStart: false })?.bytes.toString()).toBe('\ndropped\n');
    expect(added({ receivedBytes: 8 })).toBeUndefined();
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
