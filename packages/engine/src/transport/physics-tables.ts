import type { Material, StoppingPowerTable } from '../problem/problem.js';
import { loadTransportModule, materialCalls } from './setup-calls.js';

/** Particle of a table: charge and mass number. */
export interface Nucleus {
  readonly z: number;
  readonly a: number;
}

/** Tables of one material, computed by the transport module itself. Energies: MeV of total kinetic energy. */
export interface PhysicsTables {
  /** Electronic mass stopping power, MeV cm²/g. */
  stoppingPower(particle: Nucleus, energyMev: number): number;
  /** Range in the continuous-slowing-down approximation, g/cm². */
  csdaRange(particle: Nucleus, energyMev: number): number;
  /** Energy with a CSDA range, MeV: the inverse of `csdaRange`. */
  energyOfRange(particle: Nucleus, rangeGcm2: number): number;
  /** Radiation length, g/cm². */
  radiationLength(): number;
  /** Macroscopic cross section of all nuclear interactions, cm²/g. */
  nuclearSigma(particle: Nucleus, energyMevPerNucleon: number): number;
}

/** The tables of a material (by its ICRU id, with the density and excitation energy given or the library's). */
export function physicsTables(material: Material, table: StoppingPowerTable = 'icru49'): PhysicsTables {
  const module = loadTransportModule(materialCalls(material, table));
  return {
    stoppingPower: ({ z, a }, energyMev) => module.call('stoppingPower', 0, z, a, energyMev),
    csdaRange: ({ z, a }, energyMev) => module.call('csdaRange', 0, z, a, energyMev),
    energyOfRange: ({ z, a }, rangeGcm2) => module.call('energyOfRange', 0, z, a, rangeGcm2),
    radiationLength: () => module.call('radiationLength', 0),
    nuclearSigma: ({ z, a }, energy) => module.call('nuclearSigma', 0, z, a, energy),
  };
}
