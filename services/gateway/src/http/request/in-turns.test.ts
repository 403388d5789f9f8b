import { describe, expect, it } from '@jest/globals';
import { inTurns } from './in-turns.js';

/** Whether a turn of the event loop passed after each piece, before the source was asked on. */
async function turnsBetween(lengths: readonly number[]): Promise<boolean[]> {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const seen: number[] = [];
  const source = async function* () {
    for (const length of lengths) {
      seen.push(turns);
      yield Buffer.alloc(length);
    }
    seen.push(turns);
  };
  const read: number[] = [];
  for await (const { length } of inTurns(source())) read.push(length);
  isOver = true;
  expect(read).toEqual(lengths);
  return seen.slice(1).map((turn, index) => turn > (seen[index] ?? 0));
}

describe('inTurns', () => {
  it('lets others be served after each long piece, and after many short ones', async () => {
    expect(await turnsBetween([65_536, 262_144, 65_534, 1, 1, 65_535])).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  it('ends its source when nobody reads on', async () => {
    let isEnded = false;
    const source = async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536);
      } finally {
        isEnded = true;
      }
    };
    for await (const piece of inTurns(source())) {
      expect(piece).toHaveLength(65_536);
      break;
    }
    expect(isEnded).toBe(true);
  });
});
