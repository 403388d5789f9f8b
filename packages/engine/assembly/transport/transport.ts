// Condensed-history transport with random hinges. docs/engine.md, "Stepping".

import { FAR } from '../constants';
import { transportLepton } from '../electron/electron-transport';
import { greater, lesser } from '../fast-math';
import {
  distanceToSurface,
  distanceToWorld,
  locate,
  OUTSIDE,
  overshoot,
  worldZone,
  zoneMaterial,
} from '../geometry/geometry';
import { KIND_BLACK_HOLE } from '../material/composition';
import { Material } from '../material/material';
import { foundRange, foundStopping, GRID_LOW, RangeTable } from '../material/range-table';
import { ionInteraction } from '../nuclear/ion-reaction';
import { transportNeutron } from '../nuclear/neutron';
import { protonInteraction } from '../nuclear/proton-reaction';
import { exponential, seedHistory, uniform } from '../random';
import { beginStep, inverseLength } from '../scoring/step';
import { pages, scoreSegment } from '../scoring/tally';
import {
  primaryEnergy,
  primarySpecies,
  primaryU,
  primaryV,
  primaryW,
  primaryX,
  primaryY,
  primaryZ,
  samplePrimary,
} from './beam';
import { setKinematics } from './kinematics';
import { deflectionX, deflectionY, prepareDeflection, sampleDeflection } from './scattering';
import { Species, species } from './species';
import { sampleLoss } from './straggling';
import { deflectBy, ledger, popSecondary, totals, track } from './track';

let lossFraction: f64 = 0.03;
let straggling: i32 = 2;
let scattering: i32 = 2;
let nuclear: bool = true;
/** Residual range below which a particle runs straight to its end: in cm, and at most and at least in g/cm². */
let floorLength: f64 = 0.02;
const FLOOR_MAX: f64 = 0.02;
const FLOOR_MIN: f64 = 1e-6;

/** Least length of a step: in cm, and at most in g/cm². */
let leastStep: f64 = 0.05;
const LEAST_STEP_MAX: f64 = 0.05;

/** A step is scored as one straight line where its hinge is nearer to it than this, cm; at most so much of a bin's edge. */
let hingeOffset: f64 = 0;
const HINGE_OFFSET_MAX: f64 = 0.05;

const STALLED_STEPS_MAX: i32 = 1000;

// what ended a step
const ENDED_INSIDE: i32 = 0;
const ENDED_AT_SURFACE: i32 = 1;
const ENDED_BY_INTERACTION: i32 = 2;

export function setPhysics(fraction: f64, stragglingMode: i32, scatteringMode: i32, reactions: bool): void {
  lossFraction = fraction;
  straggling = stragglingMode;
  scattering = scatteringMode;
  nuclear = reactions;
}

export function areReactionsOn(): bool {
  return nuclear;
}

/** The smallest bin's edge, cm; a step is at least half of it long, and the end of a path is straight over a quarter of it. */
export function setFinestBin(edge: f64, needsDirections: bool): void {
  floorLength = 0.25 * edge;
  leastStep = 0.5 * edge;
  hingeOffset = needsDirections ? 0 : HINGE_OFFSET_MAX * edge;
}

// the current step: first part, after the hinge second part
let outcome: i32 = 0;
let before: f64 = 0;
let after: f64 = 0;
let hingeX: f64 = 0;
let hingeY: f64 = 0;
let hingeZ: f64 = 0;
let startX: f64 = 0;
let startY: f64 = 0;
let startZ: f64 = 0;
let startU: f64 = 0;
let startV: f64 = 0;
let startW: f64 = 0;

/**
 * Moves the track over at most `length` cm: straight, or with the prepared deflection at a random point.
 * The end is short of, or just past, the next surface; `outcome` says what ended it.
 */
function move(length: f64, deflects: bool, whole: i32): void {
  const t = track;
  startX = t.x;
  startY = t.y;
  startZ = t.z;
  startU = t.u;
  startV = t.v;
  startW = t.w;
  let first = length;
  if (deflects) first *= uniform();
  outcome = whole;
  if (!deflects && whole == ENDED_AT_SURFACE) first += overshoot;
  t.x += first * t.u;
  t.y += first * t.v;
  t.z += first * t.w;
  before = first;
  after = 0;
  hingeX = t.x;
  hingeY = t.y;
  hingeZ = t.z;
  if (!deflects) return;
  sampleDeflection();
  deflectBy(deflectionX, deflectionY);
  after = length - first;
  // what ends within the overshoot of a surface ends at it: from nearer than rounding it would not be seen again
  const reach = after + overshoot;
  const surface = distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, reach);
  if (surface < reach) {
    after = surface + overshoot;
    outcome = ENDED_AT_SURFACE;
  } else if (whole == ENDED_AT_SURFACE) outcome = ENDED_INSIDE;
  t.x += after * t.u;
  t.y += after * t.v;
  t.z += after * t.w;
}

function score(particle: Species, start: f64, end: f64, mean: f64, material: Material, zone: i32): void {
  const t = track;
  const length = before + after;
  if (length <= 0) return;
  beginStep(particle, t.generation, t.history, start, end, mean, length, t.length, material);
  if (after <= 0) {
    scoreSegment(startX, startY, startZ, startU, startV, startW, before, 0, zone);
    return;
  }
  const offset = before * after * inverseLength;
  const square = deflectionX * deflectionX + deflectionY * deflectionY;
  if (offset * offset * square < hingeOffset * hingeOffset) {
    const u = (t.x - startX) * inverseLength;
    const v = (t.y - startY) * inverseLength;
    const w = (t.z - startZ) * inverseLength;
    scoreSegment(startX, startY, startZ, u, v, w, length, 0, zone);
    return;
  }
  if (before > 0) scoreSegment(startX, startY, startZ, startU, startV, startW, before, 0, zone);
  scoreSegment(hingeX, hingeY, hingeZ, t.u, t.v, t.w, after, before, zone);
}

/** Locates the track, which is just past a surface. False: it has left the world or met a black hole. */
function enterNextZone(): bool {
  const t = track;
  t.zone = locate(t.x, t.y, t.z);
  if (t.zone != OUTSIDE && zoneMaterial(t.zone).kind != KIND_BLACK_HOLE) return true;
  ledger.escaped += t.energy;
  return false;
}

/** Crosses a vacuum zone in one straight line. False: the particle is gone. */
function crossVacuum(particle: Species, material: Material): bool {
  const t = track;
  const distance = distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, FAR);
  if (distance >= FAR) {
    loseParticle();
    return false;
  }
  move(distance, false, ENDED_AT_SURFACE);
  score(particle, t.energy, t.energy, 0, material, t.zone);
  t.length += before;
  return enterNextZone();
}

function loseParticle(): void {
  ledger.lost++;
  ledger.lostEnergy += track.energy;
}

/** Energy lost over a path of `mass` g/cm², MeV; sets `meanLoss`. */
let meanLoss: f64 = 0;
function lossOver(mass: f64, particle: Species, table: RangeTable, range: f64, material: Material): f64 {
  const energy = track.energy;
  const left = range - mass * particle.toProton;
  if (left <= 0) {
    meanLoss = energy;
    return energy;
  }
  meanLoss = greater(0, energy - table.energy(left) * particle.fromProton);
  return lesser(energy, sampleLoss(straggling, meanLoss, particle, material, mass));
}

/**
 * One step in matter. `budget`: mean free paths to the next nuclear interaction, reduced by those used up.
 * False: the particle has ended.
 */
let budget: f64 = 0;
let afterSurface: bool = true;
function stepInMatter(particle: Species, material: Material): bool {
  const t = track;
  const energy = t.energy;
  const tp = energy * particle.toProton;
  const table = material.rangeTable(particle.table);
  table.find(tp);
  const stopping = foundStopping;
  const range = foundRange;
  // ranges of the table are of the proton-like particle; this one's is longer by its mass
  const reach = range * particle.fromProton;
  let mass = reach;
  let whole = ENDED_INSIDE;
  let deflects = false;
  const floorRange = greater(FLOOR_MIN, lesser(FLOOR_MAX, floorLength * material.density));
  const last = reach <= floorRange;
  if (!last) {
    const least = greater(FLOOR_MIN, lesser(LEAST_STEP_MAX, leastStep * material.density));
    mass = lesser(reach, greater(least, (lossFraction * energy) / stopping));
    // a step that begins on a surface is shortened at random, so that the steps of many histories do not line up
    if (afterSurface) mass *= uniform();
  }
  const sigmaNuclear = nuclear ? material.nuclearSigma(t.species, energy * particle.inverseA) : 0;
  if (sigmaNuclear > 0 && budget < mass * sigmaNuclear) {
    mass = budget / sigmaNuclear;
    whole = ENDED_BY_INTERACTION;
  }
  let length = mass / material.density;
  const surface = distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, length + overshoot);
  if (surface < length + overshoot) {
    length = surface;
    whole = ENDED_AT_SURFACE;
  }
  const thickness = length * material.density;
  setKinematics(greater(0.5 * energy, energy - 0.5 * stopping * thickness), particle);
  if (!last) deflects = prepareDeflection(scattering, material, particle, thickness);
  const zone = t.zone;
  move(length, deflects, whole);
  const path = before + after;
  const used = path * material.density;
  let loss = last && outcome == ENDED_INSIDE ? energy : lossOver(used, particle, table, range, material);
  if (last && outcome == ENDED_INSIDE) meanLoss = energy;
  let end = energy - loss;
  if (end * particle.toProton <= GRID_LOW) {
    // what is below the tables' end is left where the particle stopped
    loss = energy;
    end = 0;
  }
  if (pages.length > 0) score(particle, energy, end, meanLoss, material, zone);
  ledger.deposited += loss;
  budget -= used * sigmaNuclear;
  t.energy = end;
  t.length += path;
  return end > 0;
}

/** Transports the current track to its end; secondaries go on the stack. */
function transport(): void {
  const t = track;
  const particle = species[t.species];
  if (particle.a == 0) {
    transportLepton();
    return;
  }
  if (particle.z == 0) {
    transportNeutron(particle);
    return;
  }
  budget = nuclear ? exponential() : FAR;
  let stalled = 0;
  while (true) {
    ledger.steps++;
    const material = zoneMaterial(t.zone);
    if (!material.isMatter()) {
      if (!crossVacuum(particle, material)) return;
      afterSurface = true;
      continue;
    }
    if (!stepInMatter(particle, material)) return;
    stalled = before + after < 1e-9 ? stalled + 1 : 0;
    if (stalled > STALLED_STEPS_MAX) {
      loseParticle();
      return;
    }
    afterSurface = outcome == ENDED_AT_SURFACE;
    if (afterSurface) {
      if (!enterNextZone()) return;
    } else if (outcome == ENDED_BY_INTERACTION) {
      ledger.interactions++;
      if (!interact(material, particle)) return;
      budget = exponential();
    }
  }
}

function interact(material: Material, particle: Species): bool {
  if (particle.z == 1 && particle.a == 1) return protonInteraction(material);
  ionInteraction(material);
  return false;
}

/** Puts the sampled primary into the world. False: it misses it. */
function startPrimary(): bool {
  const t = track;
  t.x = primaryX;
  t.y = primaryY;
  t.z = primaryZ;
  t.u = primaryU;
  t.v = primaryV;
  t.w = primaryW;
  t.energy = primaryEnergy;
  t.species = primarySpecies;
  t.generation = 0;
  t.length = 0;
  t.zone = locate(t.x, t.y, t.z);
  if (t.zone == OUTSIDE) {
    const distance = distanceToWorld(t.x, t.y, t.z, t.u, t.v, t.w);
    if (distance < FAR) {
      t.x += (distance + overshoot) * t.u;
      t.y += (distance + overshoot) * t.v;
      t.z += (distance + overshoot) * t.w;
      return enterNextZone();
    }
  }
  if (t.zone >= 0 && t.zone <= worldZone() && zoneMaterial(t.zone).kind != KIND_BLACK_HOLE) return true;
  ledger.escaped += t.energy;
  return false;
}

/** Simulates one history of the job. */
export function simulateHistory(jobSeed: u64, history: u64): void {
  seedHistory(jobSeed, history);
  samplePrimary();
  track.history = <f64>history + 1;
  ledger.clear();
  if (startPrimary()) {
    afterSurface = true;
    transport();
    while (popSecondary()) {
      afterSurface = false;
      transport();
    }
  }
  totals.add(ledger, primaryEnergy);
}
