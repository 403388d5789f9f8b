import { describe, expect, it } from '@jest/globals';
import { beamWords, indexOf, isProject, listOf, placeOf, readDropped, titleOf, withBeam } from './project.js';

describe('what is dropped', () => {
  it('is a project, a deck, or told what is wrong with it', () => {
    expect(readDropped({ 'p.json': '{"beam": {"energy": 70}}' })).toMatchObject({ kind: 'editor' });
    expect(readDropped({ 'beam.dat': 'x', 'geo.dat': 'y' })).toMatchObject({ kind: 'files' });
    expect(readDropped({ 'p.json': '{' })).toMatchObject({ kind: 'fault', name: 'p.json' });
    for (const text of ['[]', 'null', '1', '{}', '{"beam": null}', '{"beam": []}']) {
      expect(readDropped({ 'p.json': text })).toEqual({ kind: 'fault', name: 'p.json', why: undefined });
    }
  });

  it('never breaks the page, whatever it holds', () => {
    const odd = { beam: { particle: 7, energy: 'much' }, figureManager: 3, project: 'x' };
    expect(isProject(odd)).toBe(true);
    expect(titleOf(odd)).toBe('Untitled');
    expect(beamWords(odd.beam as never)).toContain('much');
    expect(listOf('abc' as never)).toEqual([]);
    expect(listOf([null, 1, { name: 'a' }] as never)).toEqual([{ name: 'a' }]);
  });
});

describe('a beam in words', () => {
  it('has a σ only where it is Gaussian, and no energy where spots of a file stand in for it', () => {
    const beam = { particle: { name: 'Proton' }, energy: 150, energySpread: 1.5 };
    const words = (change: object) => beamWords({ ...beam, ...change });
    expect(words({})).toBe('Proton, 150 ± 1.5 MeV, pencil beam');
    expect(words({ sigma: { type: 'Gaussian', x: 1, y: 2 } })).toContain('σ 1 × 2 cm');
    expect(words({ sigma: { type: 'Flat square', x: 1, y: 2 } })).toContain('half-widths 1 × 2 cm');
    expect(words({ sigma: { type: 'Flat circular', x: 0, y: 3 } })).toContain('radius 3 cm');
    expect(words({ sourceType: 'file', sourceFile: { name: 'sobp.dat' } })).toBe('Proton, spots from sobp.dat');
  });
});

describe('a project', () => {
  it('is changed in its beam only', () => {
    const project = { beam: { energy: 70, numberOfParticles: 10 }, other: { kept: true } };
    expect(withBeam(project, { energy: 100 })).toEqual({ ...project, beam: { energy: 100, numberOfParticles: 10 } });
    expect(project.beam.energy).toBe(70);
  });

  it('has a place for every fault that the service names', () => {
    expect(placeOf('sim_data/beam/particle')).toBe('beam');
    expect(placeOf('sim_data/scoringManager/outputs/0/quantities/1')).toBe('outputs');
    expect(placeOf('sim_data/physic')).toBe('elsewhere');
    expect(placeOf('ntasks')).toBe('elsewhere');
    expect(indexOf('sim_data/scoringManager/outputs/2/quantities/1')).toBe(2);
    expect(indexOf('sim_data/detectorManager/detectors/11')).toBe(11);
    expect(indexOf('sim_data/detectorManager/detectors')).toBeUndefined();
  });
});
