import { describe, expect, it } from '@jest/globals';
import { joinPieces } from './join-pieces.js';

const pieceOf = (bytes: number, index: number) => Buffer.alloc(bytes, index % 251);

describe('joinPieces', () => {
  it.each([
    { what: 'none', pieces: [] },
    { what: 'a few', pieces: [Buffer.from('{"a"'), Buffer.from(''), Buffer.from(':1}')] },
    { what: 'many', pieces: Array.from({ length: 100 }, (_, i) => pieceOf(65_536 + i, i)) },
    { what: 'large ones', pieces: [pieceOf(3_000_000, 1), pieceOf(1, 2), pieceOf(2_000_000, 3)] },
  ])('gives the bytes of $what, and empties the list', async ({ pieces }) => {
    const expected = Buffer.concat(pieces);
    expect((await joinPieces(pieces)).equals(expected)).toBe(true);
    expect(pieces).toEqual([]);
  });

  it('lets others go on between', async () => {
    let [turns, isOver] = [0, false];
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await joinPieces(Array.from({ length: 160 }, (_, i) => pieceOf(65_536, i)));
    isOver = true;
    expect(turns).toBeGreaterThanOrEqual(9);
  });
});
