import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const find = (text: string, name = 'beam.dat') => findForeign({ 'sobp.dat': '/etc/passwd', [name]: text });

describe('a deck of simA', () => {
  it.each([
    ['USECBEAM /etc/passwd', /^USECBEAM names \/etc\/passwd: only files of the deck/],
    ['  Filename ../../other/out.bdo', /^Filename names \.\.\/\.\.\/other/],
    ['USECBEAM "~/secret"', /names ~\/secret/],
    ['USEBMOD 1 sub/../../x', /names sub\/\.\.\/\.\.\/x/],
    ['USECBEAM a*/../../x', /names a\*\/\.\.\/\.\.\/x/],
    ['USECBEAM a#/../../x', /names a#\/\.\.\/\.\.\/x/],
  ])('is refused for %j', (text, message) => {
    const line = { file: 'beam.dat', line: 2, message: expect.stringMatching(message) };
    expect(find(`NSTAT 10\n${text}`)).toEqual([line]);
  });

  it.each(['USECBEAM sobp.dat ! from /home/me/plan', '  Filename out.bdo', '# /etc/passwd', '  2  3.5 4e-3'])(
    'is taken with %j',
    (text) => {
      expect(find(text)).toEqual([]);
    },
  );
});
