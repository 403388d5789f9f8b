// Multiple Coulomb scattering of one step, in its plane-projected angles. docs/engine.md, "Scattering".

import { greater, lesser, logarithm } from '../fast-math';
import { Material } from '../material/material';
import { azimuthCos, azimuthSin, normal, poisson, poissonOne, uniformAndDirection } from '../random';
import { inverseMomentumSquared, inverseSpeedSquared, momentumSquared, speedSquared, totalEnergy } from './kinematics';
import { Species } from './species';

export const SCATTERING_NONE: i32 = 0;
export const SCATTERING_GAUSSIAN: i32 = 1;
export const SCATTERING_MOLIERE: i32 = 2;

/** Scattering energy of the Gaussian mode, MeV. */
const GAUSSIAN_ENERGY: f64 = 13.6;
/** 4π N_A (e²)², MeV² cm²/mol: Molière's characteristic angle squared is this times z²·Z²/A·t/(pv)². */
const CHARACTERISTIC: f64 = 0.1569;
/** Angle beyond which the size of the nucleus cuts scattering off: this times A^-⅓, over the momentum in MeV/c. */
const NUCLEAR_SIZE: f64 = 274;
const ANGLE_MAX: f64 = 2;

// of the step being prepared: width of the soft part; single collisions: their mean number, and limits as 1/(θ² + χ_a²)
let softSigma: f64 = 0;
let singleMean: f64 = 0;
let screening: f64 = 0;
let inverseLow: f64 = 0;
let inverseHigh: f64 = 0;

/** Prepares the deflection over `thickness` g/cm² at the energy of `setKinematics`. False: there is none. */
export function prepareDeflection(mode: i32, material: Material, species: Species, thickness: f64): bool {
  singleMean = 0;
  if (mode == SCATTERING_NONE || thickness <= 0) return false;
  const charge = <f64>species.z;
  const inversePv = totalEnergy * inverseMomentumSquared;
  if (mode == SCATTERING_GAUSSIAN) {
    softSigma = GAUSSIAN_ENERGY * charge * inversePv * Math.sqrt(thickness * material.inverseRadiationLength);
    return true;
  }
  const scale = CHARACTERISTIC * charge * charge * thickness * inversePv * inversePv;
  const nuclei = scale * material.nuclearScattering;
  screening =
    material.screening *
    (1.13 + material.bornScreening * charge * charge * inverseSpeedSquared) *
    inverseMomentumSquared;
  const size = NUCLEAR_SIZE * material.nuclearSize;
  const most = lesser(ANGLE_MAX * ANGLE_MAX, size * size * inverseMomentumSquared);
  // ∫θ² up to an angle is ln(1/q) − 1 + q times χ_c², with q = χ_a²/(θ² + χ_a²)
  let share: f64 = 1;
  if (nuclei >= most + screening) share = screening / (most + screening);
  else {
    inverseHigh = 1 / (most + screening);
    // a mean of one collision beyond the cut; where the whole step has fewer all are single
    const isOne = nuclei * (1 - screening * inverseHigh) > screening;
    inverseLow = isOne ? 1 / nuclei + inverseHigh : 1 / screening;
    singleMean = isOne ? 1 : nuclei * (inverseLow - inverseHigh);
    share = screening * inverseLow;
  }
  const soft = nuclei * greater(0, share - 1 - logarithm(share));
  // electrons scatter by little each time, hence to a Gaussian
  const bg2 = momentumSquared * species.inverseMass * species.inverseMass;
  const electrons = material.electronScattering * (logarithm(bg2) - 0.5 * speedSquared) + material.electronReach;
  softSigma = Math.sqrt(0.5 * (soft + scale * greater(0, electrons)));
  return true;
}

/** The prepared deflection: two angles across, rad. */
export let deflectionX: f64 = 0;
export let deflectionY: f64 = 0;

export function sampleDeflection(): void {
  deflectionX = softSigma * normal();
  deflectionY = softSigma * normal();
  if (singleMean <= 0) return;
  for (let i = singleMean == 1 ? poissonOne() : poisson(singleMean); i > 0; i--) {
    const share = uniformAndDirection();
    const angle = Math.sqrt(greater(0, 1 / (inverseHigh + share * (inverseLow - inverseHigh)) - screening));
    deflectionX += angle * azimuthCos;
    deflectionY += angle * azimuthSin;
  }
}
