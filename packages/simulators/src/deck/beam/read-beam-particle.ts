import { findSpecies, type Species } from '../../project/particle.js';
import type { Project } from '../../project/project.js';
import type { ConversionReport } from '../conversion-report.js';

/** The particle of the beam; `undefined` after refusing an id that the project's list does not have. */
export function readBeamParticle(project: Project, report: ConversionReport): Species | undefined {
  const { particle } = project.beam;
  const species = findSpecies(particle, project.project.simulator);
  if (species === undefined) report.refuse('/beam/particle/id', `no particle has the id ${particle.id}`);
  return species;
}
