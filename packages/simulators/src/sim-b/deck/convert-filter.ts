import type { ConversionReport } from '../../deck/conversion-report.js';
import { readFilter } from '../../deck/scoring/read-filter.js';
import type { Filter } from '../../project/filter.js';
import type { Species } from '../../project/particle.js';
import { findParticleCode, HEAVY_ION } from './particle-name.js';

/** What `AUXSCORE` selects: a particle or family of particles by name, or isotopes by a negative number. */
export type ParticleSelection = string | number;

/**
 * A filter as the one selection that the simulator makes: a particle, the charged or neutral ones, an isotope, or all
 * isotopes of a charge or mass number. Anything else is refused: without it the result would be another.
 * @returns `undefined` after refusing it, and for a filter that lets everything through
 */
export function convertFilter(filter: Filter, path: string, report: ConversionReport): ParticleSelection | undefined {
  const { particles, energyMev } = readFilter(filter, path, report) ?? {};
  if (energyMev !== undefined) report.refuse(path, `a filter on energy ("${filter.name}") is not supported`);
  switch (particles?.type) {
    case undefined:
      return undefined;
    case 'charged':
      return 'ALL-CHAR';
    case 'neutral':
      return 'ALL-NEUT';
    case 'isotopes':
      return isotopeNumber(particles);
    case 'species': {
      const [species, ...others] = particles.species;
      if (species !== undefined && others.length === 0) return selectSpecies(species, path, report);
      const message = `a filter for exactly one particle is supported, "${filter.name}" has ${particles.species.length}`;
      report.refuse(path, message);
      return undefined;
    }
  }
}

function selectSpecies(species: Species, path: string, report: ConversionReport): ParticleSelection | undefined {
  const code = findParticleCode(species);
  if (code === undefined) report.refuse(path, `a filter for the ${species.name} is not supported`);
  return code?.name === HEAVY_ION ? isotopeNumber(species) : code?.name;
}

/** WHAT(2) of `AUXSCORE` for isotopes: −(100·Z + 100000·A); 0 in place of either means any. */
function isotopeNumber({ z, a }: { readonly z: number; readonly a: number }): number {
  return -(100 * z + 100_000 * a);
}
