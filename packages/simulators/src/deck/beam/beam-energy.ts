import type { Beam } from '../../project/beam.js';
import type { Species } from '../../project/particle.js';

/** Energies of a beam in the unit that a simulator takes for its particle. */
export interface BeamEnergy {
  readonly energy: number;
  /** Standard deviation. */
  readonly spread: number;
  readonly lowCutoff: number;
  /** Infinity where there is none. */
  readonly highCutoff: number;
}

/**
 * The beam's energies, spread and cut-offs in `unit`, the simulator's own for this particle. Only nuclei have an energy
 * per nucleon: the reader leaves `MeV/nucl` to no other particle.
 */
export function convertBeamEnergy(beam: Beam, species: Species, unit: Beam['energyUnit']): BeamEnergy {
  const nucleons = Math.max(species.a, 1);
  const factor = beam.energyUnit === unit ? 1 : unit === 'MeV' ? nucleons : 1 / nucleons;
  return {
    energy: beam.energy * factor,
    spread: beam.energySpread * factor,
    lowCutoff: beam.energyLowCutoff * factor,
    highCutoff: (beam.energyHighCutoff ?? Number.POSITIVE_INFINITY) * factor,
  };
}
