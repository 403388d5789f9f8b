// The particle being transported, those waiting, and the energy ledger of the history.

import { greater } from '../fast-math';
import { azimuthCos, azimuthSin, sampleAzimuth, uniform } from '../random';

const STACK: i32 = 4096;

class Track {
  x: f64 = 0;
  y: f64 = 0;
  z: f64 = 0;
  u: f64 = 0;
  v: f64 = 0;
  w: f64 = 1;
  /** Kinetic energy, MeV. */
  energy: f64 = 0;
  species: i32 = 0;
  generation: i32 = 0;
  zone: i32 = 0;
  /** Path since birth, cm. */
  length: f64 = 0;
  /** Number of the primary in the job, from 1. */
  history: f64 = 0;
}

/** Where the energy of one history went, MeV, and counts. */
class Ledger {
  deposited: f64 = 0;
  escaped: f64 = 0;
  neutral: f64 = 0;
  lostEnergy: f64 = 0;
  lost: f64 = 0;
  steps: f64 = 0;
  interactions: f64 = 0;

  clear(): void {
    this.deposited = 0;
    this.escaped = 0;
    this.neutral = 0;
    this.lostEnergy = 0;
    this.lost = 0;
    this.steps = 0;
    this.interactions = 0;
  }
}

/** Largest relative energy error that a history may have. */
const IMBALANCE_MAX: f64 = 1e-9;

/** Sums over the histories of a batch. */
class Totals extends Ledger {
  started: f64 = 0;
  /** Histories whose energy does not add up to 1e-9, and the largest relative error. */
  imbalanced: f64 = 0;
  worst: f64 = 0;

  add(history: Ledger, energy: f64): void {
    this.deposited += history.deposited;
    this.escaped += history.escaped;
    this.neutral += history.neutral;
    this.lostEnergy += history.lostEnergy;
    this.lost += history.lost;
    this.steps += history.steps;
    this.interactions += history.interactions;
    this.started += energy;
    const out = history.deposited + history.escaped + history.neutral + history.lostEnergy;
    const error = Math.abs(out - energy) / energy;
    if (!(error <= IMBALANCE_MAX)) this.imbalanced++;
    this.worst = greater(this.worst, error);
  }

  override clear(): void {
    super.clear();
    this.started = 0;
    this.imbalanced = 0;
    this.worst = 0;
  }
}

export const track = new Track();
export const ledger = new Ledger();
export const totals = new Totals();

const FIELDS: i32 = 10;
const stack = new StaticArray<f64>(STACK * FIELDS);
let depth: i32 = 0;

// a direction turned by `turn`
export let turnedU: f64 = 0;
export let turnedV: f64 = 0;
export let turnedW: f64 = 0;

/** Turns (u, v, w) by a polar angle (its cosine) and an azimuth (cosine, sine); result in `turned…`. */
export function turn(u: f64, v: f64, w: f64, cosine: f64, azimuthCosine: f64, azimuthSine: f64): void {
  const sine = Math.sqrt(greater(0, 1 - cosine * cosine));
  turnBy(u, v, w, sine * azimuthCosine, sine * azimuthSine, cosine);
}

/** Unit vector with components a, b across and c along (u, v, w), which is one; result in `turned…`. */
export function turnBy(u: f64, v: f64, w: f64, a: f64, b: f64, c: f64): void {
  // orthonormal basis after Duff et al., J. Computer Graphics Techniques 6 (2017) 1
  const sign: f64 = w >= 0 ? 1 : -1;
  const k = -1 / (sign + w);
  const m = u * v * k;
  const x = a * (1 + sign * u * u * k) + b * m + c * u;
  const y = a * sign * m + b * (sign + v * v * k) + c * v;
  const z = -a * sign * u - b * v + c * w;
  // all but normalised: one step of Newton's for 1/√ undoes what rounding has added
  const inverse = 1.5 - 0.5 * (x * x + y * y + z * z);
  turnedU = x * inverse;
  turnedV = y * inverse;
  turnedW = z * inverse;
}

/** Puts a secondary of the current interaction on the stack, at the current point. False: no room. */
export function pushSecondary(species: i32, energy: f64, u: f64, v: f64, w: f64): bool {
  if (depth == STACK) return false;
  const base = depth * FIELDS;
  stack[base] = track.x;
  stack[base + 1] = track.y;
  stack[base + 2] = track.z;
  stack[base + 3] = u;
  stack[base + 4] = v;
  stack[base + 5] = w;
  stack[base + 6] = energy;
  stack[base + 7] = <f64>species;
  stack[base + 8] = <f64>(track.generation + 1);
  stack[base + 9] = <f64>track.zone;
  depth++;
  return true;
}

/** Pushes a secondary at a polar angle to the current direction, azimuth uniform. */
export function pushAtAngle(species: i32, energy: f64, cosine: f64): bool {
  sampleAzimuth();
  turn(track.u, track.v, track.w, cosine, azimuthCos, azimuthSin);
  return pushSecondary(species, energy, turnedU, turnedV, turnedW);
}

/** Takes the next waiting particle into `track`. False: none. */
export function popSecondary(): bool {
  if (depth == 0) return false;
  depth--;
  const base = depth * FIELDS;
  track.x = stack[base];
  track.y = stack[base + 1];
  track.z = stack[base + 2];
  track.u = stack[base + 3];
  track.v = stack[base + 4];
  track.w = stack[base + 5];
  track.energy = stack[base + 6];
  track.species = <i32>stack[base + 7];
  track.generation = <i32>stack[base + 8];
  track.zone = <i32>stack[base + 9];
  track.length = 0;
  return true;
}

/** Angles beyond which sine and cosine are not those of small angles, rad². */
const SMALL_ANGLE_SQUARED: f64 = 0.01;

/** Deflects the current direction by two angles across it, rad. */
export function deflectBy(a: f64, b: f64): void {
  const square = a * a + b * b;
  if (square < SMALL_ANGLE_SQUARED) {
    const sine = 1 - square / 6;
    turnBy(track.u, track.v, track.w, a * sine, b * sine, 1 - 0.5 * square * (1 - square / 12));
  } else {
    const angle = Math.sqrt(square);
    const sine = Math.sin(angle) / angle;
    turnBy(track.u, track.v, track.w, a * sine, b * sine, Math.cos(angle));
  }
  track.u = turnedU;
  track.v = turnedV;
  track.w = turnedW;
}

/** Uniform in [low, high]. */
export function uniformBetween(low: f64, high: f64): f64 {
  return low + (high - low) * uniform();
}
