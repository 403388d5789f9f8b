import { findSpecies, type Particle, type Species } from '../../project/particle.js';
import type { ConversionReport } from '../conversion-report.js';

/** What the particle at `path` is; `undefined` after refusing one that no simulator knows. */
export function readSpecies(particle: Particle, path: string, report: ConversionReport): Species | undefined {
  const species = findSpecies(particle);
  if (species === undefined && particle.pdg === undefined) {
    report.refuse(`${path}/id`, `no particle has the id ${particle.id}`);
  } else if (species === undefined) report.refuse(`${path}/pdg`, `no particle has the number ${particle.pdg}`);
  return species;
}
