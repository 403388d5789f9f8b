// The current step, or the neutron being followed, and what filters and axes ask of it.

import { ATOMIC_MASS_UNIT } from '../constants';
import { greater, lesser } from '../fast-math';
import { Material } from '../material/material';
import { betaSquared } from '../material/stopping-power';
import { NEUTRON, Species, species } from '../transport/species';
import { track } from '../transport/track';
import {
  Filter,
  fixedProperty,
  NONE,
  P_ANGLE,
  P_DEDX,
  P_E,
  P_EAMU,
  P_ENUC,
  P_MDEDX,
  P_TL,
  P_Z2BETA2,
  P_ZEFF,
  P_ZEFF2BETA2,
  PARTLY,
  WHOLE,
} from './page';
import { S_BETA, S_KERMA, S_LENGTH, S_NUCLEON_ENERGY } from './sums';

/** Share of the energy lost in a step beyond which the energy does not fall evenly along it. */
const CURVED_LOSS: f64 = 0.1;
// the current step
export let step: i32 = 0;
export let particle: Species = new Species(0, 1, 1, 1, 1, 2, 1);
let generation: f64 = 0;
let history: f64 = 0;
export let energyStart: f64 = 0;
export let energyEnd: f64 = 0;
let energyDrop: f64 = 0;
export let trackStart: f64 = 0;
let stepLength: f64 = 0;
export let inverseLength: f64 = 0;
let directionZ: f64 = 0;
export let local: Material = new Material(0, 0, 0, 0, 0);
/** Energy lost per length: as drawn, and without straggling. */
export let lossRate: f64 = 0;
export let meanLossRate: f64 = 0;
// where much of the energy is lost in the step: residual range at its start and what of it is used up, for the energy within
export let curved: bool = false;
let rangeStart: f64 = 0;
let rangeDrop: f64 = 0;

/** Cosine to +z of the segment that comes next. */
export function setDirection(uz: f64): void {
  directionZ = uz;
}

/** Makes the neutron being followed the particle that filters and axes are asked of. */
export function takeNeutron(): void {
  particle = species[NEUTRON];
  generation = <f64>track.generation;
  history = track.history;
  directionZ = track.w;
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
  path: f64,
  material: Material,
): void {
  step++;
  particle = species;
  generation = <f64>gen;
  history = primary;
  energyStart = start;
  energyEnd = end;
  energyDrop = start - end;
  stepLength = length;
  inverseLength = 1 / length;
  lossRate = energyDrop * inverseLength;
  meanLossRate = meanLoss * inverseLength;
  trackStart = path;
  local = material;
  curved = energyDrop > CURVED_LOSS * start && material.isMatter();
  if (curved) {
    const table = material.rangeTable(species.table);
    rangeStart = table.range(start * species.toProton);
    rangeDrop = rangeStart - table.range(end * species.toProton);
  }
}

function energyProperty(property: i32, energy: f64, path: f64): f64 {
  const tp = energy * particle.toProton;
  const z = <f64>particle.z;
  if (property == P_E) return energy;
  if (property == P_ENUC) return energy * particle.inverseA;
  if (property == P_EAMU) return energy * ATOMIC_MASS_UNIT * particle.inverseMass;
  if (property == P_TL) return path;
  // neutrons have no stopping power: below every axis
  if (particle.z == 0) return -1;
  const beta2 = greater(betaSquared(energy * particle.speedFactor), 1e-12);
  if (property == P_Z2BETA2) return (z * z) / beta2;
  const charge = particle.effectiveCharge(Math.sqrt(beta2));
  if (property == P_ZEFF) return charge;
  if (property == P_ZEFF2BETA2) return (charge * charge) / beta2;
  if (!local.isMatter()) return 0;
  const s = local.rangeTable(particle.table).stoppingPower(tp);
  return property == P_MDEDX ? s : s * local.density;
}

export function propertyOf(property: i32, energy: f64, path: f64): f64 {
  if (property == P_ANGLE) return Math.acos(greater(-1, lesser(1, directionZ))) * (180 / Math.PI);
  if (property <= P_EAMU || property == P_DEDX || property == P_MDEDX || (property >= P_ZEFF && property <= P_TL)) {
    return energyProperty(property, energy, path);
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

export function passes(filter: Filter, energy: f64, path: f64): bool {
  const rules = filter.rules;
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    if (!rule.holds(propertyOf(rule.property, energy, path))) return false;
  }
  return true;
}

/** What a filter says to the current step. */
export function judge(filter: Filter): i32 {
  if (filter.rules.length == 0) return WHOLE;
  if (filter.step == step) return filter.verdict;
  filter.step = step;
  filter.verdict = verdictOf(filter);
  return filter.verdict;
}

function verdictOf(filter: Filter): i32 {
  if (!filter.energyRules) return passes(filter, energyStart, trackStart) ? WHOLE : NONE;
  let verdict = WHOLE;
  for (let i = 0; i < filter.rules.length; i++) {
    const rule = filter.rules[i];
    const before = rule.holds(propertyOf(rule.property, energyStart, trackStart));
    const after = rule.holds(propertyOf(rule.property, energyEnd, trackStart + stepLength));
    if (rule.isBound() && !before && !after) return NONE;
    if (!before || !after || !rule.isBound()) verdict = PARTLY;
  }
  return verdict;
}

/** Whether a kind of sum takes the way of the current particle. */
export function scoresAlong(kind: i32): bool {
  if (particle.z != 0) return kind != S_KERMA;
  return kind == S_LENGTH || kind == S_NUCLEON_ENERGY || kind == S_BETA;
}

/** Energy `path` cm after the start of the current step. */
export function energyAt(path: f64): f64 {
  if (!curved) return energyStart - lossRate * path;
  const table = local.rangeTable(particle.table);
  return table.energy(rangeStart - rangeDrop * path * inverseLength) * particle.fromProton;
}

export function pointProperty(property: i32, charge: f64, mass: f64, gen: f64, primary: f64): f64 {
  if (property <= P_MDEDX || (property >= P_ZEFF && property <= P_TL)) return 0;
  return fixedProperty(property, charge, Math.round(mass), mass * ATOMIC_MASS_UNIT, gen, 25, primary);
}

export function admitsPoint(filter: Filter, charge: f64, mass: f64, gen: f64, primary: f64): bool {
  const rules = filter.rules;
  for (let i = 0; i < rules.length; i++) {
    if (!rules[i].holds(pointProperty(rules[i].property, charge, mass, gen, primary))) return false;
  }
  return true;
}
