// Energy left at the current point.

import { zoneMaterial } from '../geometry/geometry';
import { ledger, track } from '../transport/track';
import { scorePoint } from './tally';

/** Deposits energy (MeV) of a nucleus (charge, mass number) too slow to be transported. */
export function depositAt(energy: f64, charge: f64, mass: f64): void {
  if (energy <= 0) return;
  ledger.deposited += energy;
  const material = zoneMaterial(track.zone);
  scorePoint(
    track.x,
    track.y,
    track.z,
    energy,
    track.zone,
    material,
    charge,
    mass,
    track.generation + 1,
    track.history,
  );
}
