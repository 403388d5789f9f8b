import type { ConversionReport } from '../../deck/conversion-report.js';
import { type FilteredParticles, readFilter } from '../../deck/scoring/read-filter.js';
import type { Filter } from '../../project/filter.js';
import { formatNumber } from './format-number.js';
import { findParticleName } from './particle-name.js';

/** End of a range of energies that has none, MeV. */
const ENERGY_MEV_MAX = 1e12;

/**
 * A filter as the one command that a scorer takes: charged, neutral, particles by name, a range of energies, or the last
 * two together. What has no command is refused: without it the result would be another.
 * @param name of the filter in the macro
 * @returns `undefined` after refusing it, and for a filter that lets everything through
 */
export function convertFilter(
  filter: Filter,
  name: string,
  path: string,
  report: ConversionReport,
): string | undefined {
  const { particles, energyMev } = readFilter(filter, path, report) ?? {};
  const range = energyMev && describeRange(energyMev);
  if (particles === undefined) return range && `/score/filter/kineticEnergy ${name} ${range}`;
  if (particles.type === 'charged' || particles.type === 'neutral') {
    if (range === undefined) return `/score/filter/${particles.type} ${name}`;
    report.refuse(path, `filter "${filter.name}" must not select ${particles.type} particles and energies at once`);
    return undefined;
  }
  const names = listNames(particles, filter.name, path, report);
  if (names === undefined) return undefined;
  return range === undefined
    ? `/score/filter/particle ${name} ${names}`
    : `/score/filter/particleWithKineticEnergy ${name} ${range} ${names}`;
}

function describeRange({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${formatNumber(low)} ${formatNumber(Math.min(high, ENERGY_MEV_MAX))} MeV`;
}

function listNames(
  particles: Extract<FilteredParticles, { type: 'species' | 'isotopes' }>,
  filterName: string,
  path: string,
  report: ConversionReport,
): string | undefined {
  if (particles.type === 'isotopes') {
    report.refuse(path, `filter "${filterName}" must name particles: all isotopes at once are not supported`);
    return undefined;
  }
  const names = particles.species.map((species) => {
    const name = findParticleName(species);
    if (name === undefined) report.refuse(path, `a filter for ${species.name} is not supported`);
    return name;
  });
  return names.includes(undefined) ? undefined : names.join(' ');
}
