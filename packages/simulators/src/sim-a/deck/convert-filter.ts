import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import { formatShort } from '../../deck/number-format.js';
import { type Filter, MEV_PER_UNIT } from '../../project/filter.js';
import type { Particle } from '../../project/particle.js';
import { block } from './convert-detectors.js';
import { findBeamSpecies } from './species.js';

type Geant4Filter = Extract<Filter, { variant: 'geant4' }>;

/**
 * A `Filter` block of any of the editor's three kinds of filter. Nuclei are told by Z and A (of heavy ions those that
 * the project says; an antiproton has Z −1 and A 1), mesons and muons by their id.
 */
export function convertFilter(filter: Filter, name: string, context: FilterContext): string {
  return block('Filter', [`Name ${name}`, ...filterRules(filter, context)]);
}

interface FilterContext {
  /** JSON pointer of the filter. */
  readonly path: string;
  readonly report: ConversionReport;
}

function filterRules(filter: Filter, context: FilterContext): string[] {
  switch (filter.variant) {
    case 'custom':
      return filter.rules.map(({ keyword, operator, value }) => `${keyword} ${operator} ${formatValue(value)}`);
    case 'particle':
      return particleRules(filter.particle, { ...context, path: `${context.path}/particle` });
    case 'geant4':
      return geant4Rules(filter, context);
  }
}

function geant4Rules(filter: Geant4Filter, context: FilterContext): string[] {
  switch (filter.filterType) {
    case 'charged':
      return ['Z != 0'];
    case 'neutral':
      return ['Z == 0'];
    case 'particle':
      return listedRules(filter, context);
    case 'kineticEnergy':
      return energyRules(filter, context);
    case 'particleWithKineticEnergy':
      return [...listedRules(filter, context), ...energyRules(filter, context)];
  }
}

/** All rules must hold, so that a list of several particles cannot be said. */
function listedRules(filter: Geant4Filter, { path, report }: FilterContext): string[] {
  const [particle, ...others] = filter.data.particleTypes;
  const listPath = `${path}/data/particleTypes`;
  if (particle === undefined || others.length > 0) {
    const count = filter.data.particleTypes.length;
    report.refuse(listPath, `a filter for exactly one particle is supported, "${filter.name}" has ${count}`);
    return [];
  }
  return particleRules(particle, { path: `${listPath}/0`, report });
}

function particleRules(particle: Particle, { path, report }: FilterContext): string[] {
  const species = readSpecies(particle, path, report);
  if (species === undefined) return [];
  const own = findBeamSpecies(species);
  if (own === undefined) {
    report.refuse(path, `a filter for ${species.name}s, which are not transported`);
    return [];
  }
  return species.a === 0 ? [`ID == ${own.id}`] : [`Z == ${species.z}`, `A == ${species.a}`];
}

function energyRules({ data }: Geant4Filter, { path, report }: FilterContext): string[] {
  const mev = MEV_PER_UNIT[data.kineticEnergyUnit];
  const { kineticEnergyLow: low, kineticEnergyHigh: high } = data;
  if (low === undefined || high === undefined || low >= high) {
    report.refuse(`${path}/data/kineticEnergyHigh`, 'must be larger than kineticEnergyLow');
    return [];
  }
  return [`E >= ${formatValue(low * mev)}`, `E < ${formatValue(high * mev)}`];
}

function formatValue(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : formatShort(value);
}
