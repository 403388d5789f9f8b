// What electrons and photons have in common on their way.

import { distanceToSurface, locate, OUTSIDE, overshoot, zoneMaterial } from '../geometry/geometry';
import { KIND_BLACK_HOLE } from '../material/composition';
import { Material } from '../material/material';
import { azimuthCos, azimuthSin, sampleAzimuth, uniformAndDirection } from '../random';
import { beginStep } from '../scoring/step';
import { pages, scoreSegment } from '../scoring/tally';
import { Species } from '../transport/species';
import { ledger, track, turn, turnedU, turnedV, turnedW } from '../transport/track';

/** Locates the track, which is just past a surface. False: it has left the world or met a black hole. */
export function enterNextZone(): bool {
  const t = track;
  t.zone = locate(t.x, t.y, t.z);
  if (t.zone != OUTSIDE && zoneMaterial(t.zone).kind != KIND_BLACK_HOLE) return true;
  ledger.escaped += t.energy;
  return false;
}

/** Gives the track up, with its energy. */
export function loseTrack(): void {
  ledger.lost++;
  ledger.lostEnergy += track.energy;
}

/** Turns the track by a polar angle, to one of many directions around: one of the deflections that add up in a step. */
export function deflectTrack(cosine: f64): void {
  uniformAndDirection();
  turnAround(cosine);
}

/** Turns the track by a polar angle, azimuth uniform. */
export function turnTrack(cosine: f64): void {
  sampleAzimuth();
  turnAround(cosine);
}

function turnAround(cosine: f64): void {
  turn(track.u, track.v, track.w, cosine, azimuthCos, azimuthSin);
  track.u = turnedU;
  track.v = turnedV;
  track.w = turnedW;
}

/** Whether the last flight ended at a surface, and its length, cm. */
export let crossed: bool = false;
export let flown: f64 = 0;

/** Moves the track over at most `length` cm, to just past the next surface at most. */
export function fly(length: f64): void {
  const t = track;
  const surface = distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, length + overshoot);
  crossed = surface < length + overshoot;
  flown = crossed ? surface + overshoot : length;
  t.x += flown * t.u;
  t.y += flown * t.v;
  t.z += flown * t.w;
}

/** Scores the last flight, in which the energy fell to `end`, in the zone that it began in. */
export function scoreFlight(particle: Species, end: f64, meanLoss: f64, material: Material): void {
  if (pages.length == 0 || flown <= 0) return;
  const t = track;
  beginStep(particle, t.generation, t.history, t.energy, end, meanLoss, flown, t.length, material);
  scoreSegment(t.x - flown * t.u, t.y - flown * t.v, t.z - flown * t.w, t.u, t.v, t.w, flown, 0, t.zone);
}
