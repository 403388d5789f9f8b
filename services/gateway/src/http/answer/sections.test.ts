import { describe, expect, it } from '@jest/globals';
import { jsonStringOf, textMembers } from './json-text.js';
import { type StreamPart, sections } from './sections.js';

async function* partsOf(parts: readonly (string | Uint8Array)[], onEnd = () => {}) {
  try {
    for (const part of parts) yield typeof part === 'string' ? { start: part } : { chunk: part };
  } finally {
    onEnd();
  }
}
const collect = async (pieces: AsyncIterable<string | Uint8Array>) => {
  const bytes: Uint8Array[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece));
  return Buffer.concat(bytes).toString();
};
const textOf = (parts: readonly (string | Uint8Array)[]) =>
  collect(textMembers(sections(partsOf(parts) as AsyncIterator<StreamPart<string>>), (key) => key));

describe('sections of a stream', () => {
  it('become members of an object, empty ones too', async () => {
    expect(await textOf([])).toBe('{}');
    expect(await textOf(['a', Buffer.from('x'), Buffer.from('y'), 'b', 'c"', Buffer.from('z')])).toBe(
      '{"a":"xy","b":"","c\\"":"z"}',
    );
  });

  it('may be skipped', async () => {
    const seen: string[] = [];
    for await (const { start } of sections(
      partsOf(['a', Buffer.of(1), 'b', Buffer.of(2)]) as AsyncIterator<StreamPart<string>>,
    )) {
      seen.push(start);
    }
    expect(seen).toEqual(['a', 'b']);
  });

  it('close the stream when the reader stops early', async () => {
    let isClosed = false;
    const parts = partsOf(['a', Buffer.of(1), 'b'], () => {
      isClosed = true;
    });
    for await (const _section of sections(parts as AsyncIterator<StreamPart<string>>)) break;
    expect(isClosed).toBe(true);
  });

  it('must be started', async () => {
    await expect(textOf([Buffer.of(1)])).rejects.toThrow('before anything was started');
  });
});

describe('text in pieces', () => {
  it('reads back the same, wherever its bytes are cut', async () => {
    const text = 'a"\\\u0000\u001f\u2028é🎯\r\n'.repeat(3);
    const bytes = Buffer.from(text);
    for (let size = 1; size < 7; size++) {
      const chunks = async function* () {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      };
      expect(JSON.parse(`"${await collect(jsonStringOf(chunks()))}"`)).toBe(text);
    }
  });
});
