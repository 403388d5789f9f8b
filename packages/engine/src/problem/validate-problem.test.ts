import { describe, expect, it } from '@jest/globals';

import { quantity, tank, task } from '../../test/water-tank.js';
import type { FilterRule, Physics, Quantity, TransportProblem } from './problem.js';
import { parseProblem, parseTask, validateProblem, validateTask } from './validate-problem.js';

const BASE = tank();

function faultsOf(change: Partial<TransportProblem>): string[] {
  return validateProblem({ ...BASE, ...change }).map(({ path, message }) => `${path}: ${message}`);
}

function withParticle(name: string, z: number, a: number, energyMev = 150): string[] {
  return faultsOf({ beam: { ...BASE.beam, particle: { name, z, a }, energyMev } });
}

describe('a problem', () => {
  it('that the engine can run has no faults', () => {
    expect(validateProblem(BASE)).toEqual([]);
    expect(parseProblem(JSON.parse(JSON.stringify(BASE)))).toEqual(BASE);
  });

  it.each([
    ['neutron', 0, 1],
    ['positive muon', 1, 0],
    ['negative pion', -1, 0],
    ['antiproton', 1, 1],
    ['π+', 1, 0],
    ['K-', -1, 0],
    ['mu+', 1, 0],
    ['iron', 26, 56],
  ])('with a beam of %s is refused by name', (name, z, a) => {
    expect(withParticle(name, z, a)).toEqual([
      expect.stringMatching(new RegExp(`^beam.particle: .*"${name.replace('+', '\\+')}"`)),
    ]);
  });

  it.each([
    ['proton', 1, 1, 150],
    ['deuteron', 1, 2, 150],
    ['triton', 1, 3, 150],
    ['helium-3', 2, 3, 450],
    ['alpha', 2, 4, 600],
    ['heavy ion', 6, 12, 4800],
    ['heavy ion', 10, 20, 8000],
  ])('with a beam of %s (Z %i, A %i) is taken', (name, z, a, energy) => {
    expect(withParticle(name, z, a, energy)).toEqual([]);
  });

  it.each([
    ['electron', -1, 12],
    ['positron', 1, 25],
    ['photon', 0, 0.1],
  ])('with a beam of %ss is taken at the energies of its tables, and refused at others', (name, z, energy) => {
    expect(withParticle(name, z, 0, energy)).toEqual([]);
    expect(withParticle(name, z, 0, 26)).toEqual([
      expect.stringMatching(/^beam.energyMev: 26 MeV is outside .*–25 MeV/),
    ]);
    expect(withParticle(name, z, 0, 0.05)).toEqual([expect.stringContaining(`MeV of ${name}s`)]);
  });

  it('with a beam of electrons names what is per nucleon, and what no electron, positron or photon counts in', () => {
    const electrons = { ...BASE.beam, particle: { name: 'electron', z: -1, a: 0 }, energyMev: 12 };
    const axis = { lower: 0, upper: 12, bins: 12, log: false };
    const filter = (keyword: FilterRule['keyword'], value: number) => ({
      name: 'f',
      rules: [{ keyword, operator: '==' as const, value }],
    });
    const faultsWith = (...quantities: Quantity[]) =>
      faultsOf({ beam: electrons, outputs: [{ name: 'out', detector: 0, quantities }] });
    const fluence = (more: Partial<Quantity>) => quantity('Fluence', more);
    expect(
      faultsWith(
        quantity('AvgEnergy'),
        fluence({ modifiers: [{ type: 'ENUC', ...axis }] }),
        fluence({ filter: { name: 'f', rules: [{ keyword: 'EAMU', operator: '>', value: 1 }] } }),
        quantity('NKERMA'),
        fluence({ filter: filter('A', 1) }),
        quantity('Dose', { filter: filter('Z', 0) }),
      ),
    ).toEqual([
      'outputs[0].quantities[0].keyword: AvgEnergy is per nucleon: beams of electrons have E instead',
      'outputs[0].quantities[1].modifiers[0].type: ENUC is per nucleon: beams of electrons have E instead',
      'outputs[0].quantities[2].filter: EAMU is per nucleon: beams of electrons have E instead',
      ...[3, 4, 5].map((i) =>
        expect.stringContaining(`outputs[0].quantities[${i}].filter: no particle that is followed here`),
      ),
    ]);
    const counted = [-1, 0, 1].map((z) => fluence({ filter: filter('Z', z) }));
    expect(faultsWith(...counted, fluence({ filter: filter('ID', 26) }), quantity('dLET'))).toEqual([]);
  });

  it('outside the energies of the tables is refused', () => {
    expect(withParticle('proton', 1, 1, 600)).toEqual([expect.stringContaining('beam.energyMev: 600 MeV per nucleon')]);
    expect(withParticle('carbon', 6, 12, 0.6)).toEqual([expect.stringContaining('beam.energyMev')]);
    expect(faultsOf({ beam: { ...BASE.beam, energyHighCutoffMev: 100 } })).toEqual([
      expect.stringContaining('cut-offs'),
    ]);
    expect(faultsOf({ beam: { ...BASE.beam, direction: [0, 0, 0] } })).toEqual([
      expect.stringContaining('beam.direction'),
    ]);
  });

  it('names every unsupported quantity, axis, filter, material and medium at once', () => {
    const faults = faultsOf({
      materials: [...BASE.materials, { name: 'kryptonite', icru: 999 }],
      outputs: [
        {
          name: 'out',
          detector: 0,
          quantities: [
            quantity('NEqvDose'),
            quantity('dQ'),
            quantity('Charm'),
            quantity('Dose', { modifiers: [{ type: 'SPIN', lower: 1, upper: 0, bins: 3, log: false }] }),
            quantity('Fluence', { material: 0 }),
            quantity('Dose', { material: 1 }),
            quantity('KineticEnergySpectrum'),
            quantity('ZONE', { modifiers: [{ type: 'E', lower: 0, upper: 1, bins: 3, log: true }] }),
          ],
        },
        { name: 'out', detector: 7, quantities: [] },
      ],
    });
    for (const expected of [
      'materials[2].icru: material "kryptonite" (ICRU id 999)',
      'outputs[0].quantities[0].keyword: quantity "NEqvDose" is not supported: quality factors',
      'outputs[0].quantities[1].keyword: quantity "dQ"',
      'outputs[0].quantities[2].keyword: quantity "Charm" is not supported: it is not known',
      'outputs[0].quantities[3].modifiers[0].type: differential axis "SPIN"',
      'outputs[0].quantities[3].modifiers[0].lower',
      'outputs[0].quantities[4].material: Fluence in another medium',
      'outputs[0].quantities[5].material: "vacuum" is no medium',
      'outputs[0].quantities[6].modifiers: KineticEnergySpectrum needs an energy axis',
      'outputs[0].quantities[7].modifiers: the map ZONE',
      'outputs[0].quantities[7].modifiers[0].lower: a logarithmic axis',
      'outputs[1].name: another output',
      'outputs[1].detector',
    ]) {
      expect(faults).toContainEqual(expect.stringContaining(expected));
    }
  });

  it('with indexes that lead nowhere, or shapes without substance, is refused with the place', () => {
    expect(faultsOf({ world: { figure: 9, material: 9 } })).toEqual([
      'world.figure: figures has no entry 9',
      'world.material: materials has no entry 9',
    ]);
    const zones = [{ name: 'z', material: 5, terms: [[{ mode: 'subtraction' as const, figure: 4 }]] }];
    expect(faultsOf({ zones })).toEqual([
      'zones[0].material: materials has no entry 5',
      expect.stringContaining('zones[0].terms[0][0].mode'),
      'zones[0].terms[0][0].figure: figures has no entry 4',
    ]);
    expect(faultsOf({ detectors: [{ type: 'zone', name: 'zone', zone: 2 }] })).toEqual([
      expect.stringContaining('detectors[0].zone'),
    ]);
    expect(
      faultsOf({
        detectors: [{ type: 'mesh', name: 'm', centerCm: [0, 0, 0], sizeCm: [1, 0, 1], segments: [1, 1, 1.5] }],
      }),
    ).toEqual([expect.stringContaining('detectors[0].sizeCm[1]'), expect.stringContaining('detectors[0].segments[2]')]);
  });

  it('that would fill the memory is refused', () => {
    const detectors = [
      {
        type: 'mesh' as const,
        name: 'm',
        centerCm: [0, 0, 0] as const,
        sizeCm: [1, 1, 1] as const,
        segments: [1000, 1000, 1000] as const,
      },
    ];
    expect(faultsOf({ detectors })).toEqual([expect.stringContaining('outputs: more than')]);
  });

  it('of another shape is refused, not misread', () => {
    expect(validateProblem(null)).toHaveLength(1);
    expect(validateProblem({ ...BASE, version: 2 })).toEqual([expect.objectContaining({ path: 'version' })]);
    expect(parseProblem({ ...BASE, physics: undefined })).toBeUndefined();
  });
});

describe('a task', () => {
  it('holds primaries, a first history and an unsigned 64-bit seed', () => {
    expect(validateTask(task(5))).toEqual([]);
    expect(parseTask(task(5, { seed: '18446744073709551615' }))).toBeDefined();
    expect(validateTask(task(0)).map(({ path }) => path)).toEqual(['primaries']);
    expect(validateTask(task(5, { seed: '18446744073709551616' })).map(({ path }) => path)).toEqual(['seed']);
    expect(validateTask({ ...task(5), seed: 7, firstHistory: -1 }).map(({ path }) => path)).toEqual([
      'firstHistory',
      'seed',
    ]);
  });
});

describe('a spot list', () => {
  const spot = {
    energyMev: 100,
    energySpreadMev: 1,
    xCm: 0,
    yCm: 0,
    sigmaXCm: 0.3,
    sigmaYCm: 0.3,
    divergenceXMrad: 0,
    divergenceYMrad: 0,
    weight: 1,
  };
  const withSpots = (spots: unknown): string[] =>
    validateProblem({ ...BASE, beam: { ...BASE.beam, spots } }).map(({ path, message }) => `${path}: ${message}`);

  it('is taken, with as many spots as a plan has', () => {
    expect(withSpots(Array.from({ length: 20000 }, (_, i) => ({ ...spot, energyMev: 70 + (i % 150) })))).toEqual([]);
  });

  it('is refused where it is empty, weighs nothing, or a spot has no energy of the tables', () => {
    expect(withSpots([])).toEqual([expect.stringContaining('beam.spots')]);
    expect(withSpots([{ ...spot, weight: 0 }])).toEqual(['beam.spots: no spot has a weight above 0']);
    expect(withSpots([spot, { ...spot, weight: -1 }])).toEqual([expect.stringContaining('beam.spots[1].weight')]);
    expect(withSpots([spot, spot, { ...spot, energyMev: 501 }])).toEqual([
      expect.stringContaining('beam.spots[2].energyMev: 501 MeV per nucleon is outside'),
    ]);
  });
});

describe('a filter', () => {
  const filtered = (
    keyword: string,
    rules: FilterRule[],
    physics: Partial<Physics> = {},
    change: Partial<TransportProblem> = {},
  ) =>
    faultsOf({
      outputs: [{ name: 'out', detector: 0, quantities: [quantity(keyword, { filter: { name: 'mine', rules } })] }],
      physics: { ...BASE.physics, ...physics },
      ...change,
    });
  const rule = (keyword: FilterRule['keyword'], operator: FilterRule['operator'], value: number): FilterRule => ({
    keyword,
    operator,
    value,
  });

  it.each([
    ['Fluence', [rule('Z', '==', 0)]],
    ['Fluence', [rule('ID', '==', 1), rule('E', '>', 20)]],
    ['NKERMA', [rule('E', '<', 10)]],
    ['AvgEnergy', [rule('Z', '==', 0)]],
    ['Dose', [rule('Z', '==', 8)]],
    ['dLET', [rule('A', '>=', 5)]],
    ['Dose', [rule('GEN', '>=', 1)]],
    ['Fluence', [rule('Z', '==', 2), rule('A', '==', 4), rule('ENUC', '<', 5)]],
    ['Dose', [rule('AMU', '>', 3.9), rule('AMU', '<', 4.1)]],
    ['Dose', [rule('NPRIM', '<=', 10)]],
  ] as const)('on %s that some particle passes is taken: %j', (keyword, rules) => {
    expect(filtered(keyword, [...rules])).toEqual([]);
  });

  it.each([
    ['Dose', [rule('Z', '==', 0)]],
    ['dLET', [rule('ID', '==', 1)]],
    ['NKERMA', [rule('Z', '==', 1)]],
    ['Fluence', [rule('Z', '==', -1)]],
    ['Fluence', [rule('ID', '==', 3)]],
    ['Fluence', [rule('Z', '>', 40)]],
    ['Fluence', [rule('Z', '==', 1), rule('Z', '==', 2)]],
    ['Fluence', [rule('E', '>', 500)]],
    ['Fluence', [rule('E', '>', 10), rule('E', '<', 5)]],
    ['Fluence', [rule('GEN', '==', 0), rule('Z', '==', 2)]],
    ['Fluence', [rule('NPRIM', '<', 1)]],
  ] as const)('on %s that nothing passes is refused, never scored as zero: %j', (keyword, rules) => {
    expect(filtered(keyword, [...rules])).toEqual([
      `outputs[0].quantities[0].filter: no particle that is followed here and counts in ${keyword} can pass through filter "mine"`,
    ]);
  });

  it('depends on what is followed: without reactions there are no secondaries, without neutrons none', () => {
    // known to be zero: warned of, and scored
    expect(filtered('Fluence', [rule('GEN', '>', 0)], { nuclearReactions: false })).toEqual([]);
    expect(filtered('Fluence', [rule('Z', '==', 2)], { nuclearReactions: false })).toEqual([]);
    expect(filtered('Fluence', [rule('Z', '==', -1)], { nuclearReactions: false })).toHaveLength(1);
    expect(filtered('Fluence', [rule('Z', '==', 0)], { neutrons: false })).toHaveLength(1);
    expect(filtered('NKERMA', [], { neutrons: false })).toHaveLength(1);
    const carbon = { ...BASE.beam, particle: { name: 'carbon', z: 6, a: 12 }, energyMev: 2400 };
    expect(filtered('Fluence', [rule('Z', '==', 6), rule('GEN', '==', 0)], {}, { beam: carbon })).toEqual([]);
    expect(filtered('Fluence', [rule('Z', '==', 7)], {}, { beam: carbon })).toEqual([]);
  });
});
