import { describe, expect, it } from '@jest/globals';
import { readJobsSearch, readResultsSearch, readSweepSearch } from './search.js';

describe('what an address says of a page', () => {
  it('is all that somebody has chosen', () => {
    const results = {
      estimator: 'depth_dose',
      page: 2,
      with: 'job~a~1',
      log: true,
      band: false,
      share: true,
      zoom: '14,16',
      cut: '3,4',
      slice: '0,,,5',
      levels: '50 %',
      colors: '0,1',
      shown: 'errors',
      equal: false,
      turn: true,
    };
    expect(readResultsSearch(results)).toEqual(results);
    const jobs = { search: 'water', states: 'Running,Failed', order: 'title' };
    expect(readJobsSearch(jobs)).toEqual(jobs);
    const sweep = { title: 'A', over: 'beam.energy', estimator: 'depth', page: 1, fit: 'power', reading: 'R80' };
    expect(readSweepSearch(sweep)).toMatchObject(sweep);
  });

  it('may be a number where it is read as one, and is left out where it is of another kind', () => {
    expect(readJobsSearch({ search: 2026, states: 7, order: '' })).toEqual({
      search: '2026',
      states: undefined,
      order: undefined,
    });
    expect(readResultsSearch({ levels: 50, log: 'yes', page: '1', shown: 'everything', zoom: {} })).toMatchObject({
      levels: '50',
      log: undefined,
      page: undefined,
      shown: undefined,
      zoom: undefined,
    });
    expect(readSweepSearch({ fit: 'spline' }).fit).toBeUndefined();
  });
});
