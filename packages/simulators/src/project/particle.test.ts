import { describe, expect, it } from '@jest/globals';
import { findPdgNumber, findSpecies, numberParticle } from './particle.js';

const speciesOf = (particle: Record<string, unknown>, simulator: string) =>
  findSpecies({ pdg: findPdgNumber(particle, simulator) });

describe('a particle by its id', () => {
  it('is that of the list of the simulator that the project is set to', () => {
    expect(speciesOf({ id: 3 }, 'common')).toEqual({ name: 'negative pion', z: -1, a: 0 });
    expect(speciesOf({ id: 3 }, 'geant4')).toEqual({ name: 'photon', z: 0, a: 0 });
    expect(speciesOf({ id: 6 }, 'geant4')).toEqual({ name: 'helium-4', z: 2, a: 4 });
    expect(speciesOf({ id: 11 }, 'geant4')).toEqual({ name: 'ion (Z=6, A=12)', z: 6, a: 12 });
    expect(speciesOf({ id: 24 }, 'shieldhit')).toEqual({ name: 'helium-4', z: 2, a: 4 });
    expect(speciesOf({ id: 26 }, 'fluka')).toEqual({ name: 'electron', z: -1, a: 0 });
    expect(speciesOf({ id: 7, a: 1, z: 1 }, 'common')).toEqual({ name: 'antiproton', z: -1, a: 1 });
  });

  it('has, as a heavy ion, the charge and mass that the user chose, carbon-12 by default', () => {
    expect(speciesOf({ id: 25, z: 8, a: 16 }, 'common')).toMatchObject({ z: 8, a: 16 });
    expect(speciesOf({ id: 25, z: null }, 'geant4')).toMatchObject({ z: 6, a: 12 });
  });

  it('is none where the list does not have the id, or the ion is no nucleus', () => {
    expect(findPdgNumber({ id: 6 }, 'common')).toBeUndefined();
    expect(findPdgNumber({ id: 21 }, 'geant4')).toBeUndefined();
    expect(findPdgNumber({ id: 25, a: 4.5, z: 2 }, 'common')).toBeUndefined();
    expect(findPdgNumber({ id: 25, a: 4, z: 0 }, 'common')).toBeUndefined();
  });
});

describe('a particle by the number of the Particle Data Group', () => {
  it.each([
    [2212, { name: 'proton', z: 1, a: 1 }],
    [2112, { name: 'neutron', z: 0, a: 1 }],
    [-2212, { name: 'antiproton', z: -1, a: 1 }],
    [22, { name: 'photon', z: 0, a: 0 }],
    [11, { name: 'electron', z: -1, a: 0 }],
    [-13, { name: 'positive muon', z: 1, a: 0 }],
    [130, { name: 'long-lived neutral kaon', z: 0, a: 0 }],
    [1000010010, { name: 'proton', z: 1, a: 1 }],
    [1000010020, { name: 'deuteron', z: 1, a: 2 }],
    [1000020040, { name: 'helium-4', z: 2, a: 4 }],
    [1000060120, { name: 'ion (Z=6, A=12)', z: 6, a: 12 }],
    [1000922380, { name: 'ion (Z=92, A=238)', z: 92, a: 238 }],
  ])('%d is known', (pdg, species) => {
    expect(findSpecies({ pdg })).toEqual(species);
  });

  it.each([[0], [310], [2224], [1010010030], [1000060121], [-1000020040], [1000000000], [10000601200]])(
    '%d is none that a simulator is asked for: another hadron, a hypernucleus, an isomer, an antinucleus',
    (pdg) => {
      expect(findSpecies({ pdg })).toBeUndefined();
    },
  );

  it('wins over an id beside it', () => {
    expect(numberParticle({ pdg: 22, id: 2 }, 'common')).toEqual({ pdg: 22, id: 2 });
    expect(numberParticle({ pdg: null, id: 2, name: 'Proton' }, 'common')).toEqual({
      pdg: 2212,
      id: 2,
      name: 'Proton',
    });
  });
});
