import { describe, expect, it } from '@jest/globals';
import { dimensionsOf, readRefs, writeRef } from './overlays.js';

const own = { jobId: 'job-1', estimator: 'depth', page: 1 };

describe('pages over each other', () => {
  it('come back from the address as they went in, whatever their names', () => {
    for (const estimator of ['a,b', 'a~b', 'é / %', '%zz']) {
      const ref = { jobId: 'job-2', estimator, page: 3 };
      expect(readRefs(writeRef(ref), own)).toEqual([ref]);
    }
  });

  it('take what is not said from the page itself, and leave that one and repeated ones out', () => {
    expect(readRefs('job-2,job-2,~lateral,job-1~depth~1', own)).toEqual([
      { ...own, jobId: 'job-2' },
      { ...own, estimator: 'lateral' },
    ]);
    expect(readRefs(undefined, own)).toEqual([]);
    expect(readRefs('%E0%A4%A', own)).toEqual([{ ...own, jobId: '%E0%A4%A' }]);
  });
});

describe('dimensionsOf', () => {
  it('counts axes of more than one bin', () => expect(dimensionsOf([1, 5, 1, 2])).toBe(2));
});
