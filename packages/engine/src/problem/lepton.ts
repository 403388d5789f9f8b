import type { Fault } from '../fault.js';
import type { Beam, Quantity, TransportProblem } from './problem.js';

/** An electron, a positron or a photon. */
export interface Lepton {
  readonly name: string;
  readonly z: number;
  readonly a: 0;
  /** Rest energy, MeV. */
  readonly massMev: number;
  /** Number in filters on ID. */
  readonly id: number;
  /** Limits of a beam's energy. */
  readonly energyMinMev: number;
  readonly energyMaxMev: number;
}

const ELECTRON_MASS_MEV = 0.51099895;
const ENERGY_MAX_MEV = 25;
const OTHER_ID = 25;

/** All that a beam of any of them sets free, too. */
export const LEPTONS: readonly Lepton[] = [
  { name: 'electron', z: -1, a: 0, massMev: ELECTRON_MASS_MEV, id: 26, energyMinMev: 1, energyMaxMev: ENERGY_MAX_MEV },
  {
    name: 'positron',
    z: 1,
    a: 0,
    massMev: ELECTRON_MASS_MEV,
    id: OTHER_ID,
    energyMinMev: 1,
    energyMaxMev: ENERGY_MAX_MEV,
  },
  { name: 'photon', z: 0, a: 0, massMev: 0, id: OTHER_ID, energyMinMev: 0.1, energyMaxMev: ENERGY_MAX_MEV },
];

/** The lepton (or photon) that a beam's particle is; muons, pions and kaons have a mass number of 0 as well, and are none. */
export function findLepton({ name, z, a }: Beam['particle']): Lepton | undefined {
  return LEPTONS.find((lepton) => lepton.name === name && lepton.z === z && a === 0);
}

/** What is per nucleon, or per atomic mass. */
const PER_NUCLEON = new Set(['AvgEnergy', 'ENUC', 'EAMU']);

/** What a quantity asks that electrons and photons do not have. */
export function leptonFaults(quantity: Quantity, { beam }: TransportProblem, path: string): Fault[] {
  const lepton = findLepton(beam.particle);
  if (lepton === undefined) return [];
  const asked: [place: string, name: string][] = [
    ['keyword', quantity.keyword],
    ...quantity.modifiers.map(({ type }, i): [string, string] => [`modifiers[${i}].type`, type]),
    ...(quantity.filter?.rules ?? []).map(({ keyword }): [string, string] => ['filter', keyword]),
  ];
  return asked
    .filter(([, name]) => PER_NUCLEON.has(name))
    .map(([place, name]) => ({
      path: `${path}.${place}`,
      message: `${name} is per nucleon: beams of ${lepton.name}s have E instead`,
    }));
}
