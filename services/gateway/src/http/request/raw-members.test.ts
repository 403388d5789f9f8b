import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rawElements, rawMembers } from './raw-members.js';

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
    expect(rawMembers(text).get('a')).toBe(expected);
  });

  it.each([
    '',
    '[]',
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
  ])('is not found in %s: it is no object', (text) => {
    expect(() => rawMembers(text)).toThrow('not valid JSON');
  });

  it('is refused when it is nested more than 500 levels deep, without recursion', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(rawMembers(nested(500)).get('a')).toHaveLength(1_000);
    expect(() => rawMembers(nested(501))).toThrow('nested too deeply');
    expect(() => rawMembers(nested(1_000_000))).toThrow('nested too deeply');
  });
});

describe('the text of an element', () => {
  it.each([
    ['[]', []],
    [' [ 1 , "]" ,{"a":[2]}\n] ', ['1', '"]"', '{"a":[2]}']],
    [`[[${'1.5,'.repeat(100)}2],"x"]`, [`[${'1.5,'.repeat(100)}2]`, '"x"']],
    [`[[${' '.repeat(200)}],[NaN,-Infinity]]`, [`[${' '.repeat(200)}]`, '[NaN,-Infinity]']],
  ])('of %s is as it was written', (text, expected) => {
    expect(rawElements(text)).toEqual(expected);
  });

  it.each([
    '',
    '{}',
    '[',
    '[1',
    '[1,]',
    '[1,,2]',
    '[,]',
    '[1]]',
    '[1 2]',
    `[[${'1,'.repeat(100)}`,
    `["${'x'.repeat(100)}]`,
  ])('is not found in %s: it is no list', (text) => {
    expect(() => rawElements(text)).toThrow('not valid JSON');
  });

  it('is what JSON.parse sees, also behind long runs without a quote or bracket', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(value), fc.constantFrom(undefined, 1, ' '.repeat(10)), (list, spaces) => {
        const text = JSON.stringify(list, undefined, spaces);
        expect(rawElements(text).map((raw) => JSON.parse(raw) as unknown)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** Parses by way of the members; undefined for what is not JSON. */
function parseByMembers(text: string): unknown {
  try {
    return Object.fromEntries([...rawMembers(text)].map(([name, raw]) => [name, JSON.parse(raw) as unknown]));
  } catch {
    return undefined;
  }
}

function parseWhole(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

describe('members, each parsed by itself,', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue());
  const indent = fc.constantFrom(undefined, 1, '\t', ' \n');

  it('are what JSON.parse sees, for every object and every way to write it', () => {
    fc.assert(
      fc.property(value, indent, (object, spaces) => {
        const text = JSON.stringify(object, undefined, spaces);
        expect(parseByMembers(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are refused exactly when JSON.parse refuses, for texts with a damaged place', () => {
    const sign = fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', ' ', '1', 'x', '');
    fc.assert(
      fc.property(value, indent, fc.nat(), sign, (object, spaces, place, put) => {
        const whole = JSON.stringify(object, undefined, spaces);
        const at = place % (whole.length + 1);
        const text = whole.slice(0, at) + put + whole.slice(at + 1);
        expect(parseByMembers(text)).toEqual(parseWhole(text));
      }),
      { numRuns: 5_000 },
    );
  });
});
