// Elastic scattering of electrons: at a hinge of each step, collisions beyond an angle one by one, the rest together. docs/engine.md, "Electrons".
// Angles as μ = (1 − cos θ)/2; nuclei scatter as 1/(μ + A)² with Molière's screening and the spin of the electron.

import { ELECTRON_MASS, FINE_STRUCTURE } from '../constants';
import { decay, greater, lesser, logarithm } from '../fast-math';
import { Material } from '../material/material';
import { uniform } from '../random';
import { inverseMomentumSquared, inverseSpeedSquared, speedSquared, totalEnergy } from '../transport/kinematics';
import { ELECTRON_CUT } from './collision';

/** 4π N_A (e²)², MeV² cm²/mol, as in scattering.ts. */
const CHARACTERISTIC: f64 = 0.1569;
/** Mean of 1 − cos θ over a step at most. */
const MEAN_DEFLECTION: f64 = 0.1;

// of the step being prepared
let screening: f64 = 0;
let cut: f64 = 0;
let strength: f64 = 0;
let soft: f64 = 0;
let softSecond: f64 = 0;
let mott: f64 = 0;

/** Cross section of the single collisions that are drawn (`sampleSingle`), cm²/g. */
export let singleSigma: f64 = 0;

function setNuclei(material: Material): void {
  const inversePv = totalEnergy * inverseMomentumSquared;
  strength = 0.25 * CHARACTERISTIC * inversePv * inversePv * material.nuclearScattering;
  screening =
    0.25 * material.screening * (1.13 + material.bornScreening * inverseSpeedSquared) * inverseMomentumSquared;
}

/** Path over which nuclei deflect by as much as a step may, at the energy of `setKinematics`, g/cm². */
export function deflectionPath(material: Material): f64 {
  setNuclei(material);
  const log = logarithm((1 + screening) / screening);
  return MEAN_DEFLECTION / (2 * strength * (log - 1 / (1 + screening)));
}

/**
 * Prepares elastic scattering at the energy of `setKinematics`, MeV; a step goes over `longest` g/cm² at most, and one collision in it is
 * drawn.
 */
export function prepareScattering(material: Material, energy: f64, longest: f64): void {
  setNuclei(material);
  mott = Math.PI * FINE_STRUCTURE * material.meanCharge * Math.sqrt(speedSquared);
  const all = strength / (screening * (1 + screening));
  const single = lesser(all, 1 / longest);
  cut = greater(0, 1 / (single / strength + 1 / (1 + screening)) - screening);
  singleSigma = single * (1 + 0.25 * mott);
  const reach = logarithm((cut + screening) / screening);
  const share = cut / (cut + screening);
  const squares = cut - 2 * screening * reach + screening * share;
  soft = 2 * strength * (reach - share - speedSquared * squares);
  softSecond = 3 * soft - 6 * strength * squares;
  // electrons that take less than the cut-off: Fano's logarithm up to that transfer
  const inversePv = totalEnergy * inverseMomentumSquared;
  const scale = CHARACTERISTIC * inversePv * inversePv;
  const electrons = 0.5 * scale * greater(0, electronLogarithm(material, lesser(ELECTRON_CUT, 0.5 * energy)));
  soft += electrons;
  softSecond += 3 * electrons;
}

/** Σ w Z/A times the logarithm of scattering by electrons that take at most `most` MeV. */
function electronLogarithm(material: Material, most: f64): f64 {
  return material.electronReach + material.electronScattering * logarithm(most / (2 * ELECTRON_MASS));
}

/** μ of the collisions that are not drawn, over `thickness` g/cm², with the right mean and mean square. */
export function sampleSoft(thickness: f64): f64 {
  const mean = 0.5 * (1 - decay(soft * thickness));
  const square = mean - (1 - decay(softSecond * thickness)) / 6;
  if (mean <= 0) return 0;
  // a box from 0 to b and one from b to 1 (Fernández-Varea et al., Nucl. Instrum. Methods B 73 (1993) 447)
  const b = greater(0, lesser(1, (2 * mean - 3 * square) / (1 - 2 * mean)));
  const a = 1 - 2 * mean + b;
  return uniform() < a ? b * uniform() : b + (1 - b) * uniform();
}

/** μ of a single collision, which deflects or not. */
export function sampleSingle(): f64 {
  const low = 1 / (1 + screening);
  const high = 1 / (cut + screening);
  const mu = greater(0, lesser(1, 1 / (low + uniform() * (high - low)) - screening));
  // McKinley and Feshbach, Phys. Rev. 74 (1948) 1759
  const sine = Math.sqrt(mu);
  const spin = 1 - speedSquared * mu + mott * sine * (1 - sine);
  return uniform() * (1 + 0.25 * mott) < spin ? mu : 0;
}
