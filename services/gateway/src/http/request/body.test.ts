import { describe, expect, it } from '@jest/globals';
import { parseBody } from './body.js';
import { JsonScanner } from './json-scanner.js';

/** A body with raw members. */
function parse(text: string, members: readonly string[]) {
  const scanner = new JsonScanner({ keysMax: 1_000_000, valuesMax: 1_000_000 });
  const bytes = Buffer.from(text);
  scanner.push(bytes);
  return parseBody(bytes, scanner, { members, texts: [] });
}

describe('a JSON body', () => {
  it('is parsed, but for the members that only the service reads', () => {
    const text = '{ "a": 1.0, "__proto__": {"b": 2}, "data": { "n": 1.00, x }, "data2": [1] }';
    const body = parse(text, ['data', 'data2', 'data3']);
    expect(Object.entries(body.value)).toEqual([
      ['a', 1],
      ['__proto__', { b: 2 }],
      ['data', {}],
      ['data2', []],
    ]);
    expect([...body.raw].map(([name, text]) => [name, text.toString()])).toEqual([
      ['data', '{ "n": 1.00, x }'],
      ['data2', '[1]'],
    ]);
  });

  it('may be large only in what is not read here, and has few members', () => {
    const large = `{"x":"${'x'.repeat(1_000_000)}"}`;
    expect(parse(`{"data":${large},"a":1}`, ['data']).value).toEqual({ data: {}, a: 1 });
    expect(() => parse(`{"other":${large}}`, ['data'])).toThrow('Only data may be larger');
    expect(parse(`{"data":[${large}]}`, ['data']).value).toEqual({ data: [] });
    const text = `{"data":"${'x'.repeat(1_000_001)}"}`;
    expect(() => parse(text, ['data'])).toThrow('Only data may be larger');
    const many = `{${'"a":1,'.repeat(1_000)}"a":1}`;
    expect(() => parse(many, ['data'])).toThrow('too many members');
  });

  it.each(['', '{', '[1]', 'null', '"x"', '{"a":01}', '{"a":1,}', '{"a":NaN}'])('is no %j', (text) => {
    expect(() => parse(text, [])).toThrow();
    expect(() => parse(text, ['data'])).toThrow();
  });
});
