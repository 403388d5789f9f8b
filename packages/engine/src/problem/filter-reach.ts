import { findMaterial } from '../material/material-library.js';
import { findLepton, LEPTONS } from './lepton.js';
import type { Beam, Filter, FilterRule, Quantity, TransportProblem } from './problem.js';

/** A kind of particle that the engine may follow. */
interface Kind {
  readonly z: number;
  readonly a: number;
  readonly id: number;
  /** Rest energy, MeV; nearly. */
  readonly massMev: number;
}

const ATOMIC_MASS_UNIT_MEV = 931.49410242;
/** Largest relative difference between a nuclear mass and A·u. */
const MASS_DEFECT_MAX = 0.02;
const NEUTRON: Kind = { z: 0, a: 1, id: 1, massMev: ATOMIC_MASS_UNIT_MEV };
/** Identification numbers of hydrogen and helium isotopes; other ions have 25. */
const LIGHT_IDS: ReadonlyMap<string, number> = new Map([
  ['1,1', 2],
  ['1,2', 21],
  ['1,3', 22],
  ['2,3', 23],
  ['2,4', 24],
]);
const ION_ID = 25;
/** Energy that a reaction may set free on top of the projectile's, MeV. */
const Q_VALUE_MAX = 25;
/** What neutrons have no share in: deposit along the way, and stopping power. */
const CHARGED_ONLY = [
  'Energy',
  'Dose',
  'DoseGy',
  'DDD',
  'dLET',
  'tLET',
  'dZ2Beta2',
  'tZ2Beta2',
  'dZeff2Beta2',
  'tZeff2Beta2',
];
const NEUTRONS_ONLY = ['NKERMA'];

function ion(z: number, a: number): Kind {
  return { z, a, id: LIGHT_IDS.get(`${z},${a}`) ?? ION_ID, massMev: a * ATOMIC_MASS_UNIT_MEV };
}

/** Highest energy of a primary, MeV. */
function energyMax({ energyMev, energySpreadMev, energyHighCutoffMev, spots }: Beam): number {
  const beams = spots ?? [{ energyMev, energySpreadMev }];
  const highest = beams.reduce((most, beam) => Math.max(most, beam.energyMev + 6 * beam.energySpreadMev), 0);
  return Math.min(energyHighCutoffMev, highest);
}

/** Whether the rule can hold for a number between two bounds, both included. */
function mayHold({ operator, value }: FilterRule, low: number, high: number): boolean {
  switch (operator) {
    case '==':
      return value >= low && value <= high;
    case '!=':
      return low !== high || low !== value;
    case '<':
      return low < value;
    case '<=':
      return low <= value;
    case '>':
      return high > value;
    case '>=':
      return high >= value;
  }
}

/** Bounds of an energy, MeV, that rules on E, ENUC and EAMU leave a kind of particle. */
function energyBounds(rules: readonly FilterRule[], { a }: Kind, most: number): [low: number, high: number] {
  let low = 0;
  let high = most;
  for (const { keyword, operator, value } of rules) {
    if (keyword !== 'E' && keyword !== 'ENUC' && keyword !== 'EAMU') continue;
    const energy = keyword === 'E' ? value : value * a;
    if (operator === '>' || operator === '>=' || operator === '==') low = Math.max(low, energy);
    if (operator === '<' || operator === '<=' || operator === '==') high = Math.min(high, energy);
  }
  return [low, high];
}

function admits(
  { rules, kinds }: Pick<Filter, 'rules' | 'kinds'>,
  kind: Kind,
  isPrimary: boolean,
  hasSecondaries: boolean,
  most: number,
): boolean {
  if (kinds !== undefined && !kinds.some(({ z, a }) => z === kind.z && a === kind.a)) return false;
  const [low, high] = energyBounds(rules, kind, most);
  if (low > high || high <= 0) return false;
  return rules.every((rule) => {
    switch (rule.keyword) {
      case 'Z':
        return mayHold(rule, kind.z, kind.z);
      case 'A':
        return mayHold(rule, kind.a, kind.a);
      case 'ID':
        return mayHold(rule, kind.id, kind.id);
      case 'AMASS':
      case 'AMU': {
        const mass = rule.keyword === 'AMU' ? kind.massMev / ATOMIC_MASS_UNIT_MEV : kind.massMev;
        return mayHold(rule, mass * (1 - MASS_DEFECT_MAX), mass * (1 + MASS_DEFECT_MAX));
      }
      case 'GEN':
        return mayHold(rule, isPrimary ? 0 : 1, hasSecondaries ? Number.POSITIVE_INFINITY : 0);
      case 'NPRIM':
        return mayHold(rule, 1, Number.POSITIVE_INFINITY);
      case 'E':
      case 'ENUC':
      case 'EAMU':
        return true;
    }
  });
}

/** Highest charge of a nucleus that a reaction may set free. */
function chargeMax({ beam, materials }: TransportProblem): number {
  const targets = materials.flatMap(({ icru }) => findMaterial(icru)?.composition.map(({ z }) => z + 1) ?? []);
  return Math.max(beam.particle.z, ...targets);
}

function* listSecondaries(problem: TransportProblem): Generator<Kind> {
  const { physics } = problem;
  if (findLepton(problem.beam.particle) !== undefined) {
    yield* LEPTONS;
    return;
  }
  if (!physics.nuclearReactions) return;
  if (physics.neutrons !== false) yield NEUTRON;
  const most = chargeMax(problem);
  for (let z = 1; z <= most; z++) {
    for (let a = z; a <= 3 * z + 4; a++) yield ion(z, a);
  }
}

function counts({ keyword }: Quantity, { z, a }: Kind): boolean {
  if (z === 0 && !(a === 0 && NEUTRONS_ONLY.includes(keyword))) return !CHARGED_ONLY.includes(keyword);
  return !NEUTRONS_ONLY.includes(keyword);
}

/** Whether some particle that is followed here counts in the quantity and passes its filter. */
function isReachable(quantity: Quantity, problem: TransportProblem): boolean {
  const { beam, physics } = problem;
  const filter = quantity.filter ?? { rules: [] };
  const lepton = findLepton(beam.particle);
  const primary = lepton ?? ion(beam.particle.z, beam.particle.a);
  const most = energyMax(beam);
  const reactions = lepton !== undefined || physics.nuclearReactions;
  if (counts(quantity, primary) && admits(filter, primary, true, reactions, most)) return true;
  for (const kind of listSecondaries(problem)) {
    if (counts(quantity, kind) && admits(filter, kind, false, true, most + Q_VALUE_MAX)) return true;
  }
  return false;
}

/**
 * Whether a quantity is known to be zero: nuclear reactions are off, and only they make what it counts. Nothing is wrong with it.
 */
export function isKnownZero(quantity: Quantity, problem: TransportProblem): boolean {
  const { physics } = problem;
  if (physics.nuclearReactions || isReachable(quantity, problem)) return false;
  return isReachable(quantity, { ...problem, physics: { ...physics, nuclearReactions: true } });
}

/**
 * Why a quantity cannot be computed, because no particle that is followed here passes its filter, with nuclear reactions or without;
 * undefined where one may pass. Such a quantity is refused, never scored as zero.
 */
export function unreachable(quantity: Quantity, problem: TransportProblem): string | undefined {
  if (isReachable(quantity, problem) || isKnownZero(quantity, problem)) return undefined;
  const name = quantity.filter === undefined ? '' : ` through filter "${quantity.filter.name}"`;
  return `no particle that is followed here and counts in ${quantity.keyword} can pass${name}`;
}
