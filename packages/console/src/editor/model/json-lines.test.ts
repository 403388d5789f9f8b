import { describe, expect, it } from '@jest/globals';
import { lineOf, whereNotJson } from './json-lines.js';

const text = JSON.stringify({ a: { list: [1, { b: 2, deep: { b: 3 } }], b: 4 }, 'c/d': [] }, null, 2);

describe('a place in JSON', () => {
  it.each([
    ['', 1],
    ['/a/list/0', 4],
    ['/a/list/1/b', 6],
    ['/a/list/1/deep/b', 8],
    ['/a/b', 12],
    ['/c~1d', 14],
    ['/a/list/1/missing', 5],
    ['/a/list/7', 3],
  ])('%s is at line %d', (pointer, line) => {
    expect(lineOf(text, pointer)).toBe(line);
  });

  it('that is no JSON is found by what the browser says', () => {
    const broken = '{\n  "a": 1,\n  "b"\n}';
    let message = '';
    try {
      JSON.parse(broken);
    } catch (err) {
      message = String(err);
    }
    expect(whereNotJson(broken, message)).toBeGreaterThanOrEqual(3);
  });
});
