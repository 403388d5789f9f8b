import { describe, expect, it } from '@jest/globals';
import { findForeign } from './find-foreign.js';

const find = (text: string, others = {}) => findForeign({ 'a.inp': text, 'geo.dat': '', ...others });

describe('a deck of simB', () => {
  it.each([
    ['MYFILE /etc/passwd', /names \/etc\/passwd/],
    ['SOURCE          1.0', /^SOURCE calls a user routine/],
    ['USRICALL, 1.0', /^USRICALL calls/],
    ['usrocall', /^USROCALL calls/],
    ['#include /etc/passwd', /^#include names \/etc\/passwd, which is not in the deck/],
    ['#include "missing.inp"', /missing\.inp, which is not in the deck/],
    ['LOW-MAT  ../x', /^LOW-MAT names \.\.\/x/],
    ['USRICALLS', /^USRICALL calls/],
    ['  # include "../x"', /^#include names \.\.\/x/],
    ['#INCLUDE <missing.inp>', /missing\.inp/],
  ])('is refused for %j', (text, message) => {
    const line = { file: 'a.inp', line: 2, message: expect.stringMatching(message) };
    expect(find(`START 10.\n${text}`)).toEqual([line]);
  });

  it('is refused for what an included file has', () => {
    expect(find('#include geo.dat\nSTART 10.', { 'geo.dat': '* more\nSOURCE 1.' })).toEqual([
      { file: 'geo.dat', line: 2, message: expect.stringMatching(/^SOURCE calls/) },
    ]);
    expect(() => find('#include geo.dat', { 'geo.dat': '#include geo.dat' })).toThrow(/geo\.dat includes itself/);
  });

  it('may call regions as it likes, and names no files between GEOBEGIN and GEOEND', () => {
    const geometry = 'GEOBEGIN\n    0    0\nEND\nSOURCE 5 +a\nOPEN 5 -a +b\nSTART 5 -b\nUSERWEIG 5 +b\nEND\nGEOEND';
    expect(find(`${geometry}\nSTART 10.`)).toEqual([]);
    expect(find('GEOBEGIN  0. 0. 20.\n/etc/passwd\nGEOEND\nSOURCE 1.')).toMatchObject([{ line: 2 }, { line: 4 }]);
  });

  it.each([
    '* SOURCE /etc/passwd',
    'TITLE\nSOURCE of /etc/passwd',
    'OPEN  46. OLD\ngeo.dat',
    'OPEN  46. SCRATCH\nSTART 10.',
    '#include geo.dat',
    'region1 5 +fig0 | -fig1',
    'STOP\nSOURCE 1.',
    'OPEN,46.,OLD\n* its name\ngeo.dat',
  ])('is taken with %j', (text) => {
    expect(find(text)).toEqual([]);
  });

  it.each(['/tmp/out', '../out', '$HOME/out', '-x'])('is refused for an OPEN of %j', (file) => {
    const fault = { file: 'a.inp', line: 4, message: expect.stringContaining(`OPEN names ${file}`) };
    for (const card of ['OPEN  46. OLD', 'open, 46., OLD', 'OPEN  46. OLD ! SCRATCH', 'OPEN  SCRATCH 46. OLD']) {
      expect(find(`START 10.\n${card}\n* its name\n${file}`)).toEqual([fault]);
    }
  });

  it.each(['source.f', 'routine.F', 'lib.so', 'run.sh'])('is refused for a file %s', (name) => {
    expect(find('', { [name]: '' })).toEqual([
      { file: name, line: 1, message: expect.stringMatching(/^user routines/) },
    ]);
  });
});
