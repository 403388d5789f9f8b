// Scores steps and local deposits. A step is announced once (`beginStep`: weights per unit length of every page), then
// its straight segments are handed over; detectors cut them into bins.

import { ATOMIC_MASS_UNIT, NEUTRON_MASS } from './constants';
import { Detector } from './detector';
import { zoneMaterialIndex } from './geometry';
import { Material, materials } from './material';
import {
  AVG_BETA,
  AVG_ENERGY,
  chargeOverBeta,
  DOSE,
  DOSE_LET,
  DOSE_Z2BETA2,
  DOSE_ZEFF2BETA2,
  ENERGY,
  FLUENCE,
  fixedProperty,
  NEUTRON_KERMA,
  P_A,
  P_AMASS,
  P_AMU,
  P_ANGLE,
  P_DEDX,
  P_E,
  P_EAMU,
  P_ENUC,
  P_ID,
  P_MDEDX,
  P_TL,
  P_Z,
  P_Z2BETA2,
  P_ZEFF,
  P_ZEFF2BETA2,
  Page,
  TRACK_LET,
  TRACK_Z2BETA2,
  TRACK_ZEFF2BETA2,
} from './page';
import { NEUTRON, Species, species } from './species';
import { betaSquared, effectiveCharge } from './stopping-power';
import { track } from './track';

export const detectors = new Array<Detector>();
export const pages = new Array<Page>();
export let tally: StaticArray<f64> = new StaticArray<f64>(0);

// the current step
let particle: Species = new Species(0, 1, 1, 1, 1, 2, 1);
let generation: f64 = 0;
let history: f64 = 0;
let energyStart: f64 = 0;
let energyDrop: f64 = 0;
let trackStart: f64 = 0;
let stepLength: f64 = 0;
let directionZ: f64 = 0;
let local: Material = new Material(0, 0, 0, 0, 0);

// where much of the energy is lost in the step: residual range at its start and what of it is used up, for the energy within
let curved: bool = false;
let rangeStart: f64 = 0;
let rangeDrop: f64 = 0;

/** Share of the energy lost in a step beyond which the energy does not fall evenly along it. */
const CURVED_LOSS: f64 = 0.1;

/** Parts at most of a piece whose energy crosses bins, and of a piece along which it falls unevenly. */
const PARTS_MAX: f64 = 32;
const CURVED_PARTS: i32 = 4;

/** Some page scores neutrons on their way; some page scores their kerma. */
export let scoresNeutrons: bool = false;
let scoresKerma: bool = false;

/** Whether a neutron, whatever its energy, generation and history, may pass the rules of a page. */
function admitsNeutrons(page: Page): bool {
  for (let i = 0; i < page.rules.length; i++) {
    const rule = page.rules[i];
    const fixed =
      rule.property == P_Z ||
      rule.property == P_A ||
      rule.property == P_ID ||
      (rule.property >= P_AMASS && rule.property <= P_AMU);
    if (fixed && !rule.holds(fixedProperty(rule.property, 0, 1, NEUTRON_MASS, 0, 1, 0))) return false;
  }
  return true;
}

/** Puts the pages' sums one after another and clears them. Returns the number of sums. */
export function prepareTally(): i32 {
  let length = 0;
  for (let i = 0; i < pages.length; i++) {
    const page = pages[i];
    const detector = detectors[page.detector];
    page.spatialBins = detector.bins();
    page.offset = length;
    page.denominatorOffset = length + page.spatialBins * page.differentialBins;
    length += page.length();
    detector.pages.push(page);
  }
  tally = new StaticArray<f64>(length);
  for (let i = 0; i < pages.length; i++) {
    if (pages[i].takesNeutrons() && admitsNeutrons(pages[i])) scoresNeutrons = true;
    if (pages[i].quantity == NEUTRON_KERMA) scoresKerma = true;
  }
  return length;
}

export function clearTally(): void {
  memory.fill(changetype<usize>(tally), 0, (<usize>tally.length) << 3);
}

function energyProperty(page: Page, property: i32, energy: f64, path: f64): f64 {
  const tp = energy * particle.toProton;
  const z = <f64>particle.z;
  if (property == P_E) return energy;
  if (property == P_ENUC) return energy / <f64>particle.a;
  if (property == P_EAMU) return (energy * ATOMIC_MASS_UNIT) / particle.mass;
  if (property == P_TL) return path;
  // neutrons have no stopping power: below every axis
  if (particle.z == 0) return -1;
  if (property == P_ZEFF) return effectiveCharge(z, Math.sqrt(betaSquared(tp)));
  if (property == P_Z2BETA2) return chargeOverBeta(z, tp, false);
  if (property == P_ZEFF2BETA2) return chargeOverBeta(z, tp, true);
  const medium = page.medium >= 0 ? materials[page.medium] : local;
  if (!medium.isMatter()) return 0;
  const s = medium.rangeTable(particle.table).stoppingPower(tp);
  return property == P_MDEDX ? s : s * medium.density;
}

function propertyOf(page: Page, property: i32, energy: f64, track: f64): f64 {
  if (property == P_ANGLE) return Math.acos(Math.max(-1, Math.min(1, directionZ))) * (180 / Math.PI);
  if (property <= P_EAMU || property == P_DEDX || property == P_MDEDX || (property >= P_ZEFF && property <= P_TL)) {
    return energyProperty(page, property, energy, track);
  }
  return fixedProperty(
    property,
    <f64>particle.z,
    <f64>particle.a,
    particle.mass,
    generation,
    <f64>particle.id,
    history,
  );
}

function passes(page: Page, energy: f64, track: f64): bool {
  for (let i = 0; i < page.rules.length; i++) {
    const rule = page.rules[i];
    if (!rule.holds(propertyOf(page, rule.property, energy, track))) return false;
  }
  return true;
}

/** Mass stopping power of the medium over that of the local material. */
function mediumRatio(medium: Material, tp: f64): f64 {
  if (!local.isMatter()) return 0;
  return medium.rangeTable(particle.table).stoppingPower(tp) / local.rangeTable(particle.table).stoppingPower(tp);
}

/** Mean stopping power weighted by energy loss, ∫S dE/ΔE, MeV/cm. */
function doseLet(medium: Material, tpStart: f64, tpEnd: f64): f64 {
  const table = medium.rangeTable(particle.table);
  const drop = tpStart - tpEnd;
  if (drop < 1e-7 * tpStart) return table.stoppingPower(tpStart) * medium.density;
  return ((table.integral(tpStart) - table.integral(tpEnd)) / drop) * medium.density;
}

function setWeights(page: Page, perLength: f64, meanPerLength: f64, tpStart: f64, tpEnd: f64): void {
  const tpMiddle = 0.5 * (tpStart + tpEnd);
  const medium = page.medium >= 0 ? materials[page.medium] : local;
  const matter = local.isMatter();
  const other = page.medium >= 0;
  let loss = perLength;
  if (other && page.quantity != ENERGY) loss *= mediumRatio(medium, tpMiddle);
  page.denominator = 1;
  switch (page.quantity) {
    case ENERGY:
      page.numerator = perLength;
      break;
    case DOSE:
      if (matter) page.numerator = loss / local.density;
      else page.numerator = other ? medium.rangeTable(particle.table).stoppingPower(tpMiddle) : 0;
      break;
    case DOSE_LET:
      page.denominator = loss;
      page.numerator = loss > 0 ? loss * doseLet(medium, tpStart, tpEnd) : 0;
      break;
    case TRACK_LET:
      if (!other) page.numerator = meanPerLength;
      else page.numerator = medium.rangeTable(particle.table).stoppingPower(tpMiddle) * medium.density;
      break;
    case DOSE_Z2BETA2:
    case DOSE_ZEFF2BETA2:
      page.numerator = loss;
      page.denominator = loss;
      break;
    default:
      page.numerator = 1;
  }
}

/**
 * Announces a step: energy `start` falls to `end` over `length` cm of `material`; `meanLoss` is the loss without
 * straggling.
 */
export function beginStep(
  species: Species,
  gen: i32,
  primary: f64,
  start: f64,
  end: f64,
  meanLoss: f64,
  length: f64,
  track: f64,
  material: Material,
  uz: f64,
): void {
  particle = species;
  generation = <f64>gen;
  history = primary;
  energyStart = start;
  energyDrop = start - end;
  stepLength = length;
  trackStart = track;
  directionZ = uz;
  local = material;
  const inverse = length > 0 ? 1 / length : 0;
  const perLength = energyDrop * inverse;
  const tpStart = start * species.toProton;
  const tpEnd = end * species.toProton;
  curved = energyDrop > CURVED_LOSS * start && material.isMatter();
  if (curved) {
    const table = material.rangeTable(species.table);
    rangeStart = table.range(tpStart);
    rangeDrop = rangeStart - table.range(tpEnd);
  }
  for (let i = 0; i < detectors.length; i++) detectors[i].active = false;
  for (let i = 0; i < pages.length; i++) {
    const page = pages[i];
    page.active = page.energyRules || page.rules.length == 0 || passes(page, start, track);
    // neutrons have a path, but no stopping power and no deposit along it
    if (species.z == 0 ? !page.takesNeutrons() : page.quantity == NEUTRON_KERMA) page.active = false;
    if (!page.active) continue;
    setWeights(page, perLength, meanLoss * inverse, tpStart, tpEnd);
    detectors[page.detector].activate(page);
  }
}

/** Hands over a straight segment of the current step that begins `from` cm after the step's start. */
export function scoreSegment(
  x: f64,
  y: f64,
  z: f64,
  ux: f64,
  uy: f64,
  uz: f64,
  length: f64,
  from: f64,
  zone: i32,
): void {
  directionZ = uz;
  for (let i = 0; i < detectors.length; i++) {
    const detector = detectors[i];
    if (detector.active) detector.segment(x, y, z, ux, uy, uz, length, from, zone);
  }
}

/** Adds `length` cm in one spatial bin; the piece begins `from` cm after the step's start. */
export function addPiece(detector: Detector, bin: i32, length: f64, from: f64): void {
  if (detector.solo >= 0) {
    tally[detector.solo + bin] += detector.soloWeight * length;
    return;
  }
  const list = detector.pages;
  for (let i = 0; i < list.length; i++) {
    const page = list[i];
    if (!page.active) continue;
    if (page.varying) {
      addVaryingPiece(page, bin, length, from);
      continue;
    }
    tally[page.offset + bin] += page.numerator * length;
    if (page.isRatio()) tally[page.denominatorOffset + bin] += page.denominator * length;
  }
}

/** Energy in the current step, a share of its length after its start. */
function energyAt(share: f64): f64 {
  if (!curved) return energyStart - energyDrop * share;
  const table = local.rangeTable(particle.table);
  return table.energy(rangeStart - rangeDrop * share) / particle.toProton;
}

function addVaryingPiece(page: Page, bin: i32, length: f64, from: f64): void {
  const inverse = 1 / stepLength;
  let parts = curved ? CURVED_PARTS : 1;
  if (page.modifiers.length > 0) {
    const high = energyAt(from * inverse);
    const drop = high - energyAt((from + length) * inverse);
    for (let i = 0; i < page.modifiers.length; i++) {
      const width = page.modifiers[i].energyWidth(high, particle);
      if (width > 0) parts = max(parts, <i32>min<f64>(PARTS_MAX, Math.ceil((2 * drop) / width)));
    }
  }
  const part = length / <f64>parts;
  for (let k = 0; k < parts; k++) {
    const middle = from + (<f64>k + 0.5) * part;
    addVaryingPart(page, bin, part, energyAt(middle * inverse), trackStart + middle);
  }
}

function addVaryingPart(page: Page, bin: i32, length: f64, energy: f64, track: f64): void {
  if (page.energyRules && !passes(page, energy, track)) return;
  let index = bin;
  let stride = page.spatialBins;
  for (let i = 0; i < page.modifiers.length; i++) {
    const modifier = page.modifiers[i];
    const k = modifier.bin(propertyOf(page, modifier.property, energy, track));
    if (k < 0) return;
    index += stride * k;
    stride *= modifier.bins;
  }
  let value = page.numerator;
  const tp = energy * particle.toProton;
  const z = <f64>particle.z;
  if (page.quantity == AVG_ENERGY) value *= energy / <f64>particle.a;
  else if (page.quantity == AVG_BETA) value *= Math.sqrt(betaSquared(tp));
  else if (page.quantity == DOSE_Z2BETA2 || page.quantity == TRACK_Z2BETA2) value *= chargeOverBeta(z, tp, false);
  else if (page.quantity == DOSE_ZEFF2BETA2 || page.quantity == TRACK_ZEFF2BETA2) value *= chargeOverBeta(z, tp, true);
  tally[page.offset + index] += value * length;
  if (page.isRatio()) tally[page.denominatorOffset + index] += page.denominator * length;
}

/**
 * Scores energy deposited at a point by a nucleus too slow to travel (z, a: the struck nucleus). It counts in
 * energy and dose only: it has no path, hence no stopping power, no LET, no fluence.
 */
export function scorePoint(
  x: f64,
  y: f64,
  z: f64,
  energy: f64,
  zone: i32,
  material: Material,
  charge: f64,
  mass: f64,
  gen: i32,
  primary: f64,
): void {
  for (let i = 0; i < detectors.length; i++) {
    const bin = detectors[i].binAt(x, y, z, zone);
    if (bin < 0) continue;
    const list = detectors[i].pages;
    for (let k = 0; k < list.length; k++) {
      const page = list[k];
      if (page.quantity > DOSE) continue;
      const index = pointIndex(page, bin, charge, mass, <f64>gen, primary);
      if (index < 0) continue;
      tally[index] += page.quantity == ENERGY ? energy : energy / material.density;
    }
  }
}

/** Scores energy that the current neutron gives to charged particles in a collision: kerma, with the filters of the neutron. */
export function scoreKerma(energy: f64): void {
  if (!scoresKerma || energy <= 0) return;
  const t = track;
  const neutron = species[NEUTRON];
  particle = neutron;
  generation = <f64>t.generation;
  history = t.history;
  directionZ = t.w;
  const density = materials[zoneMaterialIndex(t.zone)].density;
  for (let i = 0; i < detectors.length; i++) {
    const bin = detectors[i].binAt(t.x, t.y, t.z, t.zone);
    if (bin < 0) continue;
    const list = detectors[i].pages;
    for (let k = 0; k < list.length; k++) {
      const page = list[k];
      if (page.quantity != NEUTRON_KERMA || !passes(page, t.energy, t.length)) continue;
      let index = page.offset + bin;
      let stride = page.spatialBins;
      let inside = true;
      for (let m = 0; m < page.modifiers.length; m++) {
        const cell = page.modifiers[m].bin(propertyOf(page, page.modifiers[m].property, t.energy, t.length));
        if (cell < 0) inside = false;
        index += stride * cell;
        stride *= page.modifiers[m].bins;
      }
      if (inside) tally[index] += energy / density;
    }
  }
}

function pointProperty(property: i32, charge: f64, mass: f64, gen: f64, primary: f64): f64 {
  if (property <= P_MDEDX || (property >= P_ZEFF && property <= P_TL)) return 0;
  return fixedProperty(property, charge, Math.round(mass), mass * ATOMIC_MASS_UNIT, gen, 25, primary);
}

function pointIndex(page: Page, bin: i32, charge: f64, mass: f64, gen: f64, primary: f64): i32 {
  for (let i = 0; i < page.rules.length; i++) {
    const rule = page.rules[i];
    if (!rule.holds(pointProperty(rule.property, charge, mass, gen, primary))) return -1;
  }
  let index = page.offset + bin;
  let stride = page.spatialBins;
  for (let i = 0; i < page.modifiers.length; i++) {
    const modifier = page.modifiers[i];
    const k = modifier.bin(pointProperty(modifier.property, charge, mass, gen, primary));
    if (k < 0) return -1;
    index += stride * k;
    stride *= modifier.bins;
  }
  return index;
}
