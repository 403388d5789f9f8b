// Energy-loss fluctuations of one step: Bohr variance with a Gaussian, or its distribution ("Vavilov").

import { BETHE_K, ELECTRON_MASS, FINE_STRUCTURE } from '../constants';
import { greater, lesser, logarithm } from '../fast-math';
import { Material } from '../material/material';
import { gamma, normal, poisson, uniform } from '../random';
import { inverseSpeedSquared, momentumSquared, speedSquared, totalEnergy } from './kinematics';
import { Species } from './species';

export const STRAGGLING_NONE: i32 = 0;
export const STRAGGLING_GAUSSIAN: i32 = 1;
export const STRAGGLING_VAVILOV: i32 = 2;

/** Least energy transfer that is followed as a single collision, MeV. */
const TRANSFER_MIN: f64 = 0.01;
/** Mean number of hard collisions per step at most. */
const COLLISIONS_MAX: f64 = 3;
/** Collisions of about the greatest transfer (Vavilov's κ) beyond which three moments, and beyond which two, are enough. */
const SEVERAL: f64 = 0.3;
const MANY: f64 = 10;

/**
 * Share of Bohr's variance that electrons give which are bound: Lindhard and Scharff, Mat. Fys. Medd. Dan. Vid. Selsk. 27
 * (1953) no. 15, with the square of the speed over that of the Thomas-Fermi electrons.
 */
function boundElectrons(beta2: f64, material: Material): f64 {
  const x = beta2 / (FINE_STRUCTURE * FINE_STRUCTURE * material.meanCharge);
  if (x >= 3) return 1;
  return lesser(1, 0.5 * Math.sqrt(x) * (1.36 - 0.016 * x));
}

/** Positive value with the given mean and variance: Gaussian where that is narrow, else gamma distribution. */
export function sampleAround(mean: f64, variance: f64): f64 {
  if (mean * mean < 9 * variance) return (gamma((mean * mean) / variance) * variance) / mean;
  const sigma = Math.sqrt(variance);
  while (true) {
    const sample = mean + sigma * normal();
    if (sample > 0 && sample < 2 * mean) return sample;
  }
}

/** Positive value with the given mean, variance and skewness: gamma distribution by Wilson and Hilferty. */
function sampleSkew(mean: f64, variance: f64, third: f64): f64 {
  const sigma = Math.sqrt(variance);
  const c = third / (6 * variance * sigma);
  const scale = sigma / (3 * c);
  while (true) {
    const root = 1 - c * c + c * normal();
    const sample = mean + scale * (root * root * root - 1);
    if (sample > 0) return sample;
  }
}

/** Energy loss of a step with the given mean, MeV, at the energy of `setKinematics`. mass: thickness, g/cm². */
export function sampleLoss(mode: i32, mean: f64, species: Species, material: Material, mass: f64): f64 {
  if (mode == STRAGGLING_NONE || mean <= 0) return mean;
  const beta2 = speedSquared;
  const bg2 = momentumSquared * species.inverseMass * species.inverseMass;
  const ratio = ELECTRON_MASS * species.inverseMass;
  const transferMax = (2 * ELECTRON_MASS * bg2) / (1 + 2 * totalEnergy * species.inverseMass * ratio + ratio * ratio);
  const charge = species.z == 1 && beta2 > 0.01 ? 1 : species.effectiveCharge(Math.sqrt(beta2));
  const bound = boundElectrons(beta2, material);
  const xi = 0.5 * BETHE_K * charge * charge * material.zOverA * mass * inverseSpeedSquared * bound;
  const variance = xi * transferMax * (1 - 0.5 * beta2);
  if (mode == STRAGGLING_GAUSSIAN || xi > MANY * transferMax || mean * mean < 9 * variance) {
    return sampleAround(mean, variance);
  }
  if (xi > SEVERAL * transferMax) {
    return sampleSkew(mean, variance, 0.5 * xi * transferMax * transferMax * (1 - (2.0 / 3.0) * beta2));
  }
  const cut = greater(xi / COLLISIONS_MAX, TRANSFER_MIN);
  if (cut >= transferMax) return sampleAround(mean, variance);
  const log = logarithm(transferMax / cut);
  const inverseMax = 1 / transferMax;
  const span = 1 - cut * inverseMax;
  let hard: f64 = 0;
  for (let i = poisson(xi * (1 / cut - inverseMax - beta2 * inverseMax * log)); i > 0; i--) {
    let transfer: f64;
    do {
      transfer = cut / (1 - uniform() * span);
    } while (uniform() > 1 - beta2 * transfer * inverseMax);
    hard += transfer;
  }
  const soft = mean - xi * (log - beta2 * span);
  return hard + sampleAround(soft, xi * cut * (1 - 0.5 * beta2 * cut * inverseMax));
}
