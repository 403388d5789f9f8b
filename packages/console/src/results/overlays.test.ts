import { describe, expect, it } from '@jest/globals';
import { dimensionsOf, nameJobs, readRefs, writeRef } from './overlays.js';

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

describe('names of jobs over each other', () => {
  const description = {
    title: 'Tank',
    simulator: 'simA',
    engine: 'reference 0.1.0',
    seed: '7',
    requested_primaries: 1000,
    submitted_at: '2026-11-29T12:00:00Z',
    beam: 'proton, 150 MeV',
    water_ionisation_ev: 75,
  };
  const job = (id: string, more: object = {}) => ({
    job_id: id,
    title: 'Tank',
    sim_type: 'simA' as const,
    description: { ...description, ...more },
  });

  it('say the beam, whatever the title says, and nothing that is the same in all', () => {
    expect([...nameJobs([job('1'), job('2', { beam: 'proton, 120 MeV' })]).values()]).toEqual([
      'Tank: proton, 150 MeV',
      'Tank: proton, 120 MeV',
    ]);
  });

  it('say what differs: simulator, water, primaries; the seed where nothing else does', () => {
    const other = {
      ...job('2', { water_ionisation_ev: 78, requested_primaries: 5000, seed: '8' }),
      sim_type: 'simC' as const,
    };
    expect([...nameJobs([job('1'), other]).values()]).toEqual([
      'Tank: proton, 150 MeV · simA, reference 0.1.0 · I(water) 75 eV · 1,000 primaries',
      'Tank: proton, 150 MeV · simC, reference 0.1.0 · I(water) 78 eV · 5,000 primaries',
    ]);
    expect([...nameJobs([job('1'), job('2', { seed: '8' })]).values()]).toEqual([
      'Tank: proton, 150 MeV · seed 7',
      'Tank: proton, 150 MeV · seed 8',
    ]);
  });

  it('are titles where nothing else is known', () => {
    const bare = { job_id: '3', title: 'Deck', sim_type: 'simB' as const };
    expect(nameJobs([bare]).get('3')).toBe('Deck');
  });
});
