import { describe, expect, it } from '@jest/globals';
import { createLineTail } from './line-tail.js';

describe('the tail of a text', () => {
  it('keeps the last lines that are not blank', () => {
    const tail = createLineTail(3, 100);
    for (const line of ['a', 'b', '  ', 'c', 'd ']) tail.add(line);
    expect(tail.lines()).toEqual(['b', 'c', 'd']);
  });

  it('keeps the newest when there is no room for all', () => {
    const tail = createLineTail(10, 10);
    for (const line of ['aaaa', 'bbbb', 'cccc']) tail.add(line);
    expect(tail.lines()).toEqual(['bbbb', 'cccc']);
    tail.add('x'.repeat(50));
    expect(tail.lines()).toEqual(['x'.repeat(10)]);
  });
});
