import type { Species } from '../../project/particle.js';

/** How SHIELD-HIT12A knows a particle. */
export interface BeamSpecies {
  /** `JPART0`. */
  readonly id: number;
  /** What its energies are in. */
  readonly unit: 'MeV' | 'MeV/nucl';
}

/** `JPART0` of an ion whose charge and mass `HIPROJ` gives. */
export const HEAVY_ION_ID = 25;

const ID_BY_NAME: Readonly<Record<string, number>> = {
  neutron: 1,
  proton: 2,
  'negative pion': 3,
  'positive pion': 4,
  'neutral pion': 5,
  antiproton: 7,
  'negative kaon': 8,
  'positive kaon': 9,
  'neutral kaon': 10,
  'long-lived neutral kaon': 11,
  'negative muon': 15,
  'positive muon': 16,
  deuteron: 21,
  triton: 22,
  'helium-3': 23,
  'helium-4': 24,
};
/** From this id on, energies are per nucleon. */
const FIRST_NUCLEUS_ID = 21;

/** The simulator's own particle; `undefined` for electrons, positrons and photons, which it does not transport. */
export function findBeamSpecies(species: Species): BeamSpecies | undefined {
  const isIon = species.z > 0 && species.a > 0;
  const id = ID_BY_NAME[species.name] ?? (isIon ? HEAVY_ION_ID : undefined);
  if (id === undefined) return undefined;
  return { id, unit: id >= FIRST_NUCLEUS_ID ? 'MeV/nucl' : 'MeV' };
}
