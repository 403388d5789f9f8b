// What a step adds to a sum per length.

import { greater } from '../fast-math';
import { Material, materials } from '../material/material';
import { betaSquared } from '../material/stopping-power';
import { AVG_BETA, AVG_ENERGY, DOSE_LET, DOSE_Z2BETA2 } from './page';
import { energyEnd, energyStart, local, lossRate, meanLossRate, particle } from './step';
import {
  S_BETA,
  S_CHARGED_LENGTH,
  S_DOSE,
  S_ENERGY,
  S_KERMA,
  S_LENGTH,
  S_LET,
  S_LOSS,
  S_LOSS_LET,
  S_LOSS_Z2,
  S_LOSS_ZEFF2,
  S_NUCLEON_ENERGY,
  S_Z2,
  S_ZEFF2,
  Sum,
} from './sums';

/** Some sum needs speeds or energies, effective charges, LET. */
let needsMeans: bool = false;
let needsCharge: bool = false;
let needsLet: bool = false;

/** Takes note of a quantity that some page scores. */
export function prepareFor(quantity: i32): void {
  if (quantity == AVG_ENERGY || quantity == AVG_BETA || quantity >= DOSE_Z2BETA2) needsMeans = true;
  if (quantity >= DOSE_Z2BETA2) needsCharge = true;
  if (quantity == DOSE_LET) needsLet = true;
}

// at the two ends of what is being weighed: energy, speed, 1/speed² and effective charge squared over speed²
let inverseSpan: f64 = 0;
let energyA: f64 = -1;
let energyB: f64 = -1;
let endsOf: i32 = -1;
let speedA: f64 = 0;
let speedB: f64 = 0;
let inverseA: f64 = 0;
let inverseB: f64 = 0;
let chargeA: f64 = 0;
let chargeB: f64 = 0;

function setEnds(first: f64, second: f64, inverse: f64): void {
  inverseSpan = inverse;
  if (endsOf == particle.index && first == energyA && second == energyB) return;
  // the end of one step is the start of the next
  const known = endsOf == particle.index && first == energyB;
  energyA = first;
  energyB = second;
  endsOf = particle.index;
  if (!needsMeans) return;
  if (known) {
    speedA = speedB;
    inverseA = inverseB;
    chargeA = chargeB;
  } else {
    const beta2 = greater(betaSquared(first * particle.speedFactor), 1e-12);
    speedA = Math.sqrt(beta2);
    inverseA = 1 / beta2;
    if (needsCharge) chargeA = chargeSquared(speedA) * inverseA;
  }
  const beta2 = greater(betaSquared(second * particle.speedFactor), 1e-12);
  speedB = Math.sqrt(beta2);
  inverseB = 1 / beta2;
  if (needsCharge) chargeB = chargeSquared(speedB) * inverseB;
}

function chargeSquared(speed: f64): f64 {
  const charge = particle.effectiveCharge(speed);
  return charge * charge;
}

/** Of the sums in the local medium, by kind: value per length at the first end, and its change per length. */
const KINDS: i32 = S_KERMA + 1;
const localWeight = new StaticArray<f64>(KINDS);
const localSlope = new StaticArray<f64>(KINDS);

function setLine(kind: i32, first: f64, second: f64): void {
  unchecked((localWeight[kind] = first));
  unchecked((localSlope[kind] = (second - first) * inverseSpan));
}

/** Works out the sums in the local medium between two energies, a span of inverse length `inverse` apart. */
export function weighLocal(first: f64, second: f64, inverse: f64): void {
  setEnds(first, second, inverse);
  localWeight[S_LENGTH] = 1;
  if (needsMeans) {
    setLine(S_NUCLEON_ENERGY, energyA * particle.inverseA, energyB * particle.inverseA);
    setLine(S_BETA, speedA, speedB);
  }
  const isCharged = particle.z != 0;
  const loss = isCharged ? lossRate : 0;
  localWeight[S_ENERGY] = loss;
  localWeight[S_DOSE] = local.isMatter() ? loss / local.density : 0;
  localWeight[S_LOSS] = loss;
  localWeight[S_CHARGED_LENGTH] = isCharged ? 1 : 0;
  localWeight[S_LET] = isCharged ? meanLossRate : 0;
  if (needsLet) localWeight[S_LOSS_LET] = loss > 0 ? loss * doseLet(local) : 0;
  if (!needsCharge) return;
  const z2 = <f64>(particle.z * particle.z);
  setLine(S_Z2, z2 * inverseA, z2 * inverseB);
  setLine(S_LOSS_Z2, z2 * loss * inverseA, z2 * loss * inverseB);
  setLine(S_ZEFF2, chargeA, chargeB);
  setLine(S_LOSS_ZEFF2, loss * chargeA, loss * chargeB);
}

/** Z²/β² grows beyond bounds as a particle comes to rest; of one that is slower than a proton of this energy, that speed counts, MeV. */
const SLOWEST: f64 = 0.025;

/**
 * The same between two energies so far apart that nothing falls evenly in between: of what changes, its mean over the length, or over the
 * energy that is lost, from parts in which the energy halves.
 */
export function weighCurved(first: f64, second: f64): void {
  weighLocal(first, first, 0);
  if (!needsMeans || particle.z == 0) return;
  const table = local.rangeTable(particle.table);
  const slowest = SLOWEST / particle.speedFactor;
  let lengths: f64 = 0;
  let losses: f64 = 0;
  let energies: f64 = 0;
  let speeds: f64 = 0;
  let inverses: f64 = 0;
  let charges: f64 = 0;
  let lossInverses: f64 = 0;
  let lossCharges: f64 = 0;
  let range = table.range(first * particle.toProton);
  for (let high = first; high > second; ) {
    const low = high > slowest ? greater(second, greater(slowest, 0.5 * high)) : second;
    const end = table.range(low * particle.toProton);
    const length = range - end;
    const loss = high - low;
    const beta2 = betaSquared(greater(slowest, Math.sqrt(high * low)) * particle.speedFactor);
    const speed = Math.sqrt(beta2);
    lengths += length;
    losses += loss;
    energies += 0.5 * (high + low) * length;
    speeds += speed * length;
    inverses += length / beta2;
    lossInverses += loss / beta2;
    if (needsCharge) {
      const charge = chargeSquared(speed) / beta2;
      charges += charge * length;
      lossCharges += charge * loss;
    }
    high = low;
    range = end;
  }
  if (lengths <= 0) return;
  localWeight[S_NUCLEON_ENERGY] = (energies / lengths) * particle.inverseA;
  localWeight[S_BETA] = speeds / lengths;
  if (!needsCharge) return;
  const z2 = <f64>(particle.z * particle.z);
  localWeight[S_Z2] = (z2 * inverses) / lengths;
  localWeight[S_LOSS_Z2] = (lossRate * z2 * lossInverses) / losses;
  localWeight[S_ZEFF2] = charges / lengths;
  localWeight[S_LOSS_ZEFF2] = (lossRate * lossCharges) / losses;
}

export function localWeightOf(kind: i32): f64 {
  return unchecked(localWeight[kind]);
}

/** Both of two kinds, for eight times each. */
export function localWeightsAt(one: usize, other: usize): v128 {
  const weights = changetype<usize>(localWeight);
  return v128.load64_lane(weights + other, v128.load64_zero(weights + one), 1);
}

export function localSlopesAt(one: usize, other: usize): v128 {
  const slopes = changetype<usize>(localSlope);
  return v128.load64_lane(slopes + other, v128.load64_zero(slopes + one), 1);
}

/** Value per length of a sum where the span begins, after `weighLocal`. */
export function weightOf(sum: Sum): f64 {
  return sum.medium < 0 ? unchecked(localWeight[sum.kind]) : weightIn(sum.kind, sum.medium);
}

/** How it changes per length. */
export function slopeOf(sum: Sum): f64 {
  return sum.medium < 0 ? unchecked(localSlope[sum.kind]) : 0;
}

/** Value per length of a sum in a medium that is told. */
function weightIn(kind: i32, number: i32): f64 {
  if (particle.z == 0) return 0;
  const medium = materials[number];
  if (kind == S_DOSE) return local.isMatter() ? lossIn(medium) / local.density : stoppingOf(medium);
  if (kind == S_LET) return stoppingOf(medium) * medium.density;
  const loss = lossIn(medium);
  if (kind == S_LOSS) return loss;
  return loss > 0 ? loss * doseLet(medium) : 0;
}

/** Mass stopping power in the middle of the step. */
function stoppingOf(medium: Material): f64 {
  return medium.rangeTable(particle.table).stoppingPower(0.5 * (energyStart + energyEnd) * particle.toProton);
}

/** Energy lost per length in another medium than the local one: by the ratio of mass stopping powers. */
function lossIn(medium: Material): f64 {
  return local.isMatter() ? (lossRate * stoppingOf(medium)) / stoppingOf(local) : 0;
}

/** Mean stopping power weighted by energy loss, ∫S dE/ΔE, MeV/cm. */
function doseLet(medium: Material): f64 {
  const table = medium.rangeTable(particle.table);
  const tpStart = energyStart * particle.toProton;
  const tpEnd = energyEnd * particle.toProton;
  const drop = tpStart - tpEnd;
  if (drop < 1e-7 * tpStart) return table.stoppingPower(tpStart) * medium.density;
  return ((table.integral(tpStart) - table.integral(tpEnd)) / drop) * medium.density;
}
