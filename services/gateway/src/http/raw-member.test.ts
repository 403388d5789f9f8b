import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rawMember } from './raw-member.js';

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
  ])('of %s is %s', (text, expected) => {
    expect(rawMember(text, 'a')).toBe(expected);
  });

  it('reads back as what JSON.parse sees, for every object and every way to write it', () => {
    const written = fc.tuple(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 1, '\t', ' \n'));
    fc.assert(
      fc.property(written, ([value, indent]) => {
        const text = JSON.stringify(value, undefined, indent);
        const parsed = JSON.parse(text) as Record<string, unknown>;
        for (const name of Object.keys(parsed)) {
          const raw = rawMember(text, name);
          expect(raw === undefined ? undefined : JSON.parse(raw)).toEqual(parsed[name]);
        }
        expect(rawMember(text, 'no such name in there')).toBe(parsed['no such name in there']);
      }),
      { numRuns: 2_000, seed: 4_711 },
    );
  });

  it('is refused when it is nested more than 500 levels deep, without recursion', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(rawMember(nested(500), 'a')).toHaveLength(1_000);
    expect(() => rawMember(nested(501), 'a')).toThrow('nested too deeply');
    expect(() => rawMember(nested(1_000_000), 'b')).toThrow('nested too deeply');
  });
});
