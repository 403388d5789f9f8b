// Elastic scattering of electrons: collisions beyond an angle one by one, the rest together at a hinge. docs/engine.md, "Electrons".
// Angles as μ = (1 − cos θ)/2; nuclei scatter as 1/(μ + A)² with Molière's screening and the spin of the electron.

import { ELECTRON_MASS, FINE_STRUCTURE } from '../constants';
import { Material } from '../material/material';
import { uniform } from '../random';
import { inverseMomentumSquared, inverseSpeedSquared, speedSquared, totalEnergy } from '../transport/kinematics';
import { ELECTRON_CUT } from './collision';

/** 4π N_A (e²)², MeV² cm²/mol, as in scattering.ts. */
const CHARACTERISTIC: f64 = 0.1569;
/** Mean of 1 − cos θ that lies between two single collisions at most. */
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

/** Prepares elastic scattering at the energy of `setKinematics`, MeV; a step goes over `longest` g/cm² at most. */
export function prepareScattering(material: Material, energy: f64, longest: f64): void {
  const inversePv = totalEnergy * inverseMomentumSquared;
  const scale = CHARACTERISTIC * inversePv * inversePv;
  strength = 0.25 * scale * material.nuclearScattering;
  screening =
    0.25 * material.screening * (1.13 + material.bornScreening * inverseSpeedSquared) * inverseMomentumSquared;
  mott = Math.PI * FINE_STRUCTURE * material.meanCharge * Math.sqrt(speedSquared);
  // all collisions, and the mean of 1 − cos θ over the path
  const total = strength / (screening * (1 + screening));
  const log = Math.log((1 + screening) / screening);
  const transport = 2 * strength * (log - 1 / (1 + screening));
  const single = Math.min(total, Math.max(transport / MEAN_DEFLECTION, 1 / longest));
  cut = Math.max(0, 1 / (single / strength + 1 / (1 + screening)) - screening);
  singleSigma = single * (1 + 0.25 * mott);
  const reach = Math.log((cut + screening) / screening);
  const share = cut / (cut + screening);
  const squares = cut - 2 * screening * reach + screening * share;
  soft = 2 * strength * (reach - share - speedSquared * squares);
  softSecond = 3 * soft - 6 * strength * squares;
  // electrons that take less than the cut-off: Fano's logarithm up to that transfer
  const electrons = 0.5 * scale * Math.max(0, electronLogarithm(material, Math.min(ELECTRON_CUT, 0.5 * energy)));
  soft += electrons;
  softSecond += 3 * electrons;
}

/** Σ w Z/A times the logarithm of scattering by electrons that take at most `most` MeV. */
function electronLogarithm(material: Material, most: f64): f64 {
  return material.electronReach + material.electronScattering * Math.log(most / (2 * ELECTRON_MASS));
}

/** μ of the collisions that are not drawn, over `thickness` g/cm², with the right mean and mean square. */
export function sampleSoft(thickness: f64): f64 {
  const mean = 0.5 * (1 - Math.exp(-soft * thickness));
  const square = mean - (1 - Math.exp(-softSecond * thickness)) / 6;
  if (mean <= 0) return 0;
  // a box from 0 to b and one from b to 1 (Fernández-Varea et al., Nucl. Instrum. Methods B 73 (1993) 447)
  const b = Math.max(0, Math.min(1, (2 * mean - 3 * square) / (1 - 2 * mean)));
  const a = 1 - 2 * mean + b;
  return uniform() < a ? b * uniform() : b + (1 - b) * uniform();
}

/** μ of a single collision, which deflects or not. */
export function sampleSingle(): f64 {
  const low = 1 / (1 + screening);
  const high = 1 / (cut + screening);
  const mu = Math.max(0, Math.min(1, 1 / (low + uniform() * (high - low)) - screening));
  // McKinley and Feshbach, Phys. Rev. 74 (1948) 1759
  const sine = Math.sqrt(mu);
  const spin = 1 - speedSquared * mu + mott * sine * (1 - sine);
  return uniform() * (1 + 0.25 * mott) < spin ? mu : 0;
}
