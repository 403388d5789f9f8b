// Electrons and positrons: condensed history of class II with random hinges. docs/engine.md, "Electrons".

import { BETHE_K, ELECTRON_MASS, FAR } from '../constants';
import { greater, lesser } from '../fast-math';
import { distanceToSurface, zoneMaterial, zoneMaterialIndex } from '../geometry/geometry';
import { Material } from '../material/material';
import { exponential, poisson, uniform } from '../random';
import { beginStep } from '../scoring/step';
import { pages, scoreSegment } from '../scoring/tally';
import { inverseSpeedSquared, setKinematics } from '../transport/kinematics';
import { Species, species } from '../transport/species';
import { sampleAround } from '../transport/straggling';
import { ledger, track } from '../transport/track';
import { PHOTON_CUT, sampleForward } from './bremsstrahlung';
import { collisionCosine, ELECTRON_CUT, sampleMoller } from './collision';
import { prepareScattering, sampleSingle, sampleSoft, singleSigma } from './electron-scattering';
import { ElectronTables, electronTables } from './electron-tables';
import { crossed, deflectTrack, enterNextZone, flown, fly, loseTrack, scoreFlight, turnTrack } from './flight';
import { ELECTRON, PHOTON, POSITRON } from './lepton';
import { release, transportPhoton } from './photon-transport';

let lossFraction: f64 = 0.03;
let straggles: bool = true;
let scatters: bool = true;
/** CSDA range below which an electron runs straight to its end: in cm, and at most and at least in g/cm². */
let floorLength: f64 = 0.02;
const FLOOR_MAX: f64 = 0.02;
const FLOOR_MIN: f64 = 1e-6;
/** What a step may be long at least whatever it loses: in cm, and at most in g/cm². */
let leastStep: f64 = 0.05;
const LEAST_STEP_MAX: f64 = 0.05;
/**
 * A step is a part of what is behind or ahead of the electron, whichever is more: the angles behind a foil are those of many
 * collisions, not of one hinge, and of many layers each may be crossed with a few.
 */
const CROSSING_STEPS: f64 = 16;

const STALLED_STEPS_MAX: i32 = 1000;

/** Largest fraction of its energy that an electron loses in a step besides single collisions; and what fluctuates. */
export function setElectronPhysics(fraction: f64, straggling: bool, scattering: bool): void {
  lossFraction = fraction;
  straggles = straggling;
  scatters = scattering;
}

/** The smallest bin's edge, cm. */
export function setElectronFloor(finestBin: f64): void {
  floorLength = 0.25 * finestBin;
  leastStep = 0.5 * finestBin;
}

let afterSurface: bool = true;
/** What the electron has behind it, and what was ahead of it when it entered its zone, g/cm². */
let behind: f64 = 0;
let ahead: f64 = FAR;
/** Length of the last step, cm, and whether it ended at a surface or as planned. */
let path: f64 = 0;
let atSurface: bool = false;

// the two straight parts of a step
let startX: f64 = 0;
let startY: f64 = 0;
let startZ: f64 = 0;
let startU: f64 = 0;
let startV: f64 = 0;
let startW: f64 = 0;
let before: f64 = 0;

/** Deflects the track as elastic scattering over `thickness` g/cm² does. */
function deflect(thickness: f64): void {
  deflectTrack(1 - 2 * sampleSoft(thickness));
  for (let i = poisson(singleSigma * thickness); i > 0; i--) {
    const mu = sampleSingle();
    if (mu > 0) deflectTrack(1 - 2 * mu);
  }
}

/** Moves the track over at most `length` cm with the deflection of `thickness` g/cm² at a random point. */
function moveBent(length: f64, thickness: f64): void {
  const t = track;
  startX = t.x;
  startY = t.y;
  startZ = t.z;
  startU = t.u;
  startV = t.v;
  startW = t.w;
  fly(uniform() * length);
  before = flown;
  path = flown;
  atSurface = crossed;
  if (crossed) return;
  if (scatters) deflect(thickness);
  fly(length - before);
  path += flown;
  atSurface = crossed;
}

function scoreBent(particle: Species, end: f64, meanLoss: f64, material: Material, zone: i32): void {
  if (pages.length == 0 || path <= 0) return;
  const t = track;
  beginStep(particle, t.generation, t.history, t.energy, end, meanLoss, path, t.length, material);
  if (before > 0) scoreSegment(startX, startY, startZ, startU, startV, startW, before, 0, zone);
  const after = path - before;
  if (after > 0) {
    scoreSegment(t.x - after * t.u, t.y - after * t.v, t.z - after * t.w, t.u, t.v, t.w, after, before, zone);
  }
}

/** Energy lost softly over `mass` g/cm². */
function softLoss(tables: ElectronTables, material: Material, mass: f64): f64 {
  const energy = track.energy;
  const left = tables.soft.range(energy) - mass;
  const meanLoss = left <= 0 ? energy : Math.max(0, energy - tables.soft.energy(left));
  if (left <= 0 || !straggles || meanLoss <= 0) return meanLoss;
  // transfers up to the cut-off, 1/W²
  const variance = 0.5 * BETHE_K * material.zOverA * inverseSpeedSquared * mass * Math.min(ELECTRON_CUT, 0.5 * energy);
  return Math.min(energy, sampleAround(meanLoss, variance));
}

/** Straight to the end of the path, or to the next surface. False: the electron has ended. */
function finish(particle: Species, tables: ElectronTables, material: Material): bool {
  const t = track;
  const reach = tables.whole.range(t.energy);
  fly(reach / material.density);
  path = flown;
  atSurface = crossed;
  const left = crossed ? Math.max(0, tables.whole.energy(reach - flown * material.density)) : 0;
  scoreFlight(particle, left, t.energy - left, material);
  ledger.deposited += t.energy - left;
  t.energy = left;
  t.length += flown;
  return left > 0;
}

/** A positron at rest: two photons back to back, their energy from its rest energy and an electron's. */
function annihilate(): void {
  const t = track;
  turnTrack(2 * uniform() - 1);
  ledger.neutral -= 2 * ELECTRON_MASS;
  release(PHOTON, ELECTRON_MASS, 1);
  release(PHOTON, ELECTRON_MASS, -1);
  t.energy = 0;
}

function collide(): void {
  const t = track;
  const given = sampleMoller(t.energy);
  release(ELECTRON, given, collisionCosine(t.energy, given));
  turnTrack(collisionCosine(t.energy, t.energy - given));
  t.energy -= given;
  ledger.interactions++;
}

function radiate(tables: ElectronTables): void {
  const t = track;
  const photon = tables.bremsstrahlung.samplePhoton(t.energy);
  release(PHOTON, photon, sampleForward(t.energy));
  t.energy -= photon;
  ledger.interactions++;
}

/** What ends a step that is as long as was drawn: a hard collision, a photon, or none. */
function interact(tables: ElectronTables, most: f64): void {
  const energy = track.energy;
  let pick = uniform() * most;
  pick -= energy > 2 * ELECTRON_CUT ? tables.mollerSigma(energy) : 0;
  if (pick < 0) collide();
  else if (energy > PHOTON_CUT && pick < tables.bremsstrahlungSigma(energy)) radiate(tables);
}

/** How much of its zone, at most `most` g/cm², is ahead of the electron. */
function lookAhead(material: Material, most: f64): f64 {
  const t = track;
  const limit = most / material.density;
  return Math.min(limit, distanceToSurface(t.x, t.y, t.z, t.u, t.v, t.w, limit)) * material.density;
}

/** One step in matter. False: the electron has ended. */
function stepInMatter(particle: Species, tables: ElectronTables, material: Material): bool {
  const t = track;
  const energy = t.energy;
  const floorRange = greater(FLOOR_MIN, lesser(FLOOR_MAX, floorLength * material.density));
  const range = tables.whole.range(energy);
  if (range <= floorRange) return finish(particle, tables, material);
  const stopping = tables.soft.stoppingPower(energy);
  const least = lesser(range, greater(FLOOR_MIN, lesser(LEAST_STEP_MAX, leastStep * material.density)));
  let longest = greater(least, (lossFraction * energy) / stopping);
  if (afterSurface) ahead = lookAhead(material, CROSSING_STEPS * longest);
  longest = lesser(longest, greater(FLOOR_MIN, greater(ahead, behind) * (1 / CROSSING_STEPS)));
  if (scatters) longest = lesser(longest, greater(FLOOR_MIN, tables.deflectionPath(energy)));
  setKinematics(greater(0.5 * energy, energy - 0.5 * longest * stopping), particle);
  if (scatters) prepareScattering(material, energy, longest);
  let mass = longest;
  // a step that begins on a surface is shortened at random, so that the steps of many histories do not line up
  if (afterSurface) mass *= uniform();
  const lowest = greater(0, energy - 2 * longest * stopping);
  const most = greater(tables.hardSigma(energy), tables.hardSigma(lowest));
  const drawn = most > 0 ? exponential() / most : FAR;
  const interacts = drawn < mass;
  if (interacts) mass = drawn;
  const zone = t.zone;
  moveBent(mass / material.density, mass);
  const loss = softLoss(tables, material, path * material.density);
  // LET is that of all collisions, single ones too
  const letLoss = tables.whole.stoppingPower(energy - 0.5 * loss) * path * material.density;
  scoreBent(particle, energy - loss, letLoss, material, zone);
  ledger.deposited += loss;
  t.energy = energy - loss;
  t.length += path;
  behind += path * material.density;
  if (t.energy <= 0) return false;
  if (interacts && !atSurface) interact(tables, most);
  return t.energy > 0;
}

function transportElectron(particle: Species): void {
  const t = track;
  let stalled = 0;
  afterSurface = t.length == 0 && t.generation == 0;
  behind = 0;
  ahead = FAR;
  while (true) {
    ledger.steps++;
    const material = zoneMaterial(t.zone);
    if (!material.isMatter()) {
      fly(FAR);
      if (!crossed) break;
      scoreFlight(particle, t.energy, 0, material);
      t.length += flown;
      if (!enterNextZone()) return;
      afterSurface = true;
      continue;
    }
    if (!stepInMatter(particle, electronTables[zoneMaterialIndex(t.zone)], material)) {
      // at the far side of a surface it ends as well: what it had is deposited
      if (particle.index == POSITRON && (!atSurface || enterNextZone())) annihilate();
      return;
    }
    stalled = path < 1e-9 ? stalled + 1 : 0;
    if (stalled > STALLED_STEPS_MAX) break;
    afterSurface = atSurface;
    if (atSurface && !enterNextZone()) return;
  }
  loseTrack();
}

/** Transports the current electron, positron or photon to its end; what it sets free goes on the stack. */
export function transportLepton(): void {
  const particle = species[track.species];
  if (particle.z == 0) transportPhoton(particle);
  else transportElectron(particle);
}
