import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { GrowingRun } from './growing-run.js';

const LARGE = 3_000_000;

/** Numbers that tell their places, from a number on. */
const ordinals = (from: number, count: number) => Float64Array.from({ length: count }, (_, i) => from + i);

describe('a run of numbers that grows', () => {
  it('has the numbers of all lists in turn, whatever their lengths', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(300), { maxLength: 60 }), (lengths) => {
        const run = new GrowingRun(20_000);
        const lists = lengths.map((length, i) => ordinals(1_000 * i, length));
        for (const list of lists) run.add(list);
        expect([...run.numbers()]).toEqual(lists.flatMap((list) => [...list]));
      }),
    );
  });

  it('may be large, and be as long as it may become', () => {
    const run = new GrowingRun(LARGE);
    for (let from = 0; from < LARGE; from += 3_000) run.add(ordinals(from, 3_000));
    const numbers = run.numbers();
    expect(numbers).toHaveLength(LARGE);
    expect(numbers.every((value, i) => value === i)).toBe(true);
  });

  it('stays where it is while it is large, and goes to a thread with its memory', () => {
    const run = new GrowingRun(LARGE);
    run.add(ordinals(0, 1_500_000));
    const early = run.numbers();
    run.add(ordinals(1_500_000, 1_500_000));
    const numbers = run.numbers();
    expect(numbers.buffer).toBe(early.buffer);
    const sent = structuredClone(numbers, { transfer: [numbers.buffer as ArrayBuffer] });
    expect(sent).toHaveLength(LARGE);
    expect(sent.at(-1)).toBe(LARGE - 1);
    expect(numbers).toHaveLength(0);
  });
});
