import { describe, expect, it } from '@jest/globals';
import { PollLines } from './poll-lines.js';

describe('lines of polls', () => {
  it('come at first and every ten seconds, and tell how many they stand for', () => {
    const polls = new PollLines();
    const seen = Array.from({ length: 25 }, (_, second) => polls.count(7n, '/jobs/direct', 1_000 * second));
    expect(seen.flatMap((left, second) => (left === undefined ? [] : [[second, left]]))).toEqual([
      [0, 0],
      [10, 9],
      [20, 9],
    ]);
  });

  it('are counted for each user and route', () => {
    const polls = new PollLines();
    expect(polls.count(7n, '/jobs/direct', 0)).toBe(0);
    expect(polls.count(8n, '/jobs/direct', 1)).toBe(0);
    expect(polls.count(7n, '/results', 2)).toBe(0);
    expect(polls.count(7n, '/jobs/direct', 3)).toBeUndefined();
  });
});
