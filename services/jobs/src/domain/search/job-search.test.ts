import { describe, expect, it } from '@jest/globals';
import { readJobSearch } from './job-search.js';

describe('a search for jobs', () => {
  it('has words, and keys with values', () => {
    expect(
      readJobSearch(
        ' depth "water phantom" tag:qa TAG:"two words" simulator:simA,simb particle:Proton,electron energy:100..200 ' +
          'date:2026-03-01..2026-03-31 state:completed,FAILED platform:batch is:favourite is:archived ',
      ),
    ).toEqual({
      words: ['depth', 'water phantom'],
      tags: ['qa', 'two words'],
      simulators: ['simA', 'simB'],
      particles: ['proton', 'electron'],
      platforms: ['batch'],
      states: ['COMPLETED', 'FAILED'],
      energyMev: { from: 100, to: 200 },
      submitted: { from: new Date('2026-03-01'), to: new Date('2026-04-01') },
      isFavourite: true,
      archive: 'only',
    });
  });

  it('finds everything but archived jobs where it is empty', () => {
    expect(readJobSearch('  ')).toMatchObject({ words: [], tags: [], states: [], archive: 'without' });
    expect(readJobSearch('is:any')).toMatchObject({ archive: 'with' });
  });

  it('takes one value, or an open range', () => {
    expect(readJobSearch('energy:150').energyMev).toEqual({ from: 150, to: 150 });
    expect(readJobSearch('energy:..70.5').energyMev).toEqual({ from: undefined, to: 70.5 });
    expect(readJobSearch('date:2026-02-28..').submitted).toEqual({ from: new Date('2026-02-28'), to: undefined });
    expect(readJobSearch('date:2026-02-28').submitted?.to).toEqual(new Date('2026-03-01'));
  });

  it('takes words with colons in quotation marks, and marks that are not closed as they are', () => {
    expect(readJobSearch('"run:3" "half').words).toEqual(['run:3', '"half']);
    expect(readJobSearch('12:30').words).toEqual(['12:30']);
  });

  it.each([
    ['run:3', /unknown key run; keys are tag, simulator,.* Quote words that have a colon: "run:3"/],
    ['constructor:3', /unknown key constructor/],
    ['tag:', /tag: without a value/],
    ['tag:""', /tag: without a value/],
    ['simulator:simZ', /simulator:simZ; it must be simA, simB/],
    ['state:done', /state:done; it must be UNKNOWN, PENDING/],
    ['is:nice', /is:nice; it must be favourite, archived, any/],
    ['energy:high', /energy:high; it must be MeV/],
    ['energy:..', /energy:\.\.; it must be MeV/],
    ['date:2026-02-30', /date:2026-02-30; it must be days in UTC/],
    ['date:yesterday', /date:yesterday; it must be days/],
    ['date:..', /date:\.\.; it must be days/],
    ['x'.repeat(501), /501 characters, more than the 500/],
    ['x '.repeat(31), /31 terms, more than the 30/],
  ])('refuses %s', (text, message) => {
    expect(() => readJobSearch(text)).toThrow(message);
  });
});
