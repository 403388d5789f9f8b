// Collisions of an electron with electrons: stopping power by Berger and Seltzer, hard collisions by Møller.

import { BETHE_K, ELECTRON_MASS } from '../constants';
import { Composition } from '../material/composition';
import { uniform } from '../random';
import { electronBetaSquared } from './bremsstrahlung';

/** Electrons set free with less than this energy are not followed: it is left along the way of the one that hit, MeV. */
export const ELECTRON_CUT: f64 = 0.1;

/**
 * Density effect by the parameters of Sternheimer, Berger and Seltzer, At. Data Nucl. Data Tables 30 (1984) 261. `x` is log10 of βγ; `c` is
 * of the excitation energy in use, `ratio` that of the density to the one of the parameters.
 */
export class DensityEffect {
  private shift: f64;

  constructor(
    private c: f64,
    private x0: f64,
    private x1: f64,
    private a: f64,
    private m: f64,
    private d0: f64,
    ratio: f64,
  ) {
    this.shift = 0.5 * Math.log10(ratio);
  }

  delta(energy: f64): f64 {
    const tau = energy / ELECTRON_MASS;
    const x = 0.5 * Math.log10(tau * (tau + 2)) + this.shift;
    if (x < this.x0) return this.d0 > 0 ? this.d0 * Math.pow(10, 2 * (x - this.x0)) : 0;
    const tail = x < this.x1 ? this.a * Math.pow(this.x1 - x, this.m) : 0;
    return Math.max(0, 2 * Math.LN10 * x - this.c + tail);
  }
}

/** Collision stopping power, MeV cm²/g (Bethe's formula for electrons, ICRU Report 37). */
export function collisionStoppingPower(material: Composition, effect: DensityEffect, energy: f64): f64 {
  const tau = energy / ELECTRON_MASS;
  const beta2 = electronBetaSquared(energy);
  const ratio = (material.ionisation * 1e-6) / ELECTRON_MASS;
  const bracket =
    Math.log((tau * tau * (tau + 2)) / (2 * ratio * ratio)) +
    1 -
    beta2 +
    ((tau * tau) / 8 - (2 * tau + 1) * Math.LN2) / ((tau + 1) * (tau + 1)) -
    effect.delta(energy);
  return (0.5 * BETHE_K * material.zOverA * Math.max(0.1, bracket)) / beta2;
}

/** The two terms of Møller's cross section that depend on the energy alone. */
let first: f64 = 0;
let second: f64 = 0;
function setEnergy(energy: f64): void {
  const total = energy + ELECTRON_MASS;
  first = (energy / total) * (energy / total);
  second = ((2 * energy + ELECTRON_MASS) * ELECTRON_MASS) / (total * total);
}

/** Cross section of collisions that transfer more than the cut-off, cm²/g. */
export function mollerSigma(zOverA: f64, energy: f64): f64 {
  if (energy <= 2 * ELECTRON_CUT) return 0;
  setEnergy(energy);
  const low = ELECTRON_CUT / energy;
  const integral = 1 / low - 1 / (1 - low) + first * (0.5 - low) - second * Math.log((1 - low) / low);
  return (0.5 * BETHE_K * zOverA * integral) / (electronBetaSquared(energy) * energy);
}

/** Energy lost per path in those collisions, MeV cm²/g. */
export function mollerStoppingPower(zOverA: f64, energy: f64): f64 {
  if (energy <= 2 * ELECTRON_CUT) return 0;
  setEnergy(energy);
  const low = ELECTRON_CUT / energy;
  const rest = Math.log(1 - low);
  const integral =
    -Math.log(2 * low) +
    2 -
    Math.LN2 -
    1 / (1 - low) -
    rest +
    0.5 * first * (0.25 - low * low) -
    second * (Math.LN2 + rest);
  return (0.5 * BETHE_K * zOverA * integral) / electronBetaSquared(energy);
}

/** Energy transferred in one of those collisions. */
export function sampleMoller(energy: f64): f64 {
  setEnergy(energy);
  const low = ELECTRON_CUT / energy;
  const most = 1 + 0.25 * first + Math.max(0, 1 - second);
  while (true) {
    // 1/share², of the share between the cut-off's and a half
    const share = 1 / (2 + uniform() * (1 / low - 2));
    const other = share / (1 - share);
    if (uniform() * most < 1 + share * share * first + other * (other - second)) return share * energy;
  }
}

/** Cosine to the first direction of an electron that has `part` of the kinetic energy after a collision. */
export function collisionCosine(energy: f64, part: f64): f64 {
  return Math.sqrt(Math.min(1, (part * (energy + 2 * ELECTRON_MASS)) / (energy * (part + 2 * ELECTRON_MASS))));
}
