import type { Quantity as EngineQuantity, FilterRule } from '@tally/engine';
import { readSpecies } from '../deck/beam/read-species.js';
import type { ConversionReport } from '../deck/conversion-report.js';
import type { Beam } from '../project/beam.js';
import { type Filter, MEV_PER_UNIT } from '../project/filter.js';
import { findSpecies, isLepton, type Particle } from '../project/particle.js';

type Geant4Filter = Extract<Filter, { variant: 'geant4' }>;

/**
 * A filter of any of the editor's three kinds as rules that must all hold. A filter that lets through only particles
 * that the engine does not follow, with the beam of the project, is refused: its result would be a zero that nobody computed.
 */
export function convertFilter(
  filter: Filter,
  path: string,
  beam: Beam,
  report: ConversionReport,
): NonNullable<EngineQuantity['filter']> {
  switch (filter.variant) {
    case 'custom':
      return {
        name: filter.name,
        rules: filter.rules.map(({ keyword, operator, value }) => ({ keyword, operator, value })),
      };
    case 'particle':
      return { name: filter.name, rules: particleRules(filter.particle, `${path}/particle`, beam, report) };
    case 'geant4':
      return { name: filter.name, rules: geant4Rules(filter, path, beam, report) };
  }
}

function geant4Rules(filter: Geant4Filter, path: string, beam: Beam, report: ConversionReport): FilterRule[] {
  switch (filter.filterType) {
    case 'charged':
      return [{ keyword: 'Z', operator: '!=', value: 0 }];
    case 'neutral':
      if (!isLeptonBeam(beam)) {
        report.warn('PHOTONS_NOT_FOLLOWED', `filter "${filter.name}" lets neutrons through: photons are not followed`);
      }
      return [{ keyword: 'Z', operator: '==', value: 0 }];
    case 'particle':
      return listedParticleRules(filter, path, beam, report);
    case 'kineticEnergy':
      return energyRules(filter, path, report);
    case 'particleWithKineticEnergy':
      return [...listedParticleRules(filter, path, beam, report), ...energyRules(filter, path, report)];
  }
}

/** All rules must hold, so that a list of several particles cannot be said. */
function listedParticleRules(filter: Geant4Filter, path: string, beam: Beam, report: ConversionReport): FilterRule[] {
  const [particle, ...others] = filter.data.particleTypes;
  const listPath = `${path}/data/particleTypes`;
  if (particle === undefined || others.length > 0) {
    report.refuse(
      listPath,
      `a filter for exactly one particle is supported, "${filter.name}" has ${filter.data.particleTypes.length}`,
    );
    return [];
  }
  return particleRules(particle, `${listPath}/0`, beam, report);
}

function isLeptonBeam(beam: Beam): boolean {
  const species = findSpecies(beam.particle);
  return species !== undefined && isLepton(species);
}

function particleRules(particle: Particle, path: string, beam: Beam, report: ConversionReport): FilterRule[] {
  const species = readSpecies(particle, path, report);
  if (species === undefined) return [];
  const isFollowed = isLeptonBeam(beam) ? isLepton(species) : species.a > 0 && species.z >= 0;
  if (!isFollowed) {
    report.refuse(path, `a filter for the ${species.name}, which is not followed`);
    return [];
  }
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
