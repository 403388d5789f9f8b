import { readSpecies } from '../../deck/beam/read-species.js';
import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Filter } from '../../project/filter.js';
import type { Particle } from '../../project/particle.js';
import { integer, text, texts } from './parameter.js';
import { particleName } from './particle-name.js';

type Rule = Extract<Filter, { variant: 'custom' }>['rules'][number];

interface FilterContext {
  /** Parameter path of the scorer, `Sc/<name>`. */
  readonly scorer: string;
  /** JSON pointer of the filter. */
  readonly path: string;
  readonly report: ConversionReport;
}

/** Particles of one Z and A, by the rules that all three kinds of filters come down to. */
const NUCLEUS_RULES = { Z: 'AtomicNumber', A: 'AtomicMass' } as const;

/** The filters of a scorer; several of them hold together. */
export function convertFilter(filter: Filter, context: FilterContext): string[] {
  switch (filter.variant) {
    case 'custom':
      return uniqueParameters(
        filter.rules.map((rule, index) => convertRule(rule, { ...context, path: `${context.path}/rules/${index}` })),
        context,
      );
    case 'particle':
      return particleLines([filter.particle], `${context.path}/particle`, context);
    case 'geant4':
      return geant4Lines(filter, context);
  }
}

function geant4Lines(filter: Extract<Filter, { variant: 'geant4' }>, context: FilterContext): string[] {
  switch (filter.filterType) {
    case 'charged':
      return [texts(`${context.scorer}/OnlyIncludeParticlesNotCharged`, ['Neutral'])];
    case 'neutral':
      return [texts(`${context.scorer}/OnlyIncludeParticlesCharged`, ['Neutral'])];
    case 'particle':
      return particleLines(filter.data.particleTypes, `${context.path}/data/particleTypes`, context);
    case 'kineticEnergy':
    case 'particleWithKineticEnergy':
      context.report.refuse(`${context.path}/filterType`, 'a filter by the energy of the moment is not supported');
      return [];
  }
}

function convertRule({ keyword, operator, value }: Rule, { scorer, path, report }: FilterContext): string {
  if (keyword === 'Z' && operator === '==' && value === 0) {
    return texts(`${scorer}/OnlyIncludeParticlesCharged`, ['Neutral']);
  }
  if (keyword === 'Z' && isPositive(operator, value))
    return texts(`${scorer}/OnlyIncludeParticlesCharged`, ['Positive']);
  if (keyword === 'Z' && operator === '!=' && value === 0) {
    return texts(`${scorer}/OnlyIncludeParticlesNotCharged`, ['Neutral']);
  }
  if ((keyword === 'Z' || keyword === 'A') && Number.isInteger(value) && value > 0) {
    if (operator === '==') return integer(`${scorer}/OnlyIncludeParticlesOf${NUCLEUS_RULES[keyword]}`, value);
    if (operator === '!=') return integer(`${scorer}/OnlyIncludeParticlesNotOf${NUCLEUS_RULES[keyword]}`, value);
  }
  if (keyword === 'GEN' && isGeneration(operator, value)) {
    const isPrimary = operator === '==' || operator === '<' || operator === '<=';
    return text(`${scorer}/OnlyIncludeParticlesOfGeneration`, isPrimary ? 'Primary' : 'Secondary');
  }
  report.refuse(path, `the rule ${keyword} ${operator} ${value} is not supported`);
  return '';
}

/** `> 0` and `>= 1`. */
function isPositive(operator: string, value: number): boolean {
  return (operator === '>' && value === 0) || (operator === '>=' && value === 1);
}

/** Rules that tell the first generation, number 0, from all others. */
function isGeneration(operator: string, value: number): boolean {
  if (operator === '==' || operator === '!=' || operator === '>' || operator === '<=') return value === 0;
  return value === 1;
}

function particleLines(particles: readonly Particle[], path: string, context: FilterContext): string[] {
  const known = particles.flatMap((particle, index) => {
    const place = particles.length === 1 && !path.endsWith('s') ? path : `${path}/${index}`;
    return readSpecies(particle, place, context.report) ?? [];
  });
  if (particles.length === 0) context.report.refuse(path, 'must have a particle');
  const [only] = known;
  const isIon = (name: string): boolean => name.startsWith('GenericIon');
  const names = known.map(particleName);
  if (only !== undefined && known.length === 1 && isIon(names[0] ?? '')) {
    return [
      integer(`${context.scorer}/OnlyIncludeParticlesOfAtomicNumber`, only.z),
      integer(`${context.scorer}/OnlyIncludeParticlesOfAtomicMass`, only.a),
    ];
  }
  if (names.some(isIon)) context.report.refuse(path, 'an ion cannot stand in a list of particles');
  return [texts(`${context.scorer}/OnlyIncludeParticlesNamed`, names)];
}

/** A parameter may stand once in a file, so that two rules of one kind cannot be said. */
function uniqueParameters(lines: readonly string[], { path, report }: FilterContext): string[] {
  const unique = [...new Set(lines.filter((line) => line !== ''))];
  const names = unique.map((line) => line.slice(0, line.indexOf('=')));
  if (new Set(names).size < names.length) report.refuse(path, 'two rules of one kind are not supported');
  return unique;
}
