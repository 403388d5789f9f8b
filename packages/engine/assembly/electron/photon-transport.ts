// Photons: straight flights between collisions. docs/engine.md, "Electrons".

import { ELECTRON_MASS, FAR } from '../constants';
import { zoneMaterial, zoneMaterialIndex } from '../geometry/geometry';
import { exponential, uniform } from '../random';
import { Species } from '../transport/species';
import { ledger, pushAtAngle, track } from '../transport/track';
import { PHOTON_CUT, sampleForward } from './bremsstrahlung';
import { ABSORBED, COMPTON, electronTables } from './electron-tables';
import { crossed, enterNextZone, flown, fly, loseTrack, scoreFlight, turnTrack } from './flight';
import { ELECTRON, POSITRON } from './lepton';
import { sampleCompton } from './photon-cross-section';

const COLLISIONS_MAX: i32 = 10000;

/** Puts an electron or positron on the stack; where there is no room its energy is lost. */
export function release(species: i32, energy: f64, cosine: f64): void {
  if (energy <= 0 || pushAtAngle(species, energy, cosine)) return;
  ledger.lost++;
  ledger.lostEnergy += energy;
}

/** Photoelectric effect: an electron takes all energy, and the direction. */
export function absorbPhoton(): void {
  release(ELECTRON, track.energy, 1);
}

function scatter(): void {
  const t = track;
  const energy = t.energy;
  const left = sampleCompton(energy);
  const given = energy - left;
  const cosine = 1 - (ELECTRON_MASS * given) / (left * energy);
  // the electron goes the other way across the plane: an azimuth of its own is enough where nobody looks at pairs of particles
  const momentum = Math.sqrt(given * (given + 2 * ELECTRON_MASS));
  if (momentum > 0) release(ELECTRON, given, Math.min(1, (energy - left * cosine) / momentum));
  turnTrack(cosine);
  t.energy = left;
}

function makePair(): void {
  const kinetic = track.energy - 2 * ELECTRON_MASS;
  ledger.neutral += 2 * ELECTRON_MASS;
  const share = uniform() * kinetic;
  release(ELECTRON, share, sampleForward(share));
  release(POSITRON, kinetic - share, sampleForward(kinetic - share));
}

/** Transports the current photon to its end; what it sets free goes on the stack. */
export function transportPhoton(particle: Species): void {
  const t = track;
  let budget = exponential();
  for (let collisions = 0; collisions < COLLISIONS_MAX; ) {
    ledger.steps++;
    if (t.energy <= PHOTON_CUT) {
      absorbPhoton();
      return;
    }
    const material = zoneMaterial(t.zone);
    const tables = electronTables[zoneMaterialIndex(t.zone)];
    const sigma = material.isMatter() ? tables.attenuation(t.energy) * material.density : 0;
    fly(sigma > 0 ? budget / sigma : FAR);
    if (flown >= FAR) break;
    scoreFlight(particle, t.energy, 0, material);
    t.length += flown;
    if (crossed) {
      budget = Math.max(0, budget - flown * sigma);
      if (!enterNextZone()) return;
      continue;
    }
    collisions++;
    ledger.interactions++;
    const process = tables.pickPhotonProcess(t.energy);
    if (process != COMPTON) {
      if (process == ABSORBED) absorbPhoton();
      else makePair();
      return;
    }
    scatter();
    budget = exponential();
  }
  loseTrack();
}
