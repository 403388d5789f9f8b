import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonScanner } from './json-scanner.js';

const MANY = { keysMax: 1_000_000, valuesMax: 1_000_000 };

/** Scans a text in pieces of this size; the members with their texts. */
function scan(text: string, pieceBytes = 1_000_000, limits = MANY): Map<string, string> {
  const bytes = Buffer.from(text);
  const scanner = new JsonScanner(limits);
  for (let at = 0; at < bytes.length; at += pieceBytes) scanner.push(bytes.subarray(at, at + pieceBytes));
  return new Map([...scanner.members(bytes)].map(([name, member]) => [name, member.toString()]));
}

describe('the text of a member', () => {
  it.each([
    ['{"a":1}', '1'],
    ['{"a":1.000000000000000000001e+400}', '1.000000000000000000001e+400'],
    ['{ "b" : {"a":2} ,\n\t"a" : [ {"x":"]}"} , 3 ] }', '[ {"x":"]}"} , 3 ]'],
    ['{"b":"\\"a\\":1,\\\\","a":"x\\\\"}', '"x\\\\"'],
    ['{"\\u0061":null}', 'null'],
    ['{"a":1,"b":2,"a":{}}', '{}'],
    ['{"a":true\n}', 'true'],
    ['{"b":{"a":1}}', undefined],
    ['{}', undefined],
    [' {"a":""} ', '""'],
    [`{"a":"${'x'.repeat(100)}\\"${'y'.repeat(50)}\\\\"}`, `"${'x'.repeat(100)}\\"${'y'.repeat(50)}\\\\"`],
  ])('of %s is %s, in whatever pieces it comes', (text, expected) => {
    for (const size of [1, 2, 3, 7, 1_000]) expect(scan(text, size).get('a')).toBe(expected);
  });

  it.each([
    '',
    '{',
    '{"a"',
    '{"a":',
    '{"a":{',
    '{"a":1,}',
    '{"a":1}}',
    '{a:1}',
    '{"a":1 "b":2}',
    '{"a":"',
    '{"\\x":1}',
    '{"a":}',
    '{"a":,"b":1}',
    '{"a"::1}',
    '{,}',
  ])('is not found in %s: it is no object', (text) => {
    expect(() => scan(text)).toThrow('not valid JSON');
    expect(() => scan(text, 1)).toThrow('not valid JSON');
  });

  it.each(['[]', 'x', '"a"'])('is not found in %s: it is something else', (text) => {
    expect(() => scan(text)).toThrow('must be a JSON object');
  });

  it('is what JSON.parse finds, for any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.integer({ min: 1, max: 50 }), (object, size) => {
        const found = [...scan(JSON.stringify(object), size)].map(([name, text]) => [
          name,
          JSON.parse(text) as unknown,
        ]);
        expect(found).toEqual(Object.entries(JSON.parse(JSON.stringify(object)) as object));
      }),
    );
  });

  it('is known as soon as it is whole', () => {
    const scanner = new JsonScanner(MANY);
    const text = Buffer.from('{"id":"j","key":12,"n":3');
    scanner.push(text);
    expect([...scanner.membersSoFar(text).keys()]).toEqual(['id', 'key']);
  });
});

describe('a body is refused while it arrives', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  it('when it is nested more than 500 levels deep', () => {
    expect(scan(nested(500)).get('a')).toHaveLength(1_000);
    expect(() => scan(nested(501))).toThrow('nested too deeply');
    expect(() => scan('{"a":'.repeat(1_000_000))).toThrow('nested too deeply');
  });

  it('when it has too many members or values, wherever they are', () => {
    const limits = { keysMax: 10, valuesMax: 20 };
    const keys = (count: number) => `{"a":{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}}`;
    expect(scan(keys(9), 5, limits).size).toBe(1);
    expect(() => scan(keys(10), 5, limits)).toThrow('at most 10 members of objects');
    expect(() => scan(`{"a":[${'1,'.repeat(20)}`, 5, limits)).toThrow('at most 20 values');
    expect(() => scan(`{"a":[${'[],'.repeat(10)}`, 5, limits)).toThrow('at most 20 values');
  });
});
