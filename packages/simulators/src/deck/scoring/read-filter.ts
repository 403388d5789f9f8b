import { type Filter, MEV_PER_UNIT } from '../../project/filter.js';
import { findPdgNumber, type Particle, type Species } from '../../project/particle.js';
import { readSpecies } from '../beam/read-species.js';
import type { ConversionReport } from '../conversion-report.js';

/** What passes a filter, said without the words of any simulator: particles, and a range of their energy. */
export interface ReadFilter {
  /** `undefined`: of any kind. */
  readonly particles?: FilteredParticles;
  /** Total kinetic energy from `low` on and below `high`, MeV. */
  readonly energyMev?: { readonly low: number; readonly high: number };
}

export type FilteredParticles =
  | { readonly type: 'charged' }
  | { readonly type: 'neutral' }
  /** Any of these. */
  | { readonly type: 'species'; readonly species: readonly Species[] }
  /** All nuclei of one charge or one mass number; 0 stands for any. */
  | { readonly type: 'isotopes'; readonly z: number; readonly a: number };

type CustomFilter = Extract<Filter, { variant: 'custom' }>;
type Geant4Filter = Extract<Filter, { variant: 'geant4' }>;

/**
 * Reads a filter of any of the editor's three kinds for simulators that select by kind of particle and by energy.
 * Rules on anything else are refused: without them the result would be another.
 * @returns `undefined` after refusing it
 */
export function readFilter(filter: Filter, path: string, report: ConversionReport): ReadFilter | undefined {
  switch (filter.variant) {
    case 'custom':
      return readRules(filter, path, report);
    case 'particle': {
      const species = readParticles([filter.particle], [`${path}/particle`], report);
      return species && { particles: { type: 'species', species } };
    }
    case 'geant4':
      return readGeant4(filter, path, report);
  }
}

function readGeant4(
  { filterType, data, name }: Geant4Filter,
  path: string,
  report: ConversionReport,
): ReadFilter | undefined {
  if (filterType === 'charged' || filterType === 'neutral') return { particles: { type: filterType } };
  const { particleTypes, kineticEnergyLow: low, kineticEnergyHigh: high, kineticEnergyUnit } = data;
  const hasParticles = filterType !== 'kineticEnergy';
  const hasEnergy = filterType !== 'particle';
  const listPath = `${path}/data/particleTypes`;
  if (hasParticles && particleTypes.length === 0) report.refuse(listPath, `filter "${name}" must name a particle`);
  const paths = particleTypes.map((_, index) => `${listPath}/${index}`);
  const species = hasParticles ? readParticles(particleTypes, paths, report) : [];
  const isRange = low !== undefined && high !== undefined && low < high;
  if (hasEnergy && !isRange) {
    report.refuse(`${path}/data/kineticEnergyHigh`, 'must be larger than kineticEnergyLow');
    return undefined;
  }
  if (species === undefined || (hasParticles && species.length === 0)) return undefined;
  const mev = MEV_PER_UNIT[kineticEnergyUnit];
  return {
    ...(hasParticles ? { particles: { type: 'species', species } } : {}),
    ...(hasEnergy && isRange ? { energyMev: { low: low * mev, high: high * mev } } : {}),
  };
}

function readParticles(
  particles: readonly Particle[],
  paths: readonly string[],
  report: ConversionReport,
): readonly Species[] | undefined {
  const found = particles.flatMap((particle, index) => readSpecies(particle, paths[index] ?? '', report) ?? []);
  return found.length === particles.length ? found : undefined;
}

/**
 * Rules hold together: one value each of charge, mass number and id, and the narrowest range of energies. An energy per
 * nucleon is one of the whole particle where another rule says how many nucleons it has.
 */
function readRules({ name, rules }: CustomFilter, path: string, report: ConversionReport): ReadFilter | undefined {
  const numbers = new Map<string, number>();
  let [low, high] = [0, Number.POSITIVE_INFINITY];
  let isCharged = false;
  let isUsable = true;
  const refuse = (rulePath: string, message: string): void => {
    report.refuse(rulePath, message);
    isUsable = false;
  };
  const nucleons = rules.find((rule) => rule.keyword === 'A' && rule.operator === '==')?.value ?? 0;
  for (const [index, { keyword, operator, value }] of rules.entries()) {
    const rulePath = `${path}/rules/${index}`;
    const isEnergy = keyword === 'E' || (keyword === 'ENUC' && nucleons > 0);
    const energyMev = keyword === 'ENUC' ? value * nucleons : value;
    if (isEnergy && (operator === '>' || operator === '>=')) low = Math.max(low, energyMev);
    else if (isEnergy && (operator === '<' || operator === '<=')) high = Math.min(high, energyMev);
    else if (keyword === 'Z' && operator === '!=' && value === 0) isCharged = true;
    else if (!['Z', 'A', 'ID'].includes(keyword) || operator !== '==' || !Number.isInteger(value)) {
      refuse(rulePath, `the rule ${keyword} ${operator} ${value} of filter "${name}" is not supported`);
    } else if ((numbers.get(keyword) ?? value) !== value) {
      refuse(rulePath, `contradicts an earlier rule of filter "${name}"`);
    } else numbers.set(keyword, value);
  }
  if (low >= high) refuse(`${path}/rules`, `no energy passes filter "${name}"`);
  const particles = selectByNumbers(numbers, isCharged, path, report);
  if (particles === 'refused' || !isUsable) return undefined;
  return {
    ...(particles === undefined ? {} : { particles }),
    ...(low > 0 || high < Number.POSITIVE_INFINITY ? { energyMev: { low, high } } : {}),
  };
}

function selectByNumbers(
  numbers: ReadonlyMap<string, number>,
  isCharged: boolean,
  path: string,
  report: ConversionReport,
): FilteredParticles | 'refused' | undefined {
  const [z, a, id] = [numbers.get('Z'), numbers.get('A'), numbers.get('ID')];
  if (numbers.size === 0) return isCharged ? { type: 'charged' } : undefined;
  if (id !== undefined && numbers.size === 1 && !isCharged) {
    // ids in rules are those of SHIELD-HIT12A in every project
    const species = readParticles([{ id, pdg: findPdgNumber({ id }, 'shieldhit') }], [`${path}/rules`], report);
    return species === undefined ? 'refused' : { type: 'species', species };
  }
  // a charge of its own makes "not neutral" say nothing new
  const saysMore = isCharged && (z === undefined || z === 0);
  if (id === undefined && !saysMore) {
    if (z !== undefined && a !== undefined && a > 0) {
      return { type: 'species', species: [{ name: `nucleus (Z=${z}, A=${a})`, z, a }] };
    }
    if (z === 0 && a === undefined) return { type: 'neutral' };
    const [charge, mass] = [z ?? 0, a ?? 0];
    if (charge >= 0 && mass >= 0 && charge + mass > 0) return { type: 'isotopes', z: charge, a: mass };
  }
  report.refuse(`${path}/rules`, 'must name one particle by Z and A or by ID, or all of one charge or mass number');
  return 'refused';
}
