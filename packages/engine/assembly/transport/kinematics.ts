// Speed and momentum of the particle in the middle of a step, worked out once for all that depends on them.

import { Species } from './species';

/** Square of the momentum, (MeV/c)², and its inverse. */
export let momentumSquared: f64 = 1;
export let inverseMomentumSquared: f64 = 1;
/** Kinetic energy and mass together, MeV. */
export let totalEnergy: f64 = 1;
export let speedSquared: f64 = 0;
export let inverseSpeedSquared: f64 = 1;

export function setKinematics(energy: f64, particle: Species): void {
  const total = energy + particle.mass;
  momentumSquared = energy * (total + particle.mass);
  inverseMomentumSquared = 1 / momentumSquared;
  totalEnergy = total;
  inverseSpeedSquared = total * total * inverseMomentumSquared;
  speedSquared = 1 / inverseSpeedSquared;
}
