import type { Material, StoppingPowerTable } from '../problem/problem.js';
import { loadTransportModule, materialCalls } from './setup-calls.js';

/** Tables of electrons and photons in one material, computed by the transport module itself. Energies: MeV of kinetic energy. */
export interface ElectronTables {
  /** Collision stopping power, MeV cm²/g. */
  collisionStoppingPower(energyMev: number): number;
  /** Radiative stopping power, MeV cm²/g. */
  radiativeStoppingPower(energyMev: number): number;
  /** Range in the continuous-slowing-down approximation, g/cm². */
  csdaRange(energyMev: number): number;
  /** Mass attenuation coefficient of photons without coherent scattering, cm²/g. */
  attenuation(energyMev: number): number;
}

/** The tables of a material (by its ICRU id, with the density and excitation energy given or the library's). */
export function electronTables(material: Material, table: StoppingPowerTable = 'icru49'): ElectronTables {
  const module = loadTransportModule(materialCalls(material, table, true));
  module.call('prepareElectrons');
  const property = (item: number) => (energyMev: number) => module.call('electronProperty', 0, item, energyMev);
  return {
    collisionStoppingPower: property(0),
    radiativeStoppingPower: property(1),
    csdaRange: property(2),
    attenuation: property(3),
  };
}
