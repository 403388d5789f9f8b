import { describe, expect, it } from '@jest/globals';
import type { TransportProblem } from '@tally/engine';
import { buildProject, IDS } from '../../test/build-project.js';
import { ConversionError } from '../conversion-error.js';
import { readProject } from '../project/read-project.js';
import { convert } from './convert.js';

/** A project with a beam of electrons and a filter for a particle by its id. */
function convertElectrons(filter: object) {
  const beam = { '/beam/particle': { id: 26 }, '/beam/energy': 12 };
  const named = { uuid: IDS.protons, name: 'f', ...filter };
  return convert(readProject(buildProject({ ...beam, '/scoringManager/filters/0': named })), 'simA');
}

describe('a filter with a beam of electrons', () => {
  it('for electrons becomes their charge and mass number', () => {
    const { files } = convertElectrons({ particle: { id: 26 } });
    const problem = JSON.parse(files['problem.json'] ?? '') as TransportProblem;
    expect(problem.outputs[0]?.quantities[1]?.filter?.rules).toEqual([
      { keyword: 'Z', operator: '==', value: -1 },
      { keyword: 'A', operator: '==', value: 0 },
    ]);
  });

  it('for neutral particles means photons, without a warning', () => {
    expect(convertElectrons({ filterType: 'neutral', data: {} }).warnings).toEqual([]);
  });

  it('for protons is refused', () => {
    expect(() => convertElectrons({ particle: { id: 2 } })).toThrow(ConversionError);
  });
});

describe('a filter of Geant4 projects', () => {
  function filterOf(filterType: string, data: object) {
    const changes = { '/scoringManager/filters/0': { uuid: IDS.protons, name: 'filter', filterType, data } };
    const { files } = convert(readProject(buildProject(changes)), 'simA');
    return (JSON.parse(files['problem.json'] ?? '') as TransportProblem).outputs[0]?.quantities[1]?.filter;
  }

  it('becomes rules, energies in MeV', () => {
    const energy = { kineticEnergyLow: 500, kineticEnergyHigh: 2000, kineticEnergyUnit: 'keV' };
    const energyRules = [
      { keyword: 'E', operator: '>=', value: 0.5 },
      { keyword: 'E', operator: '<', value: 2 },
    ];
    expect(filterOf('charged', {})?.rules).toEqual([{ keyword: 'Z', operator: '!=', value: 0 }]);
    expect(filterOf('kineticEnergy', energy)?.rules).toEqual(energyRules);
    expect(filterOf('particleWithKineticEnergy', { ...energy, particleTypes: [{ id: 2 }] })).toEqual({
      name: 'filter',
      rules: energyRules,
      kinds: [{ z: 1, a: 1 }],
    });
    // proton and neutron in the ids of the project: any of them counts
    expect(filterOf('particle', { particleTypes: [{ id: 2 }, { id: 1 }] })).toEqual({
      name: 'filter',
      rules: [],
      kinds: [
        { z: 1, a: 1 },
        { z: 0, a: 1 },
      ],
    });
  });
});
