// Multiple Coulomb scattering of one step, in its plane-projected angles. docs/engine.md, "Scattering".

import { Material } from './material';
import { azimuthCos, azimuthSin, normal, poisson, sampleAzimuth, uniform } from './random';
import { Species } from './species';

export const SCATTERING_NONE: i32 = 0;
export const SCATTERING_GAUSSIAN: i32 = 1;
export const SCATTERING_MOLIERE: i32 = 2;

/** Scattering energy of the Gaussian mode, MeV. */
const GAUSSIAN_ENERGY: f64 = 13.6;
/** 4π N_A (e²)², MeV² cm²/mol: Molière's characteristic angle squared is this times z²·Z²/A·t/(pv)². */
const CHARACTERISTIC: f64 = 0.1569;
/** Mean number of single collisions a step beyond the angle that separates them from the rest. */
const SINGLE_COLLISIONS: f64 = 1;
/** Angle beyond which the size of the nucleus cuts scattering off: this times A^-⅓, over the momentum in MeV/c. */
const NUCLEAR_SIZE: f64 = 274;
const ANGLE_MAX: f64 = 2;

/** Momentum times speed, MeV. */
export function momentumSpeed(energy: f64, mass: f64): f64 {
  return (energy * (energy + 2 * mass)) / (energy + mass);
}

// of the step being prepared: width of the soft part, mean number of single collisions, and their limits as 1/(θ² + χ_a²)
let softSigma: f64 = 0;
let singleMean: f64 = 0;
let screening: f64 = 0;
let inverseLow: f64 = 0;
let inverseHigh: f64 = 0;

/** Prepares the deflection over `thickness` g/cm² at the mean energy of the step. False: there is none. */
export function prepareDeflection(mode: i32, material: Material, species: Species, energy: f64, thickness: f64): bool {
  singleMean = 0;
  softSigma = 0;
  if (mode == SCATTERING_NONE || thickness <= 0) return false;
  const mass = species.mass;
  const p2 = energy * (energy + 2 * mass);
  const total = energy + mass;
  const pv = p2 / total;
  const charge = <f64>species.z;
  if (mode == SCATTERING_GAUSSIAN) {
    softSigma = ((GAUSSIAN_ENERGY * charge) / pv) * Math.sqrt(thickness * material.inverseRadiationLength);
    return true;
  }
  const scale = (CHARACTERISTIC * charge * charge * thickness) / (pv * pv);
  const nuclei = scale * material.nuclearScattering;
  const beta2 = p2 / (total * total);
  screening = (material.screening * (1.13 + (material.bornScreening * charge * charge) / beta2)) / p2;
  // a single collision beyond the cut; where the whole step has few collisions all are single
  const cut = Math.max(0, nuclei / SINGLE_COLLISIONS - screening);
  const size = NUCLEAR_SIZE * material.nuclearSize;
  const most = Math.min(ANGLE_MAX * ANGLE_MAX, (size * size) / p2);
  if (cut >= most) {
    softSigma = Math.sqrt(0.5 * nuclei * softLogarithm(most));
  } else {
    inverseLow = 1 / (cut + screening);
    inverseHigh = 1 / (most + screening);
    singleMean = nuclei * (inverseLow - inverseHigh);
    softSigma = cut > 0 ? Math.sqrt(0.5 * nuclei * softLogarithm(cut)) : 0;
  }
  // electrons scatter by little each time, hence to a Gaussian
  const electrons = material.electronScattering * (Math.log(p2 / (mass * mass)) - 0.5 * beta2) + material.electronReach;
  if (electrons > 0) softSigma = Math.sqrt(softSigma * softSigma + 0.5 * scale * electrons);
  return true;
}

/** ∫θ² up to an angle (its square), over the characteristic angle squared. */
function softLogarithm(square: f64): f64 {
  const ratio = square / screening;
  return Math.log(1 + ratio) - ratio / (1 + ratio);
}

/** The prepared deflection: two angles across, rad. */
export let deflectionX: f64 = 0;
export let deflectionY: f64 = 0;

export function sampleDeflection(): void {
  deflectionX = softSigma * normal();
  deflectionY = softSigma * normal();
  if (singleMean <= 0) return;
  for (let i = poisson(singleMean); i > 0; i--) {
    const u = uniform();
    const angle = Math.sqrt(Math.max(0, 1 / (inverseHigh + u * (inverseLow - inverseHigh)) - screening));
    sampleAzimuth();
    deflectionX += angle * azimuthCos;
    deflectionY += angle * azimuthSin;
  }
}
