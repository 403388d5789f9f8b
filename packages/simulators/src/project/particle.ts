import { z } from 'zod';
import { isObject, type JsonObject, memberOf } from './json.js';

/**
 * A particle by its number in the Monte Carlo scheme of the Particle Data Group (Review of Particle Physics, 2022,
 * section 45). One without a number was named by an id that the project's list does not have.
 */
export const particleSchema = z
  .looseObject({ pdg: z.int().optional(), id: z.int().optional() })
  .refine(({ pdg, id }) => pdg !== undefined || id !== HEAVY_ION_ID, {
    path: ['a'],
    message: 'must be, with z, the numbers of a nucleus',
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
/** Number of the particle that a project has until someone chooses another. */
export const PROTON = 2212;
const CHARGE_MAX = 120;
const MASS_NUMBER_MAX = 300;

const SPECIES: ReadonlyMap<number, Species> = new Map([
  [2112, { name: 'neutron', z: 0, a: 1 }],
  [PROTON, { name: 'proton', z: 1, a: 1 }],
  [-2212, { name: 'antiproton', z: -1, a: 1 }],
  [22, { name: 'photon', z: 0, a: 0 }],
  [11, { name: 'electron', z: -1, a: 0 }],
  [-11, { name: 'positron', z: 1, a: 0 }],
  [13, { name: 'negative muon', z: -1, a: 0 }],
  [-13, { name: 'positive muon', z: 1, a: 0 }],
  [111, { name: 'neutral pion', z: 0, a: 0 }],
  [211, { name: 'positive pion', z: 1, a: 0 }],
  [-211, { name: 'negative pion', z: -1, a: 0 }],
  [321, { name: 'positive kaon', z: 1, a: 0 }],
  [-321, { name: 'negative kaon', z: -1, a: 0 }],
  [311, { name: 'neutral kaon', z: 0, a: 0 }],
  [130, { name: 'long-lived neutral kaon', z: 0, a: 0 }],
]);
const LEPTONS = new Set([11, -11, 22].map((pdg) => SPECIES.get(pdg)?.name));
/** Nuclei that have a name of their own, by charge and mass number; the first two are particles, too. */
const NUCLEI: ReadonlyMap<string, Species> = new Map([
  ['0/1', { name: 'neutron', z: 0, a: 1 }],
  ['1/1', { name: 'proton', z: 1, a: 1 }],
  ['1/2', { name: 'deuteron', z: 1, a: 2 }],
  ['1/3', { name: 'triton', z: 1, a: 3 }],
  ['2/3', { name: 'helium-3', z: 2, a: 3 }],
  ['2/4', { name: 'helium-4', z: 2, a: 4 }],
]);

/** Ids of SHIELD-HIT12A and FLUKA, which the editor uses for all but Geant4 projects. */
const COMMON_IDS: ReadonlyMap<number, number> = new Map([
  [1, 2112],
  [2, PROTON],
  [3, -211],
  [4, 211],
  [5, 111],
  [7, -2212],
  [8, -321],
  [9, 321],
  [10, 311],
  [11, 130],
  [15, 13],
  [16, -13],
  [21, nucleusNumber(1, 2)],
  [22, nucleusNumber(1, 3)],
  [23, nucleusNumber(2, 3)],
  [24, nucleusNumber(2, 4)],
  [26, 11],
]);
const GEANT4_IDS: ReadonlyMap<number, number> = new Map([
  [1, 2112],
  [2, PROTON],
  [3, 22],
  [4, 11],
  [5, -11],
  [6, nucleusNumber(2, 4)],
  [7, 13],
  [8, -13],
  [9, -211],
  [10, 211],
  [11, nucleusNumber(6, 12)],
]);

/**
 * The number of a particle that is named by an id, as the editor did up to format 0.12: id 3 is a pion in the common,
 * SHIELD-HIT12A and FLUKA list and a photon in Geant4's.
 * @returns `undefined` for an id that the list does not have, and for a heavy ion that is no nucleus
 */
export function findPdgNumber({ id, z, a }: JsonObject, simulator: unknown): number | undefined {
  if (typeof id !== 'number') return undefined;
  if (id !== HEAVY_ION_ID) return (simulator === 'geant4' ? GEANT4_IDS : COMMON_IDS).get(id);
  const [charge, mass] = [z ?? DEFAULT_ION.z, a ?? DEFAULT_ION.a];
  const isNucleus = isWithin(charge, 1, CHARGE_MAX) && isWithin(mass, 1, MASS_NUMBER_MAX);
  return isNucleus ? nucleusNumber(charge, mass) : undefined;
}

/** A particle of any format with its number. */
export function numberParticle(particle: unknown, simulator: unknown): unknown {
  if (!isObject(particle) || (memberOf(particle, 'pdg') ?? undefined) !== undefined) return particle;
  const { pdg: _, ...named } = particle;
  const pdg = findPdgNumber(named, simulator);
  return pdg === undefined ? named : { ...named, pdg };
}

/**
 * What a number of the Particle Data Group means; nuclei in their ground state are 10LZZZAAAI with L = I = 0.
 * @returns `undefined` for particles that no simulator here is asked for: other hadrons, antinuclei, isomers
 */
export function findSpecies({ pdg }: Particle): Species | undefined {
  if (pdg === undefined) return undefined;
  const digits = /^100(\d{3})(\d{3})0$/.exec(`${pdg}`);
  if (digits === null) return SPECIES.get(pdg);
  const [z, a] = [Number(digits[1]), Number(digits[2])];
  return NUCLEI.get(`${z}/${a}`) ?? (z > 0 && a > 0 ? { name: `ion (Z=${z}, A=${a})`, z, a } : undefined);
}

/** Whether a species is an electron, a positron or a photon, which beams of any of them set free. */
export function isLepton({ name }: Species): boolean {
  return LEPTONS.has(name);
}

function nucleusNumber(z: number, a: number): number {
  return 1_000_000_000 + z * 10_000 + a * 10;
}

function isWithin(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}
