import { type JsonObject, valueAt } from './pointer.js';

/** A particle that a beam or a filter can have. */
export interface ParticleChoice {
  readonly label: string;
  /** Of SHIELD-HIT12A, by which the field's editor named particles up to its format 0.12; absent: it had none. */
  readonly id?: number;
  /** Of the Particle Data Group, as format 0.13 has it. */
  readonly pdg: number;
  readonly name: string;
  readonly a: number;
  readonly z: number;
}

/** Id of an ion whose charge and mass are the user's. */
const HEAVY_ION = 25;

/** Those that are asked for most come first. */
export const PARTICLES: readonly ParticleChoice[] = [
  { label: 'Proton', id: 2, pdg: 2212, name: 'Proton', a: 1, z: 1 },
  { label: 'Ion, by Z and A', id: HEAVY_ION, pdg: 1000060120, name: 'Heavy ions', a: 12, z: 6 },
  { label: 'Helium-4', id: 24, pdg: 1000020040, name: 'Helium-4', a: 4, z: 2 },
  { label: 'Helium-3', id: 23, pdg: 1000020030, name: 'Helium-3', a: 3, z: 2 },
  { label: 'Deuteron', id: 21, pdg: 1000010020, name: 'Deuteron', a: 2, z: 1 },
  { label: 'Triton', id: 22, pdg: 1000010030, name: 'Triton', a: 3, z: 1 },
  { label: 'Neutron', id: 1, pdg: 2112, name: 'Neutron', a: 1, z: 0 },
  { label: 'Electron', id: 26, pdg: 11, name: 'Electron', a: 0, z: -1 },
  { label: 'Photon', pdg: 22, name: 'Photon', a: 0, z: 0 },
  { label: 'Pion π−', id: 3, pdg: -211, name: 'Pion π-', a: 0, z: -1 },
  { label: 'Pion π+', id: 4, pdg: 211, name: 'Pion π+', a: 0, z: 1 },
];

/** Which of the list a particle of a project is; `undefined` for another one, which stays as it is. */
export function findParticle(particle: unknown): ParticleChoice | undefined {
  const [id, pdg] = [valueAt(particle, '/id'), valueAt(particle, '/pdg')];
  const known = PARTICLES.find((one) =>
    typeof pdg === 'number' ? one.pdg === pdg : one.id !== undefined && one.id === id,
  );
  const isNucleus = typeof pdg === 'number' && pdg > 1_000_000_000;
  return known ?? (isNucleus ? PARTICLES.find((one) => one.id === HEAVY_ION) : undefined);
}

/** Whether charge and mass are the user's. */
export const isIon = (particle: unknown): boolean => findParticle(particle)?.id === HEAVY_ION;

/** A particle as it stands in a project of the same format as the particle before it. */
export function particleFor({ id, pdg, name, a, z }: ParticleChoice, before: unknown): JsonObject {
  const isNumbered = typeof valueAt(before, '/pdg') === 'number' || id === undefined;
  return isNumbered ? { pdg, name, a, z } : { id, name, a, z };
}

/** The same ion with another charge or mass. */
export function ionWith(before: JsonObject, change: { readonly a?: number; readonly z?: number }): JsonObject {
  const after: JsonObject = { ...before, ...change };
  if (typeof before.pdg !== 'number') return after;
  const { a, z } = after;
  return typeof a === 'number' && typeof z === 'number'
    ? { ...after, pdg: 1_000_000_000 + z * 10_000 + a * 10 }
    : after;
}
