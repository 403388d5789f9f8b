import { describe, expect, it } from '@jest/globals';
import { findSpecies } from './particle.js';

describe('findSpecies', () => {
  it('reads an id by the list of the simulator that the project is set to', () => {
    expect(findSpecies({ id: 3 }, 'common')).toEqual({ name: 'negative pion', z: -1, a: 0 });
    expect(findSpecies({ id: 3 }, 'geant4')).toEqual({ name: 'photon', z: 0, a: 0 });
    expect(findSpecies({ id: 6 }, 'geant4')).toEqual({ name: 'helium-4', z: 2, a: 4 });
    expect(findSpecies({ id: 11 }, 'geant4')).toEqual({ name: 'carbon-12', z: 6, a: 12 });
    expect(findSpecies({ id: 24 }, 'shieldhit')).toEqual({ name: 'helium-4', z: 2, a: 4 });
    expect(findSpecies({ id: 26 }, 'fluka')).toEqual({ name: 'electron', z: -1, a: 0 });
  });

  it('takes charge and mass of a heavy ion from the user, carbon-12 by default', () => {
    expect(findSpecies({ id: 25, z: 8, a: 16 }, 'common')).toMatchObject({ z: 8, a: 16 });
    expect(findSpecies({ id: 25, z: null }, 'geant4')).toMatchObject({ z: 6, a: 12 });
  });

  it('does not know ids that are not in the list', () => {
    expect(findSpecies({ id: 6 }, 'common')).toBeUndefined();
    expect(findSpecies({ id: 21 }, 'geant4')).toBeUndefined();
  });
});
