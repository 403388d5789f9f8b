// Questions that need no simulation.

import { FAR } from './constants';
import { electronTables, prepareElectrons as prepareElectronTables } from './electron/electron-tables';
import {
  locate as locatePoint,
  distanceToSurface as surfaceAlong,
  distanceToWorld as worldAlong,
  zoneMaterialIndex,
} from './geometry/geometry';
import { materials } from './material/material';
import { koxCrossSection } from './nuclear/ion-cross-section';
import {
  nucleonReaction,
  productA,
  productCosine,
  productCount,
  productEnergy,
  productZ,
} from './nuclear/nuclear-reaction';
import { elasticPairValue, sampleElasticPair } from './nuclear/proton-reaction';
import { nextBits, uniform as nextUniform, seedHistory, setRandomState } from './random';
import { requireSpecies, species, speciesIndex } from './transport/species';

/** Zone of a point: list index, number of zones for the world zone, −1 outside. */
export function locate(x: f64, y: f64, z: f64): i32 {
  return locatePoint(x, y, z);
}

export function materialOfZone(zone: i32): i32 {
  return zoneMaterialIndex(zone);
}

/** Distance to the next surface along a unit vector, or a number ≥ 1e30. */
export function distanceToSurface(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64): f64 {
  return surfaceAlong(x, y, z, u, v, w, FAR);
}

/** Distance along a unit vector to the surface of the world, or a number ≥ 1e30. */
export function distanceToWorld(x: f64, y: f64, z: f64, u: f64, v: f64, w: f64): f64 {
  return worldAlong(x, y, z, u, v, w);
}

/** Electronic mass stopping power, MeV cm²/g, at total kinetic energy `energy`, MeV. */
export function stoppingPower(material: i32, z: i32, a: i32, energy: f64): f64 {
  const particle = species[requireSpecies(z, a)];
  return materials[material].rangeTable(particle.table).stoppingPower(energy * particle.toProton);
}

/** CSDA range, g/cm². */
export function csdaRange(material: i32, z: i32, a: i32, energy: f64): f64 {
  const particle = species[requireSpecies(z, a)];
  return materials[material].rangeTable(particle.table).range(energy * particle.toProton) / particle.toProton;
}

/** Energy with a CSDA range, MeV. */
export function energyOfRange(material: i32, z: i32, a: i32, range: f64): f64 {
  const particle = species[requireSpecies(z, a)];
  return materials[material].rangeTable(particle.table).energy(range * particle.toProton) / particle.toProton;
}

/** Of electrons in a material, once `prepareElectrons` has run, at an energy, MeV: 0 collision and 1 radiative stopping power, MeV cm²/g; 2 CSDA range, g/cm²; 3 attenuation of photons, cm²/g. */
export function electronProperty(material: i32, item: i32, energy: f64): f64 {
  const tables = electronTables[material];
  if (item == 0) return tables.whole.stoppingPower(energy);
  if (item == 1) return tables.radiativeStoppingPower(energy);
  return item == 2 ? tables.whole.range(energy) : tables.attenuation(energy);
}

/** Fills the tables of electrons of all materials. */
export function prepareElectrons(): void {
  prepareElectronTables();
}

/** Radiation length, g/cm². */
export function radiationLength(material: i32): f64 {
  return 1 / materials[material].inverseRadiationLength;
}

/** Macroscopic cross section of all nuclear interactions, cm²/g, at an energy per nucleon, MeV. */
export function nuclearSigma(material: i32, z: i32, a: i32, energyPerNucleon: f64): f64 {
  const index = requireSpecies(z, a);
  materials[material].prepareSigma(index);
  return materials[material].nuclearSigma(index, energyPerNucleon);
}

/** Kox total reaction cross section, mb. */
export function reactionCrossSection(zp: f64, ap: f64, zt: f64, at: f64, energyPerNucleon: f64): f64 {
  return koxCrossSection(zp, ap, zt, at, energyPerNucleon);
}

/** Nuclear mass in MeV, or 0 for an isotope that is not known. */
export function nuclearMass(z: i32, a: i32): f64 {
  const index = speciesIndex(z, a);
  return index < 0 ? 0 : species[index].mass;
}

/** Elastic p–p collision of an energy along z: the energy and momentum components of both protons, one per call. */
export function elasticPair(energy: f64, item: i32): f64 {
  if (item == 0) sampleElasticPair(energy);
  return elasticPairValue(item);
}

/** Cross section of neutrons, cm²/g, at an energy, MeV. */
export function neutronSigma(material: i32, energy: f64): f64 {
  materials[material].prepareNeutrons();
  return materials[material].neutronSigma(energy);
}

/** Makes one reaction of a nucleon with a nucleus; returns the number of products. */
export function react(proton: i32, energy: f64, z: i32, a: i32): i32 {
  nucleonReaction(proton != 0, energy, z, a);
  return productCount;
}

/** Of product i of the last reaction: 0 charge, 1 mass number, 2 energy MeV, 3 cosine to the projectile. */
export function product(i: i32, item: i32): f64 {
  if (item == 0) return <f64>productZ[i];
  if (item == 1) return <f64>productA[i];
  return item == 2 ? productEnergy[i] : productCosine(i, 2);
}

// Random numbers, for known-answer tests.

export function setGenerator(a: u32, b: u32, c: u32, d: u32): void {
  setRandomState(a, b, c, d);
}

export function startStream(seedLow: u32, seedHigh: u32, history: f64): void {
  seedHistory(((<u64>seedHigh) << 32) | <u64>seedLow, <u64>history);
}

export function randomBits(): u32 {
  return nextBits();
}

export function randomUniform(): f64 {
  return nextUniform();
}
