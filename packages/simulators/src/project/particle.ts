import { z } from 'zod';
import { nameField } from './fields.js';

/** A particle as the editor names it: a number whose meaning depends on the project's simulator. */
export const particleSchema = z.looseObject({
  id: z.int(),
  name: nameField.optional(),
  /** Mass and charge number, set for ions. */
  a: z.int().min(0).max(300).nullish(),
  z: z.int().min(-1).max(120).nullish(),
});

export type Particle = z.output<typeof particleSchema>;

/** What a particle is: charge number `z`, mass number `a` (0 for what is no nucleus). */
export interface Species {
  readonly name: string;
  readonly z: number;
  readonly a: number;
}

/** Id of "heavy ion" in every list: charge and mass are the user's. */
const HEAVY_ION_ID = 25;
/** What the editor sets when the user chose a heavy ion and nothing else. */
const DEFAULT_ION = { a: 12, z: 6 };

const COMMON_SPECIES: Readonly<Record<number, Species>> = {
  1: { name: 'neutron', z: 0, a: 1 },
  2: { name: 'proton', z: 1, a: 1 },
  3: { name: 'negative pion', z: -1, a: 0 },
  4: { name: 'positive pion', z: 1, a: 0 },
  5: { name: 'neutral pion', z: 0, a: 0 },
  7: { name: 'antiproton', z: -1, a: 1 },
  8: { name: 'negative kaon', z: -1, a: 0 },
  9: { name: 'positive kaon', z: 1, a: 0 },
  10: { name: 'neutral kaon', z: 0, a: 0 },
  11: { name: 'long-lived neutral kaon', z: 0, a: 0 },
  15: { name: 'negative muon', z: -1, a: 0 },
  16: { name: 'positive muon', z: 1, a: 0 },
  21: { name: 'deuteron', z: 1, a: 2 },
  22: { name: 'triton', z: 1, a: 3 },
  23: { name: 'helium-3', z: 2, a: 3 },
  24: { name: 'helium-4', z: 2, a: 4 },
  26: { name: 'electron', z: -1, a: 0 },
};

const GEANT4_SPECIES: Readonly<Record<number, Species>> = {
  1: { name: 'neutron', z: 0, a: 1 },
  2: { name: 'proton', z: 1, a: 1 },
  3: { name: 'photon', z: 0, a: 0 },
  4: { name: 'electron', z: -1, a: 0 },
  5: { name: 'positron', z: 1, a: 0 },
  6: { name: 'helium-4', z: 2, a: 4 },
  7: { name: 'negative muon', z: -1, a: 0 },
  8: { name: 'positive muon', z: 1, a: 0 },
  9: { name: 'negative pion', z: -1, a: 0 },
  10: { name: 'positive pion', z: 1, a: 0 },
  11: { name: 'carbon-12', z: 6, a: 12 },
};

/**
 * Which particle an id means: id 3 is a pion in the common, SHIELD-HIT12A and FLUKA lists and a photon in Geant4's.
 * @returns `undefined` for an id that the list does not have
 */
export function findSpecies(particle: Particle, simulator: string): Species | undefined {
  if (particle.id === HEAVY_ION_ID) {
    const { z: charge, a: mass } = { z: particle.z ?? DEFAULT_ION.z, a: particle.a ?? DEFAULT_ION.a };
    return { name: `ion (Z=${charge}, A=${mass})`, z: charge, a: mass };
  }
  return (simulator === 'geant4' ? GEANT4_SPECIES : COMMON_SPECIES)[particle.id];
}
