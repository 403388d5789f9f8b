import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { quoteArgv } from './quote-argv.js';

const HOSTILE = [
  `a'b`,
  `'; touch /tmp/canary; '`,
  '$(touch /tmp/canary)',
  '`id`',
  '-rf',
  '',
  ' ',
  '*',
  '~root',
  'a\\',
  '"$HOME"',
  '!!',
  'é🙂',
  'x'.repeat(10_000),
];

function readBack(argv: readonly string[]): string[] {
  const out = execFileSync('/bin/sh', ['-c', `printf '%s\\0' ${quoteArgv(argv)}`], { encoding: 'utf8' });
  return out.split('\0').slice(0, -1);
}

describe('quoteArgv', () => {
  it('gives the shell exactly the words, whatever they hold', () => {
    expect(readBack(HOSTILE)).toEqual(HOSTILE);
  });

  it('does so for any text without control characters', () => {
    const word = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (argv) => {
        expect(readBack(argv)).toEqual(argv);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['a\nb', 'a\0b', '\u001b[0m', '\r', '\ud800'])('refuses %j', (word) => {
    expect(() => quoteArgv([word])).toThrow(RangeError);
  });
});
