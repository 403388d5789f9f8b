import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const DECK = { 'a.inp': '', 'geo.dat': '' };
const find = (text: string, name = 'a.inp') => findForeign(name, text.split('\n'), DECK);

describe('a deck of simB', () => {
  it.each([
    ['MYFILE /etc/passwd', /names \/etc\/passwd/],
    ['SOURCE          1.0', /^SOURCE calls a user routine/],
    ['USRICALL, 1.0', /^USRICALL calls/],
    ['usrocall', /^USROCALL calls/],
    ['#include /etc/passwd', /^#include names \/etc\/passwd, which is not in the deck/],
    ['#include "missing.inp"', /missing\.inp, which is not in the deck/],
    ['LOW-MAT  ../x', /^LOW-MAT names \.\.\/x/],
  ])('is refused for %j', (text, message) => {
    expect(find(`START 10.\n${text}`)).toEqual([{ line: 2, message: expect.stringMatching(message) }]);
  });

  it.each([
    '* SOURCE /etc/passwd',
    'TITLE\nSOURCE of /etc/passwd',
    'OPEN  46. OLD\ngeo.dat',
    'OPEN  46. SCRATCH\nSTART 10.',
    '#include geo.dat',
    'region1 5 +fig0 | -fig1',
  ])('is taken with %j', (text) => {
    expect(find(text)).toEqual([]);
  });

  it.each(['/tmp/out', '../out', '$HOME/out', '-x'])('is refused for an OPEN of %j', (file) => {
    const lines = find(`START 10.\nOPEN  46. OLD\n${file}`);
    expect(lines).toEqual([{ line: 3, message: expect.stringContaining(`OPEN names ${file}`) }]);
  });

  it.each(['source.f', 'routine.F', 'lib.so', 'run.sh'])('is refused for a file %s', (name) => {
    expect(find('', name)).toEqual([{ line: 1, message: expect.stringMatching(/^user routines/) }]);
  });
});
