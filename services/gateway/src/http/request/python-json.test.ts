import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parsePythonJson } from './python-json.js';

describe('JSON as Python writes it', () => {
  it.each([
    ['[1, NaN, Infinity, -Infinity]', [1, null, null, null]],
    ['NaN', null],
    ['{"a":NaN}', { a: null }],
    ['{"NaN":"-Infinity, NaN","b":[NaN]}', { NaN: '-Infinity, NaN', b: [null] }],
    ['["\\"NaN",NaN,"\\\\",Infinity]', ['"NaN', null, '\\', null]],
    ['[null, 1e400]', [null, Number.POSITIVE_INFINITY]],
  ])('%s', (text, expected) => {
    expect(parsePythonJson(text)).toEqual(expected);
  });

  it.each(['', '[1,]', '[NaN', '[1NaN]', '[NaN1]', '[NaNNaN]', '[-NaN]', '[+Infinity]', '[nan]', '{NaN:1}', '["NaN]'])(
    'is not %s',
    (text) => {
      expect(() => parsePythonJson(text)).toThrow('not valid JSON');
    },
  );

  it('is otherwise what JSON.parse sees, wherever such numbers stand', () => {
    const words = new Map(['NaN', 'Infinity', '-Infinity'].map((word, index) => [`\u0001${index}`, word]));
    const leaf = fc.oneof(fc.constantFrom(...words.keys()), fc.double({ noNaN: true, noDefaultInfinity: true }));
    const text = fc.string().filter((candidate) => !candidate.includes('\u0001'));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(leaf, text, fc.array(tie('value')), fc.dictionary(text, tie('value'))),
    }));
    fc.assert(
      fc.property(value, (given) => {
        let written = JSON.stringify(given);
        let expected = written;
        for (const [mark, word] of words) {
          written = written.replaceAll(JSON.stringify(mark), word);
          expected = expected.replaceAll(JSON.stringify(mark), 'null');
        }
        expect(parsePythonJson(written)).toEqual(JSON.parse(expected));
      }),
      { numRuns: 1_000 },
    );
  });
});
