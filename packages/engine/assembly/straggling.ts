// Energy-loss fluctuations of one step: Bohr variance with a Gaussian, or hard collisions one by one ("Vavilov").

import { BETHE_K, ELECTRON_MASS, FINE_STRUCTURE, PROTON_MASS } from './constants';
import { Material } from './material';
import { gamma, normal, poisson, uniform } from './random';
import { Species } from './species';
import { effectiveCharge } from './stopping-power';

export const STRAGGLING_NONE: i32 = 0;
export const STRAGGLING_GAUSSIAN: i32 = 1;
export const STRAGGLING_VAVILOV: i32 = 2;

/** Least energy transfer that is followed as a single collision, MeV. */
const TRANSFER_MIN: f64 = 0.01;
/** Mean number of hard collisions per step at most. */
const COLLISIONS_MAX: f64 = 3;

/**
 * Share of Bohr's variance that electrons give which are bound: Lindhard and Scharff, Mat. Fys. Medd. Dan. Vid. Selsk. 27
 * (1953) no. 15, with the square of the speed over that of the Thomas-Fermi electrons.
 */
function boundElectrons(beta2: f64, material: Material): f64 {
  const x = beta2 / (FINE_STRUCTURE * FINE_STRUCTURE * material.meanCharge);
  if (x >= 3) return 1;
  return Math.min(1, 0.5 * Math.sqrt(x) * (1.36 - 0.016 * x));
}

/** Positive value with the given mean and variance: Gaussian where that is narrow, else gamma distribution. */
function sampleAround(mean: f64, variance: f64): f64 {
  if (mean * mean < 9 * variance) return (gamma((mean * mean) / variance) * variance) / mean;
  const sigma = Math.sqrt(variance);
  while (true) {
    const sample = mean + sigma * normal();
    if (sample > 0 && sample < 2 * mean) return sample;
  }
}

/**
 * Energy loss of a step with the given mean, MeV.
 * tp: energy of a proton of the mean speed; mass: thickness g/cm².
 */
export function sampleLoss(mode: i32, mean: f64, tp: f64, species: Species, material: Material, mass: f64): f64 {
  if (mode == STRAGGLING_NONE || mean <= 0) return mean;
  const lorentz = 1 + tp / PROTON_MASS;
  const bg2 = lorentz * lorentz - 1;
  const beta2 = bg2 / (lorentz * lorentz);
  const ratio = ELECTRON_MASS / species.mass;
  const transferMax = (2 * ELECTRON_MASS * bg2) / (1 + 2 * lorentz * ratio + ratio * ratio);
  const charge = species.z == 1 && beta2 > 0.01 ? 1 : effectiveCharge(<f64>species.z, Math.sqrt(beta2));
  const xi = ((0.5 * BETHE_K * charge * charge * material.zOverA * mass) / beta2) * boundElectrons(beta2, material);
  const cut = Math.max(xi / COLLISIONS_MAX, TRANSFER_MIN);
  if (mode == STRAGGLING_GAUSSIAN || xi > 10 * transferMax || cut >= transferMax) {
    return sampleAround(mean, xi * transferMax * (1 - 0.5 * beta2));
  }
  const logarithm = Math.log(transferMax / cut);
  const collisions = poisson(xi * (1 / cut - 1 / transferMax - (beta2 / transferMax) * logarithm));
  let hard: f64 = 0;
  const span = 1 - cut / transferMax;
  for (let i = 0; i < collisions; i++) {
    let transfer: f64;
    do {
      transfer = cut / (1 - uniform() * span);
    } while (uniform() > 1 - (beta2 * transfer) / transferMax);
    hard += transfer;
  }
  const soft = mean - xi * (logarithm - beta2 * span);
  return hard + sampleAround(soft, xi * cut * (1 - (0.5 * beta2 * cut) / transferMax));
}
