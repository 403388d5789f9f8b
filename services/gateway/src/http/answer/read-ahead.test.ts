import { describe, expect, it } from '@jest/globals';
import { readAhead } from './read-ahead.js';

const log: string[] = [];
async function* parts(count: number, breaksAt = Number.POSITIVE_INFINITY): AsyncGenerator<string> {
  try {
    for (let i = 0; i < count; i++) {
      if (i === breaksAt) throw new Error('gone');
      log.push(`made ${i}`);
      yield `${i}..`;
    }
  } finally {
    log.push('closed');
  }
}
async function collect(source: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of source) text += part;
  return text;
}

describe('a stream whose beginning was read', () => {
  it('is the same stream, however much was read of it', async () => {
    for (const lengthMin of [0, 1, 4, 9, 1_000]) {
      expect(await collect(await readAhead(parts(5), lengthMin))).toBe('0..1..2..3..4..');
      expect(await collect(await readAhead(parts(0), lengthMin))).toBe('');
    }
  });

  it('fails before it is given away when it breaks off at its beginning, later when it breaks off later', async () => {
    await expect(readAhead(parts(5, 2), 7)).rejects.toThrow('gone');
    const stream = await readAhead(parts(5, 3), 7);
    await expect(collect(stream)).rejects.toThrow('gone');
  });

  it('is read no further than it must, and closed when nobody reads on', async () => {
    log.length = 0;
    const stream = await readAhead(parts(5), 4);
    expect(log).toEqual(['made 0', 'made 1']);
    for await (const _part of stream) break;
    expect(log).toEqual(['made 0', 'made 1', 'closed']);
  });
});
