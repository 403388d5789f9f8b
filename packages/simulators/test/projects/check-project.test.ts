import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkProject, locateZones, openProject, readSpots } from '../../src/check-project.js';
import { SIM_TYPES } from '../../src/sim-type.js';

interface Example {
  readonly beam: { energy: number };
  readonly scoringManager: { readonly outputs: readonly [{ readonly quantities: readonly [{ keyword: string }] }] };
  readonly figureManager: { readonly figures: readonly object[] };
  readonly detectorManager: { readonly detectors: object[] };
}
const read = (name: string) =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../../examples', `${name}.json`), 'utf8')) as Example;
const OWN = SIM_TYPES.map((simType) => ({ simType, version: '1' }));

describe('a check while somebody types', () => {
  it('says nothing of a sound project, and each fault once, with those who refuse', () => {
    const project = read('proton-bone-slab');
    expect(checkProject(project, OWN).problems).toEqual([]);
    project.beam.energy = -1;
    project.scoringManager.outputs[0].quantities[0].keyword = 'Nonsense';
    const [energy, ...others] = checkProject(project, OWN).problems;
    expect(energy).toEqual({ what: { path: '/beam/energy', message: 'must be more than 0' }, simulators: SIM_TYPES });
    expect(others).toEqual([]); // what is no project is converted by nobody
    project.beam.energy = 150;
    const refusals = checkProject(project, OWN).problems;
    expect(refusals.map(({ what }) => what.path)).toContain('/scoringManager/outputs/0/quantities/0/keyword');
    expect(new Set(refusals.map((one) => JSON.stringify(one.what))).size).toBe(refusals.length);
  });

  it('tells warnings with those who warn', () => {
    const project = read('proton-bone-slab');
    project.detectorManager.detectors.push({ ...project.detectorManager.detectors[0], uuid: 'another' });
    const { warnings } = checkProject(project, OWN);
    const unused = warnings.find(({ what }) => what.code === 'DETECTOR_UNUSED');
    expect(unused?.simulators).toEqual(SIM_TYPES);
  });
});

describe('zones of a project', () => {
  it('are those that the engine finds', () => {
    const { zones, materials, locate } = locateZones(read('proton-bone-slab'));
    const at = (x: number, y: number, z: number) => zones[locate(x, y, z)];
    expect([at(0, 0, 4)?.name, at(0, 0, 10)?.name, at(0, 0, -1)?.name]).toEqual(['Bone', 'Water', 'World']);
    expect(materials[at(0, 0, 4)?.material ?? -1]?.icru).toBe(119);
    expect(at(0, 0, 50)).toBeUndefined();
  });
});

describe('a project of an old version', () => {
  it('is brought to the layout of today, and one of today is the file itself', () => {
    const project = read('proton-bone-slab');
    expect(openProject(project)).toBe(project);
    const { figureManager, ...others } = project;
    const old = { ...others, scene: { object: { children: figureManager.figures } } };
    expect(openProject(old)).toMatchObject({ figureManager: { figures: [{ name: 'Water_tank' }, {}] } });
  });
});

describe('a pasted list of spots', () => {
  it('is read in MeV and cm, or its lines are named', () => {
    const proton = { id: 2, a: 1, z: 1 };
    const { spots, faults } = readSpots('# GeV\n0.150 0 0 0.8 1\n0.120 1 -1 0.8 2\n', proton);
    expect(faults).toEqual([]);
    expect(spots).toMatchObject([{ energyMev: 150 }, { energyMev: 120, xCm: 1, yCm: -1, weight: 2 }]);
    expect(readSpots('0.150 0 0 0.8 1\n0.1 x 0 0.8 1', proton).faults).toMatchObject([{ line: 2 }]);
    expect(readSpots('0.1 0 0 1 1', { id: 25, a: 12, z: 6 }).spots[0]?.energyMev).toBeCloseTo(1_200);
  });
});
