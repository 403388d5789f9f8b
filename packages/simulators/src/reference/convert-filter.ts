import type { Filter as EngineFilter, FilterRule } from '@tally/engine';
import { readSpecies } from '../deck/beam/read-species.js';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { Beam } from '../project/beam.js';
import { type Filter, MEV_PER_UNIT } from '../project/filter.js';
import { findSpecies, isLepton, type Particle, type Species } from '../project/particle.js';

type Geant4Filter = Extract<Filter, { variant: 'geant4' }>;

/**
 * A filter of any of the editor's three kinds as rules that must all hold, and particles of which any counts. A filter that lets through only particles
 * that the engine does not follow, with the beam of the project, is refused: its result would be a zero that nobody computed.
 */
export function convertFilter(filter: Filter, path: string, beam: Beam, report: ConversionReport): EngineFilter {
  switch (filter.variant) {
    case 'custom':
      return {
        name: filter.name,
        rules: filter.rules.map(({ keyword, operator, value }) => ({ keyword, operator, value })),
      };
    case 'particle':
      return { name: filter.name, rules: particleRules(filter.particle, `${path}/particle`, beam, report) };
    case 'geant4':
      return readGeant4(filter, path, beam, report);
  }
}

function readGeant4(filter: Geant4Filter, path: string, beam: Beam, report: ConversionReport): EngineFilter {
  const { name, filterType } = filter;
  switch (filterType) {
    case 'charged':
      return { name, rules: [{ keyword: 'Z', operator: '!=', value: 0 }] };
    case 'neutral':
      if (!isLeptonBeam(beam)) {
        report.warn('PHOTONS_NOT_FOLLOWED', `filter "${name}" lets neutrons through: photons are not followed`);
      }
      return { name, rules: [{ keyword: 'Z', operator: '==', value: 0 }] };
    case 'particle':
      return { name, rules: [], ...listedKinds(filter, path, beam, report) };
    case 'kineticEnergy':
      return { name, rules: energyRules(filter, path, report) };
    case 'particleWithKineticEnergy':
      return { name, rules: energyRules(filter, path, report), ...listedKinds(filter, path, beam, report) };
  }
}

/** Any of the listed particles counts; without all of them the result would be another. */
function listedKinds(
  { name, data }: Geant4Filter,
  path: string,
  beam: Beam,
  report: ConversionReport,
): Pick<EngineFilter, 'kinds'> {
  const listPath = `${path}/data/particleTypes`;
  if (data.particleTypes.length === 0) report.refuse(listPath, `filter "${name}" must name a particle`);
  const kinds = data.particleTypes.flatMap(
    (particle, index) => readFollowed(particle, `${listPath}/${index}`, beam, report) ?? [],
  );
  return kinds.length === 0 ? {} : { kinds: kinds.map(({ z, a }) => ({ z, a })) };
}

function isLeptonBeam(beam: Beam): boolean {
  const species = findSpecies(beam.particle);
  return species !== undefined && isLepton(species);
}

/** A particle that is followed; another one is refused. */
function readFollowed(particle: Particle, path: string, beam: Beam, report: ConversionReport): Species | undefined {
  const species = readSpecies(particle, path, report);
  if (species === undefined) return undefined;
  const isFollowed = isLeptonBeam(beam) ? isLepton(species) : species.a > 0 && species.z >= 0;
  if (isFollowed) return species;
  report.refuse(path, `a filter for the ${species.name}, which is not followed`);
  return undefined;
}

function particleRules(particle: Particle, path: string, beam: Beam, report: ConversionReport): FilterRule[] {
  const species = readFollowed(particle, path, beam, report);
  if (species === undefined) return [];
  return [
    { keyword: 'Z', operator: '==', value: species.z },
    { keyword: 'A', operator: '==', value: species.a },
  ];
}

function energyRules({ data }: Geant4Filter, path: string, report: ConversionReport): FilterRule[] {
  const mev = MEV_PER_UNIT[data.kineticEnergyUnit];
  const { kineticEnergyLow: low, kineticEnergyHigh: high } = data;
  if (low === undefined || high === undefined || low >= high) {
    report.refuse(`${path}/data/kineticEnergyHigh`, 'must be larger than kineticEnergyLow');
    return [];
  }
  return [
    { keyword: 'E', operator: '>=', value: low * mev },
    { keyword: 'E', operator: '<', value: high * mev },
  ];
}
