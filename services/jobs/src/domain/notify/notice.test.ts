import { describe, expect, it } from '@jest/globals';
import { durationWords, readSweepTitles } from './notice.js';

describe('titles of a sweep', () => {
  it.each([
    [
      ['Water tank [energy = 110 MeV]', 'Water tank [energy = 130 MeV]'],
      {
        title: 'Water tank',
        labels: ['energy = 110 MeV', 'energy = 130 MeV'],
        path: '/console/sweeps/show?title=Water+tank&over=energy',
      },
    ],
    [
      ['A [b.c=1, d = 2 cm]', 'A [b.c=1, d = 3 cm]'],
      { title: 'A', labels: ['b.c=1, d = 2 cm', 'b.c=1, d = 3 cm'], path: '/console/sweeps/show?title=A&over=b.c%2Cd' },
    ],
    [['Range energy=70', 'Range energy=80'], { title: 'Range energy', labels: ['70', '80'], path: '/console/sweeps' }],
    [['one', 'two'], { title: 'one', labels: ['one', 'two'], path: '/console/sweeps' }],
    [['same', 'same'], { title: 'same', labels: ['same', 'same'], path: '/console/sweeps' }],
  ])('%j', (titles, expected) => expect(readSweepTitles(titles)).toEqual(expected));
});

describe('a duration', () => {
  it.each([
    [900, '1 s'],
    [65_000, '1 min 5 s'],
    [3_600_000, '1 h'],
    [7_500_000, '2 h 5 min'],
  ])('of %d ms is %j', (ms, words) => expect(durationWords(ms)).toBe(words));
});
