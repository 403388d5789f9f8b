// The module's interface. Set-up functions are called once, in the order: materials, figures, zones, world, physics, beam,
// detectors, pages, `prepare`. Then per batch: `beginBatch`, `run` as often as wanted, read `tallyPointer`.

import { addBeamSpot, primarySpecies, setBeamDirection, setBeamEnergy, setBeamOptics, setBeamSpot } from './beam';
import { FAR } from './constants';
import { ALL, CYL, Detector, MESH } from './detector';
import { CYLINDER, Figure } from './figure';
import {
  addZone as addZoneOf,
  addOperation as addZoneOperation,
  addTerm as addZoneTerm,
  figures,
  locate as locatePoint,
  setWorld as setWorldOf,
  distanceToSurface as surfaceAlong,
  distanceToWorld as worldAlong,
  zoneMaterialIndex,
} from './geometry';
import { koxCrossSection } from './ion-cross-section';
import { Material, materials } from './material';
import { prepareMasses } from './nuclear-mass';
import { nucleonReaction, productA, productCosine, productCount, productEnergy, productZ } from './nuclear-reaction';
import { Page } from './page';
import { elasticPairValue, sampleElasticPair } from './proton-reaction';
import { nextBits, uniform as nextUniform, seedHistory, setRandomState } from './random';
import { prepareGrid } from './range-table';
import { areNeutronsFollowed, setNeutrons } from './reaction-products';
import {
  addResidues,
  OWN_TABLE_MAX,
  prepareSpecies,
  requireSpecies,
  species,
  speciesIndex,
  tableCharge,
} from './species';
import { clearTally, dirtyAddress, groups, reserveTally, tallyAddress } from './sums';
import { detectors, layOutTally, pages } from './tally';
import { totals } from './track';
import { areReactionsOn, setFloor, setPhysics as setTransportPhysics, simulateHistory } from './transport';

prepareMasses();
prepareGrid();
prepareSpecies();

/** Density g/cm³; excitation energies eV, the wanted and the library's; end of the slow tables, MeV of a proton. */
export function addMaterial(kind: i32, density: f64, ionisation: f64, libraryIonisation: f64, slowEnd: f64): void {
  materials.push(new Material(kind, density, ionisation, libraryIonisation, slowEnd));
}

/** Adds an element (charge, atomic weight, mass fraction) to the last material. */
export function addElement(z: f64, a: f64, fraction: f64): void {
  materials[materials.length - 1].addElement(z, a, fraction);
}

/** Adds a share of tabulated stopping powers of slow protons and α particles, MeV cm²/g, to the last material. */
export function addSlowStopping(node: i32, share: f64, proton: f64, alpha: f64): void {
  materials[materials.length - 1].slow.add(node, share, proton, alpha);
}

/** The same for an element of atomic weight a by the coefficients of ICRU Report 49. */
export function addSlowFit(
  share: f64,
  a: f64,
  p2: f64,
  p3: f64,
  p4: f64,
  p5: f64,
  a1: f64,
  a2: f64,
  a3: f64,
  a4: f64,
  a5: f64,
): void {
  materials[materials.length - 1].slow.addFit(share, a, p2, p3, p4, p5, a1, a2, a3, a4, a5);
}

/** Sizes as in Figure; angles in degrees. */
export function addFigure(
  type: i32,
  a: f64,
  b: f64,
  c: f64,
  x: f64,
  y: f64,
  z: f64,
  xDegrees: f64,
  yDegrees: f64,
  zDegrees: f64,
): void {
  const figure = new Figure(type, a, b, c, x, y, z);
  if (!(type == CYLINDER && xDegrees == 0 && yDegrees == 0)) figure.rotate(xDegrees, yDegrees, zDegrees);
  figures.push(figure);
}

export function addZone(material: i32): void {
  addZoneOf(material);
}

export function addTerm(): void {
  addZoneTerm();
}

export function addOperation(mode: i32, figure: i32): void {
  addZoneOperation(mode, figure);
}

export function setWorld(figure: i32, material: i32): void {
  setWorldOf(figure, material);
}

export function setPhysics(fraction: f64, straggling: i32, scattering: i32, reactions: i32, neutrons: i32): void {
  setTransportPhysics(fraction, straggling, scattering, reactions != 0);
  setNeutrons(neutrons != 0);
}

/** Energies MeV. */
export function setBeam(z: i32, a: i32, energy: f64, spread: f64, low: f64, high: f64): void {
  setBeamEnergy(z, a, energy, spread, low, high);
}

export function setSpot(shape: i32, sizeX: f64, sizeY: f64, x: f64, y: f64, z: f64): void {
  setBeamSpot(shape, sizeX, sizeY, x, y, z);
}

/** Adds a spot of a spot list; see `addBeamSpot`. */
export function addSpot(
  energy: f64,
  spread: f64,
  x: f64,
  y: f64,
  sigmaX: f64,
  sigmaY: f64,
  mradX: f64,
  mradY: f64,
  weight: f64,
): void {
  addBeamSpot(energy, spread, x, y, sigmaX, sigmaY, mradX, mradY, weight);
}

export function setDirection(x: f64, y: f64, z: f64): void {
  setBeamDirection(x, y, z);
}

export function setOptics(mradX: f64, mradY: f64, focal: f64, inverseSadX: f64, inverseSadY: f64): void {
  setBeamOptics(mradX, mradY, focal, inverseSadX, inverseSadY);
}

/** Lower corner, size and number of bins per axis. */
export function addMesh(x: f64, y: f64, z: f64, sizeX: f64, sizeY: f64, sizeZ: f64, nx: i32, ny: i32, nz: i32): void {
  const detector = new Detector(MESH);
  detector.x0 = x;
  detector.y0 = y;
  detector.z0 = z;
  detector.nx = nx;
  detector.ny = ny;
  detector.nz = nz;
  detector.dx = sizeX / <f64>nx;
  detector.dy = sizeY / <f64>ny;
  detector.dz = sizeZ / <f64>nz;
  detectors.push(detector);
}

/** Axis (x, y), lower z, radii, length, number of rings and slices. */
export function addCylinder(
  x: f64,
  y: f64,
  z: f64,
  innerRadius: f64,
  radius: f64,
  length: f64,
  rings: i32,
  slices: i32,
): void {
  const detector = new Detector(CYL);
  detector.x0 = x;
  detector.y0 = y;
  detector.z0 = z;
  detector.innerRadius = innerRadius;
  detector.outerRadius = radius;
  detector.nx = rings;
  detector.nz = slices;
  detector.dx = (radius - innerRadius) / <f64>rings;
  detector.dz = length / <f64>slices;
  detectors.push(detector);
}

/** A zone's index, or −1 for everywhere. */
export function addRegion(zone: i32): void {
  const detector = new Detector(zone < 0 ? ALL : 2);
  detector.zone = zone;
  detectors.push(detector);
}

export function addPage(detector: i32, quantity: i32, medium: i32): void {
  pages.push(new Page(detector, quantity, medium));
}

export function addModifier(property: i32, lower: f64, upper: f64, bins: i32, log: i32): void {
  pages[pages.length - 1].addModifier(property, lower, upper, bins, log != 0);
}

export function addRule(property: i32, operator: i32, value: f64): void {
  pages[pages.length - 1].addRule(property, operator, value);
}

/** Tables of every charge and cross sections of every nucleus that the beam, and reactions of it, may set free. */
function prepareTables(): void {
  const beam = species[primarySpecies];
  const heavy = new Array<i32>();
  let charge = beam.z;
  if (areReactionsOn()) {
    for (let m = 0; m < materials.length; m++) {
      for (let i = 0; i < materials[m].elementCount; i++) {
        const z = <i32>materials[m].elementZ[i];
        // a reaction may leave one more charge than the target's
        charge = max(charge, min(z + 1, OWN_TABLE_MAX));
        if (z <= OWN_TABLE_MAX - 1) continue;
        addResidues(z, <i32>Math.round(materials[m].elementA[i]));
        for (let residue = max(OWN_TABLE_MAX + 1, z - 8); residue <= z + 1; residue++) heavy.push(tableCharge(residue));
      }
    }
  }
  for (let m = 0; m < materials.length; m++) {
    if (!materials[m].isMatter()) continue;
    for (let z = 1; z <= charge; z++) materials[m].rangeTable(tableCharge(z));
    for (let i = 0; i < heavy.length; i++) materials[m].rangeTable(heavy[i]);
    if (areReactionsOn() && areNeutronsFollowed()) materials[m].prepareNeutrons();
    for (let s = 0; s < species.length; s++) {
      if (species[s].z >= 1 && species[s].z <= max(beam.z, 2) && species[s].a <= max(beam.a, 4))
        materials[m].prepareSigma(s);
    }
  }
}

/** Builds every table that the beam may need and the tally. Returns the number of sums. */
export function prepare(): i32 {
  let finest: f64 = FAR;
  for (let i = 0; i < detectors.length; i++) finest = Math.min(finest, detectors[i].finest());
  setFloor(finest);
  prepareTables();
  layOutTally();
  return reserveTally();
}

/** Gives the pages their places in the sums, for questions about them; `prepare` does it too. */
export function layOut(): void {
  layOutTally();
}

/** Where the sums of a page are: number of its group, and of its sum and its denominator (or −1) in each bin. */
export function pageGroup(page: i32): i32 {
  return pages[page].group;
}

export function pageSum(page: i32): i32 {
  return pages[page].sum;
}

export function pageDenominator(page: i32): i32 {
  return pages[page].denominator;
}

export function groupCount(): i32 {
  return groups.length;
}

/** Of a group: sums in each bin, first sum, units of 64 bins, number of the first unit. */
export function groupWidth(group: i32): i32 {
  return groups[group].width;
}

export function groupBase(group: i32): i32 {
  return groups[group].base;
}

export function groupUnits(group: i32): i32 {
  return groups[group].units();
}

export function groupFirstUnit(group: i32): i32 {
  return groups[group].firstUnit;
}

export function beginBatch(): void {
  clearTally();
  totals.clear();
}

/** Simulates histories [first, first + count) of the job. */
export function run(seedLow: u32, seedHigh: u32, first: f64, count: i32): void {
  const seed = ((<u64>seedHigh) << 32) | <u64>seedLow;
  for (let i = 0; i < count; i++) simulateHistory(seed, <u64>first + <u64>i);
}

export function tallyPointer(): usize {
  return tallyAddress;
}

/** One byte for each unit: whether it has been touched since `beginBatch`. */
export function touchedPointer(): usize {
  return dirtyAddress;
}

/** Totals of the batch: 0 started, 1 deposited, 2 escaped, 3 neutral, 4 lost MeV; 5 lost particles, 6 steps, 7 nuclear interactions, 8 histories that do not balance, 9 largest relative imbalance. */
export function total(item: i32): f64 {
  switch (item) {
    case 0:
      return totals.started;
    case 1:
      return totals.deposited;
    case 2:
      return totals.escaped;
    case 3:
      return totals.neutral;
    case 4:
      return totals.lostEnergy;
    case 5:
      return totals.lost;
    case 6:
      return totals.steps;
    case 7:
      return totals.interactions;
    case 8:
      return totals.imbalanced;
    default:
      return totals.worst;
  }
}

/** Address of a new small block: grows by itself alone when nothing else was allocated since the last call. */
export function heapTop(): usize {
  return heap.alloc(1);
}

// Questions that need no simulation.

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
