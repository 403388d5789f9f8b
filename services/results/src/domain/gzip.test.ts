import { constants, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { fail } from './errors.js';
import { GzipMember, gunzip } from './gzip.js';

async function* piecesOf(bytes: Buffer, pieceBytes: number) {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes);
}

describe('GzipMember', () => {
  it('makes one member of all that was written', async () => {
    const member = new GzipMember(1);
    const made: Buffer[] = [];
    for (let index = 0; index < 50; index += 1) made.push(...(await member.write(`${Math.sin(index)} `.repeat(1000))));
    made.push(...(await member.end()));
    const expected = Array.from({ length: 50 }, (_, index) => `${Math.sin(index)} `.repeat(1000)).join('');
    expect(gunzipSync(Buffer.concat(made)).toString()).toBe(expected);
  });
});

describe('a joinable GzipMember', () => {
  it.each([[], ['a'], ['{"values":[', '1.5,'.repeat(50_000), ']}']])(
    'says so in its header, and can be followed by more deflate data once its end is taken off: %#',
    async (...texts: string[]) => {
      const member = new GzipMember(1);
      const made: Buffer[] = [];
      for (const text of texts) made.push(...(await member.write(text)));
      made.push(...(await member.end()));
      const bytes = Buffer.concat(made);
      const text = texts.join('');
      expect(gunzipSync(bytes).toString()).toBe(text);
      expect(bytes.subarray(0, 16).toString('hex')).toBe('1f8b08040000000000ff0400544a0000');
      expect(bytes.subarray(-14, -8).toString('hex')).toBe('0000ffff0300'); // flush, then the final, empty block
      const open = bytes.subarray(16, -10);
      const twice = Buffer.concat([open, open, Buffer.from([3, 0])]);
      expect(inflateRawSync(twice, { finishFlush: constants.Z_FINISH }).toString()).toBe(text + text);
    },
  );
});

describe('gunzip', () => {
  it('gives back what was packed, in pieces that are no larger than asked', async () => {
    const text = Buffer.from('abc'.repeat(100_000));
    const pieces: Buffer[] = [];
    for await (const piece of gunzip(piecesOf(gzipSync(text), 100), 4096)) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(text)).toBe(true);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(4096);
  });

  it('fails as its source fails', async () => {
    const broken = async function* () {
      yield gzipSync(Buffer.alloc(100_000)).subarray(0, 20);
      throw fail('CHANGED_WHILE_READ');
    };
    const read = async () => {
      for await (const piece of gunzip(broken(), 4096)) expect(piece.length).toBeGreaterThan(0);
    };
    await expect(read()).rejects.toMatchObject({ reason: 'CHANGED_WHILE_READ' });
  });
});
