// Total reaction cross section of ions, millibarn: Kox et al. 1984/87; hydrogen targets by inverse kinematics.

import { protonReactionCrossSection } from './proton-cross-section';

function massNumberRoot(a: f64): f64 {
  return Math.pow(a, 1.0 / 3.0);
}

/** Kox cross section at an energy per nucleon, MeV/u. */
export function koxCrossSection(zp: f64, ap: f64, zt: f64, at: f64, energy: f64): f64 {
  const rp = massNumberRoot(ap);
  const rt = massNumberRoot(at);
  const centreOfMass = (energy * ap * at) / (ap + at);
  const barrier = (1.44 * zp * zt) / (1.3 * (rp + rt));
  if (centreOfMass <= barrier) return 0;
  const x = Math.max(0, Math.log10(energy));
  let c: f64;
  if (x > 1.5) c = 2 - 10 / Math.pow(x, 5);
  else c = (2 - 10 / Math.pow(1.5, 5)) * Math.pow(x / 1.5, 3);
  const neutronExcess = (5 * (at - 2 * zt) * zp) / (ap * at);
  const radius = rp + rt + (1.85 * rp * rt) / (rp + rt) - c + neutronExcess;
  return 10 * Math.PI * 1.21 * radius * radius * (1 - barrier / centreOfMass);
}

/** Ion on target at an energy per nucleon. Hydrogen: p + projectile at the same speed. */
export function ionCrossSection(zp: f64, ap: f64, zt: f64, at: f64, energy: f64): f64 {
  if (zt > 1) return koxCrossSection(zp, ap, zt, at, energy);
  // p + ⁴He: flat 95 mb from 50 to 300 MeV (Tripathi, light systems)
  if (zp == 2) return energy < 20 ? 0 : 95 * Math.min(1, energy / 50);
  if (zp == 1) return energy < 7 ? 0 : protonReactionCrossSection(2, ap, energy);
  return protonReactionCrossSection(zp, ap, energy);
}
