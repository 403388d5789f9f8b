import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { describeProjectChanges, SENTENCES_MAX } from './describe-changes.js';

const WATER = { uuid: 'm1', name: 'Water', icru: 276 };
const BONE = { uuid: 'm2', name: 'Compact bone', icru: 119 };
const TANK = {
  uuid: 'f1',
  name: 'Tank',
  colorHex: 1,
  geometryData: {
    geometryType: 'BoxGeometry',
    position: [0, 0, 10],
    rotation: [0, 0, 0],
    parameters: { width: 10, height: 10, depth: 20 },
  },
};
const SLAB = { ...TANK, uuid: 'f2', name: 'Slab' };
const union = (...uuids: string[]) =>
  uuids.map((objectUuid, i) => ({ mode: i === 0 ? 'union' : 'subtraction', objectUuid }));
const TARGET = { uuid: 'z1', name: 'Target', materialUuid: 'm1', unionOperations: [union('f1')] };
const PROJECT = {
  metadata: { version: '0.13' },
  project: { title: 'Water', viewManager: { a: 1 } },
  beam: {
    energy: 150,
    energyUnit: 'MeV',
    particle: { id: 2, name: 'Proton' },
    sigma: { type: 'Gaussian', x: 0.5, y: 0.5 },
    direction: [0, 0, 1],
    numberOfParticles: 10_000,
  },
  figureManager: { figures: [TANK, SLAB] },
  zoneManager: { zones: [TARGET], worldZone: { uuid: 'w', name: 'World', materialUuid: 'm1' } },
  detectorManager: {
    detectors: [{ uuid: 'd1', name: 'Depth', geometryData: { geometryType: 'Mesh', parameters: { zSegments: 100 } } }],
  },
  materialManager: { materials: [WATER, BONE] },
  scoringManager: {
    outputs: [
      { uuid: 'o1', name: 'dose', detectorUuid: 'd1', quantities: [{ uuid: 'q1', name: 'Dose', keyword: 'Dose' }] },
    ],
    filters: [{ uuid: 'r1', name: 'Protons', rules: [{ uuid: 'u1', keyword: 'Z', operator: '==', value: 1 }] }],
  },
  physic: { enableNuclearReactions: true, energyLoss: 0.03 },
};

/** The project with other values at pointers; undefined: the key goes. */
function changed(changes: Readonly<Record<string, unknown>>): unknown {
  const copy = JSON.parse(JSON.stringify(PROJECT)) as Record<string, unknown>;
  for (const [pointer, value] of Object.entries(changes)) {
    const keys = pointer.slice(1).split('/');
    const last = keys.pop() ?? '';
    const owner = keys.reduce<Record<string, unknown>>((at, key) => at[key] as Record<string, unknown>, copy);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  }
  return copy;
}

const said = (changes: Readonly<Record<string, unknown>>) => describeProjectChanges(PROJECT, changed(changes));

describe('what differs between two projects, in words', () => {
  it.each<[string, Record<string, unknown>, readonly string[]]>([
    ['an energy', { '/beam/energy': 120 }, ['energy of the beam: 150 → 120 MeV']],
    [
      'another unit of energy',
      { '/beam/energyUnit': 'MeV/nucl', '/beam/energy': 270 },
      ['energy of the beam: 150 → 270 MeV/nucl', 'energy unit of the beam: MeV → MeV/nucl'],
    ],
    [
      'the particle',
      { '/beam/particle': { id: 25, name: 'Heavy ions', a: 12, z: 6 } },
      ['particle of the beam: Proton → Heavy ions (Z=6, A=12)'],
    ],
    ['the size of the beam', { '/beam/sigma/x': 1 }, ['x of sigma of the beam: 0.5 → 1 cm']],
    ['primaries', { '/beam/numberOfParticles': 1e6 }, ['primaries of the beam: 10000 → 1000000']],
    ['a direction', { '/beam/direction': [0, 1, 0] }, ['direction of the beam: (0, 0, 1) → (0, 1, 0)']],
    ['the title', { '/project/title': 'Bone' }, ['title: Water → Bone']],
    ['a material', { '/zoneManager/zones/0/materialUuid': 'm2' }, ['material of zone Target: Water → Compact bone']],
    [
      'the material of the world',
      { '/zoneManager/worldZone/materialUuid': 'm2' },
      ['material of the world: Water → Compact bone'],
    ],
    [
      'a zone more',
      { '/zoneManager/zones/1': { uuid: 'z2', name: 'Bone', materialUuid: 'm2', unionOperations: [] } },
      ['zone Bone added'],
    ],
    ['a zone less', { '/zoneManager/zones': [] }, ['zone Target removed']],
    [
      'the shape of a zone',
      { '/zoneManager/zones/0/unionOperations': [union('f1', 'f2'), union('f2')] },
      ['shape of zone Target: Tank → Tank − Slab or Slab'],
    ],
    [
      'a figure',
      { '/figureManager/figures/0/geometryData/parameters/depth': 30 },
      ['depth of figure Tank: 20 → 30 cm'],
    ],
    [
      'a place',
      {
        '/figureManager/figures/1/geometryData/position': [0, 0, 12],
        '/figureManager/figures/1/geometryData/rotation': [0, 45, 0],
      },
      ['position of figure Slab: (0, 0, 10) → (0, 0, 12) cm', 'rotation of figure Slab: (0, 0, 0) → (0, 45, 0)°'],
    ],
    ['a name', { '/figureManager/figures/1/name': 'Insert' }, ['figure Slab is now Insert']],
    [
      'bins',
      { '/detectorManager/detectors/0/geometryData/parameters/zSegments': 400 },
      ['z segments of detector Depth: 100 → 400'],
    ],
    [
      'a quantity more',
      { '/scoringManager/outputs/0/quantities/1': { uuid: 'q2', name: 'LET', keyword: 'dLET' } },
      ['quantity LET of output dose added'],
    ],
    [
      'a filter of a quantity',
      { '/scoringManager/outputs/0/quantities/0/filter': 'r1' },
      ['filter of quantity Dose of output dose: none → Protons'],
    ],
    ['a rule', { '/scoringManager/filters/0/rules/0/value': 2 }, ['value of rule Z of filter Protons: 1 → 2']],
    ['a switch', { '/physic/enableNuclearReactions': false }, ['nuclear reactions of the physics: on → off']],
    [
      'a density',
      { '/zoneManager/zones/0/materialPropertiesOverrides': { density: 1.05 } },
      ['density of zone Target: none → 1.05 g/cm³'],
    ],
    [
      'a spot list',
      { '/beam/sourceFile': { name: 'sobp.dat', value: '1 2 3\n4 5 6\n' } },
      ['name of source file of the beam: none → sobp.dat', 'value of source file of the beam changed'],
    ],
    [
      'what is not known',
      { '/beam/newThing': { deep: { value: 1 } } },
      ['value of deep of new thing of the beam: none → 1'],
    ],
    [
      'views and colours alone',
      { '/project/viewManager': { a: 2 }, '/figureManager/figures/0/colorHex': 2 },
      ['only the way it is shown, or the order of things, has changed'],
    ],
    [
      'the order alone',
      { '/materialManager/materials': [BONE, WATER] },
      ['only the way it is shown, or the order of things, has changed'],
    ],
  ])('says %s', (_name, changes, sentences) => {
    expect(said(changes)).toEqual(sentences);
  });

  it('says nothing of the same project, in whatever order its keys stand', () => {
    const turned = Object.fromEntries(Object.entries(PROJECT).toReversed());
    expect(describeProjectChanges(PROJECT, turned)).toEqual([]);
  });

  it('matches by name what has no uuid, and tells things of one name apart', () => {
    const rules = (...values: number[]) => ({
      scoringManager: { filters: [{ name: 'F', rules: values.map((value) => ({ keyword: 'Z', name: 'r', value })) }] },
    });
    expect(describeProjectChanges(rules(1, 2), rules(1, 3))).toEqual(['value of rule r of filter F: 2 → 3']);
    expect(describeProjectChanges(rules(1, 2), rules(1))).toEqual(['rule r of filter F removed']);
  });

  it('stops somewhere, and says how much more there is', () => {
    const zones = Array.from({ length: 500 }, (_, i) => ({ uuid: `n${i}`, name: `Z${i}` }));
    const sentences = said({ '/zoneManager/zones': zones });
    expect(sentences).toHaveLength(SENTENCES_MAX);
    expect(sentences.at(-1)).toBe('and 302 more changes');
  });

  it('says something of whatever JSON differs, and is not led astray by any', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const sentences = describeProjectChanges(before, after);
        const isSame = JSON.stringify(sorted(before)) === JSON.stringify(sorted(after));
        expect(sentences.length === 0).toBe(isSame);
      }),
    );
    const deep = (value: number) => JSON.parse(`${'{"a":'.repeat(400)}${value}${'}'.repeat(400)}`) as unknown;
    expect(describeProjectChanges(deep(1), deep(2))).toHaveLength(1);
    const polluted = JSON.parse('{"beam":{"__proto__":{"energy":1},"constructor":2}}') as unknown;
    expect(describeProjectChanges({ beam: {} }, polluted)).toHaveLength(2);
    expect(Object.prototype).not.toHaveProperty('energy');
  });
});

/** With keys in their order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
