// Multiple Coulomb scattering: width of the plane-projected angle of one step.

import { Material } from './material';
import { Species } from './species';

export const SCATTERING_NONE: i32 = 0;
export const SCATTERING_GAUSSIAN: i32 = 1;
export const SCATTERING_MOLIERE: i32 = 2;

/** Scattering energies, MeV. */
const MOLIERE_ENERGY: f64 = 15.0;
const GAUSSIAN_ENERGY: f64 = 13.6;
const LG: f64 = 0.4342944819032518;

/** Momentum times speed, MeV. */
export function momentumSpeed(energy: f64, mass: f64): f64 {
  return (energy * (energy + 2 * mass)) / (energy + mass);
}

/**
 * Standard deviation of the projected angle, rad, over `thickness` g/cm² at the mean energy of the step.
 * birth: momentum times speed where the track began. Differential Molière: Gottschalk 2010; pv in its logarithms is
 * that of a proton of the same speed.
 */
export function scatteringAngle(
  mode: i32,
  material: Material,
  species: Species,
  energy: f64,
  birth: f64,
  thickness: f64,
): f64 {
  const pv = momentumSpeed(energy, species.mass);
  const charge = <f64>species.z;
  if (mode == SCATTERING_GAUSSIAN) {
    return ((GAUSSIAN_ENERGY * charge) / pv) * Math.sqrt(thickness * material.inverseRadiationLength);
  }
  const ratio = pv / birth;
  const used = LG * Math.log(Math.max(1 - ratio * ratio, 1e-12));
  const speed = LG * Math.log(pv * species.toProton);
  const factor = 0.5244 + 0.1975 * used + 0.232 * speed - 0.0098 * speed * used;
  if (factor <= 0) return 0;
  return ((MOLIERE_ENERGY * charge) / pv) * Math.sqrt(factor * thickness * material.inverseScatteringLength);
}
