import { describe, expect, it } from '@jest/globals';
import { buildProject, figure, IDS, zone } from '../../test/build-project.js';
import { readProject } from '../project/read-project.js';
import type { SimType } from '../sim-type.js';
import { describeProject } from './describe-project.js';

const describeWith = (changes: Readonly<Record<string, unknown>>, simType: SimType = 'simA') =>
  describeProject(readProject(buildProject(changes)), simType);

const TANK_CENTRE = '/figureManager/figures/0/geometryData/position';
const WORLD = '/zoneManager/worldZone/geometryData';

describe('what a project simulates', () => {
  it('says particle, energy and water of the problem, whatever its title says', () => {
    expect(describeWith({ '/project/title': '70 MeV carbon' })).toEqual({
      beam: 'proton, 150 MeV',
      particle: 'proton',
      kind: 'ion',
      energy_mev: { min: 150, max: 150, count: 1 },
      spots: 0,
      water_ionisation_ev: 75,
      depth: { axis: 'Z', sign: 1, first_matter_cm: 0 },
    });
  });

  it.each([
    ['simA', 75],
    ['simB', 75],
    ['simC', 78],
    ['simD', 78],
  ] as const)(
    'says the mean excitation energy of water in %s, %d eV, and another where a zone asks',
    (simType, own) => {
      expect(describeWith({}, simType)?.water_ionisation_ev).toBe(own);
      const asked = {
        '/zoneManager/zones/0/customMaterial': { uuid: IDS.water, name: 'WATER, LIQUID', icru: 276, density: 1 },
        '/zoneManager/zones/0/materialPropertiesOverrides': { customStoppingPower: true },
        '/physic/stoppingPowerTable': own === 75 ? 'ICRU91' : 'ICRU49',
      };
      expect(describeWith(asked, simType)?.water_ionisation_ev).toBe(own === 75 ? 78 : 75);
    },
  );

  it('says energies of ions in all and a nucleon', () => {
    const carbon = {
      '/beam/particle': { id: 25, name: 'Heavy ions', a: 12, z: 6 },
      '/beam/energyUnit': 'MeV/nucl',
      '/beam/energy': 270,
    };
    expect(describeWith(carbon)?.beam).toBe('ion (Z=6, A=12), 3240 MeV (270 MeV/u)');
  });

  it('says sizes of a flat field by their names', () => {
    const shaped = (sigma: object) => describeWith({ '/beam/sigma': sigma })?.beam;
    expect(shaped({ type: 'Flat square', x: 2, y: 1.5 })).toBe(
      'proton, 150 MeV, flat square of half-widths 2 × 1.5 cm',
    );
    expect(shaped({ type: 'Flat circular', x: 0, y: 3 })).toBe('proton, 150 MeV, flat circle of radius 3 cm');
    expect(shaped({ type: 'Gaussian', x: 1, y: 1 })).toBe('proton, 150 MeV');
  });

  it('says spots and energies of a list in place of the beam that it replaces', () => {
    const list = { name: 'sobp.dat', value: '0.132 0 0 1 1\n0.15 1 0 1 2\n0.15 2 0 1 2\n' };
    const described = describeWith({ '/beam/sourceType': 'file', '/beam/sourceFile': list });
    expect(described?.beam).toBe('proton, 3 spots, 2 energies 132–150 MeV, from sobp.dat');
    expect(described).toMatchObject({ spots: 3, energy_mev: { min: 132, max: 150, count: 2 } });
  });

  it('finds the first matter of a tank around 0, behind air and in a hole of it', () => {
    const centred = { [TANK_CENTRE]: [0, 0, 0], [`${WORLD}/position`]: [0, 0, 0], '/beam/position': [0, 0, -12] };
    expect(describeWith(centred)?.depth).toEqual({ axis: 'Z', sign: 1, first_matter_cm: -10 });
    // a hole along the beam from the entrance: the first water is where the hole ends, at z = 7
    const insert = [
      { mode: 'union', objectUuid: IDS.tank },
      { mode: 'subtraction', objectUuid: IDS.insert },
    ];
    const holed = {
      '/zoneManager/zones/0/unionOperations': [insert],
      '/figureManager/figures/1/geometryData/position': [0, 0, 1],
    };
    expect(describeWith(holed)?.depth?.first_matter_cm).toBe(3);
  });

  it('says the way of a beam against the axis, and none of an oblique one', () => {
    const back = { '/beam/position': [0, 0, 21], '/beam/direction': [0, 0, -1] };
    expect(describeWith(back)?.depth).toEqual({ axis: 'Z', sign: -1, first_matter_cm: 20 });
    expect(describeWith({ '/beam/direction': [0.5, 0, 1] })?.depth).toBeNull();
  });

  it('finds a turned box by its turned sides', () => {
    const turned = {
      '/figureManager/figures': [
        { ...figure(IDS.tank, 'Tank', 'BoxGeometry', [0, 0, 10], { width: 10, height: 6, depth: 4 }) },
      ],
      '/figureManager/figures/0/geometryData/rotation': [90, 0, 0],
      '/zoneManager/zones': [zone(IDS.waterZone, 'Water', IDS.water, [[{ mode: 'union', objectUuid: IDS.tank }]])],
    };
    expect(describeWith(turned)?.depth?.first_matter_cm).toBe(7);
  });
});
