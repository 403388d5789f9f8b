// A nucleus that recoils: kinematics of elastic scattering, and its own track.

import { ATOMIC_MASS_UNIT, PROTON_MASS } from '../constants';
import { azimuthCos, azimuthSin, sampleAzimuth } from '../random';
import { depositAt } from '../scoring/deposit';
import { speciesIndex } from '../transport/species';
import { pushSecondary, track, turn, turnBy, turnedU, turnedV, turnedW } from '../transport/track';

/** Momentum, MeV/c. */
export function momentum(energy: f64, mass: f64): f64 {
  return Math.sqrt(energy * (energy + 2 * mass));
}

/** Sets free a nucleus at the current point in the turned direction, or deposits its energy where it has no track. */
export function releaseNucleus(z: i32, a: i32, energy: f64): void {
  const index = speciesIndex(z, a);
  if (index < 0 || !pushSecondary(index, energy, turnedU, turnedV, turnedW)) depositAt(energy, <f64>z, <f64>a);
}

/**
 * Turns the current particle (rest mass `mass`) as it gives `recoil` MeV to a nucleus (z, a), which recoils with a track from
 * `least` MeV on.
 */
export function scatterElastically(mass: f64, recoil: f64, z: i32, a: i32, least: f64): void {
  const nucleus = a == 1 ? PROTON_MASS : <f64>a * ATOMIC_MASS_UNIT;
  const before = momentum(track.energy, mass);
  const after = momentum(track.energy - recoil, mass);
  const transfer = momentum(recoil, nucleus);
  sampleAzimuth();
  const c = azimuthCos;
  const s = azimuthSin;
  const u = track.u;
  const v = track.v;
  const w = track.w;
  const cosine = after > 0 ? (before * before + after * after - transfer * transfer) / (2 * before * after) : 0;
  turn(u, v, w, Math.max(-1, Math.min(1, cosine)), c, s);
  track.u = turnedU;
  track.v = turnedV;
  track.w = turnedW;
  track.energy -= recoil;
  if (recoil < least) {
    depositAt(recoil, <f64>z, <f64>a);
    return;
  }
  const along = Math.min(1, (before * before + transfer * transfer - after * after) / (2 * before * transfer));
  const across = Math.sqrt(Math.max(0, 1 - along * along));
  turnBy(u, v, w, -across * c, -across * s, along);
  releaseNucleus(z, a, recoil);
}
