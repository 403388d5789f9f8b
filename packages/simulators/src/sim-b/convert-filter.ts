import type { ConversionReport } from '../deck/conversion-report.js';
import type { Filter } from '../project/filter.js';
import { findSpecies, type Particle, type Species } from '../project/particle.js';
import { findParticleCode, HEAVY_ION } from './particle-name.js';

/** What `AUXSCORE` selects: a particle or family of particles by name, or isotopes by a negative number. */
export type ParticleSelection = string | number;

type CustomFilter = Extract<Filter, { variant: 'custom' }>;
type Geant4Filter = Extract<Filter, { variant: 'geant4' }>;

const CHARGED = 'ALL-CHAR';
const NEUTRAL = 'ALL-NEUT';

/**
 * A filter as the one selection that the simulator makes: a particle, the charged or neutral ones, an isotope, or all
 * isotopes of a charge or mass number. Anything else is refused: without it the result would be another.
 * @returns `undefined` after refusing it
 */
export function convertFilter(
  filter: Filter,
  path: string,
  simulator: string,
  report: ConversionReport,
): ParticleSelection | undefined {
  switch (filter.variant) {
    case 'custom':
      return selectByRules(filter, path, simulator, report);
    case 'particle':
      return selectParticle(filter.particle, `${path}/particle`, simulator, report);
    case 'geant4':
      return selectByGeant4(filter, path, simulator, report);
  }
}

function selectByGeant4(
  { name, filterType, data }: Geant4Filter,
  path: string,
  simulator: string,
  report: ConversionReport,
): ParticleSelection | undefined {
  if (filterType === 'charged') return CHARGED;
  if (filterType === 'neutral') return NEUTRAL;
  const [particle, ...others] = data.particleTypes;
  if (filterType !== 'particle') {
    report.refuse(`${path}/filterType`, `a filter on energy ("${name}") is not supported`);
  } else if (particle === undefined || others.length > 0) {
    const message = `a filter for exactly one particle is supported, "${name}" has ${data.particleTypes.length}`;
    report.refuse(`${path}/data/particleTypes`, message);
  } else return selectParticle(particle, `${path}/data/particleTypes/0`, simulator, report);
  return undefined;
}

function selectParticle(
  particle: Particle,
  path: string,
  simulator: string,
  report: ConversionReport,
): ParticleSelection | undefined {
  const species = findSpecies(particle, simulator);
  if (species !== undefined) return selectSpecies(species, path, report);
  report.refuse(`${path}/id`, `no particle has the id ${particle.id}`);
  return undefined;
}

function selectSpecies(species: Species, path: string, report: ConversionReport): ParticleSelection | undefined {
  const code = findParticleCode(species);
  if (code === undefined) report.refuse(path, `a filter for the ${species.name} is not supported`);
  return code?.name === HEAVY_ION ? isotopeNumber(species.z, species.a) : code?.name;
}

/** Rules hold together, so that at most one of each keyword is needed; the others must be refused. */
function selectByRules(
  { name, rules }: CustomFilter,
  path: string,
  simulator: string,
  report: ConversionReport,
): ParticleSelection | undefined {
  const numbers = new Map<string, number>();
  let isUsable = true;
  for (const [index, { keyword, operator, value }] of rules.entries()) {
    const rulePath = `${path}/rules/${index}`;
    const isFamily = keyword === 'Z' && operator === '!=' && value === 0;
    if (isFamily && rules.length === 1) return CHARGED;
    if (operator !== '==' || !['A', 'Z', 'ID'].includes(keyword) || !Number.isInteger(value)) {
      report.refuse(rulePath, `the rule ${keyword} ${operator} ${value} of filter "${name}" is not supported`);
      isUsable = false;
    } else if ((numbers.get(keyword) ?? value) !== value) {
      report.refuse(rulePath, `contradicts an earlier rule of filter "${name}"`);
      isUsable = false;
    }
    numbers.set(keyword, value);
  }
  if (!isUsable) return undefined;
  return selectByNumbers(numbers, name, path, simulator, report);
}

function selectByNumbers(
  numbers: ReadonlyMap<string, number>,
  name: string,
  path: string,
  simulator: string,
  report: ConversionReport,
): ParticleSelection | undefined {
  const [z, a, id] = [numbers.get('Z'), numbers.get('A'), numbers.get('ID')];
  if (id !== undefined && z === undefined && a === undefined) {
    return selectParticle({ id }, `${path}/rules`, simulator, report);
  }
  if (id === undefined && z !== undefined && a !== undefined && a > 0) {
    return selectSpecies({ name: `nucleus (Z=${z}, A=${a})`, z, a }, `${path}/rules`, report);
  }
  if (id === undefined && z === 0 && a === undefined) return NEUTRAL;
  const [charge, mass] = [z ?? 0, a ?? 0];
  if (id === undefined && charge >= 0 && mass >= 0 && charge + mass > 0) return isotopeNumber(charge, mass);
  report.refuse(
    `${path}/rules`,
    `filter "${name}" is not supported: it must name a particle, a charge or a mass number`,
  );
  return undefined;
}

/** WHAT(2) of `AUXSCORE` for isotopes: −(100·Z + 100000·A); 0 in place of either means any. */
function isotopeNumber(z: number, a: number): number {
  return -(100 * z + 100_000 * a);
}
