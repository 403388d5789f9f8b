// The module's interface. Set-up functions are called once, in the order: materials, figures, zones, world, physics, beam,
// detectors, pages, `prepare`. Then for each share of the histories `clearTotals`, `run` as often as wanted,
// `total`; at the end `scoredBlocks` lists where something has been scored, and `writeBlocks` gives the moments of some of them.

import { FAR } from './constants';
import { DensityEffect } from './electron/collision';
import { electronTablesOf, prepareElectrons } from './electron/electron-tables';
import { setElectronFloor, setElectronPhysics } from './electron/electron-transport';
import { Photoelectric } from './electron/photon-cross-section';
import { CYLINDER, Figure } from './geometry/figure';
import {
  addZone as addZoneOf,
  addOperation as addZoneOperation,
  addTerm as addZoneTerm,
  clear,
  figures,
  setWorld as setWorldOf,
} from './geometry/geometry';
import { Material, materials } from './material/material';
import { prepareGrid } from './material/range-table';
import { prepareMasses } from './nuclear/nuclear-mass';
import { areNeutronsFollowed, setNeutrons } from './nuclear/reaction-products';
import { ALL, CYL, Detector, MESH } from './scoring/detector';
import { closeHistory, groups, reserveTally } from './scoring/group';
import { Page } from './scoring/page';
import { detectors, layOutTally, needDirections, pages, placeOfMoment } from './scoring/tally';
import {
  addBeamSpot,
  primarySpecies,
  setBeamDirection,
  setBeamEnergy,
  setBeamOptics,
  setBeamSpot,
} from './transport/beam';
import { addResidues, OWN_TABLE_MAX, prepareSpecies, species, tableCharge } from './transport/species';
import { totals } from './transport/track';
import {
  areReactionsOn,
  setFinestBin,
  setPhysics as setTransportPhysics,
  simulateHistory,
} from './transport/transport';

export * from './queries';

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

/** Density effect of the last material for electrons; see `DensityEffect`. */
export function addDensityEffect(c: f64, x0: f64, x1: f64, a: f64, m: f64, d0: f64, ratio: f64): void {
  electronTablesOf(materials.length - 1).setDensityEffect(new DensityEffect(c, x0, x1, a, m, d0, ratio));
}

/** Photoelectric effect of the last material's next element; see `Photoelectric`. */
export function addPhotoelectric(
  edge: f64,
  a0: f64,
  a1: f64,
  a2: f64,
  a3: f64,
  a4: f64,
  b0: f64,
  b1: f64,
  b2: f64,
): void {
  electronTablesOf(materials.length - 1).addPhotoelectric(new Photoelectric(edge, a0, a1, a2, a3, a4, b0, b1, b2));
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

/** Forgets figures and zones, for questions of one geometry after the other. What they took of the memory stays taken. */
export function clearGeometry(): void {
  clear();
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
  setElectronPhysics(fraction, straggling != 0, scattering != 0);
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
  detector.setMesh(x, y, z, sizeX / <f64>nx, sizeY / <f64>ny, sizeZ / <f64>nz, nx, ny, nz);
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
  detector.setCylinder(x, y, z, innerRadius, radius, length, rings, slices);
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
  if (beam.a == 0) {
    prepareElectrons();
    return;
  }
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

/** Of the last page: its factor in a bin of the first axis. */
export function addFirstFactor(factor: f64): void {
  pages[pages.length - 1].firstFactors.push(factor);
}

/** Of the last page: its factor in a bin of the differential axes together. */
export function addDifferentialFactor(factor: f64): void {
  pages[pages.length - 1].differentialFactors.push(factor);
}

/** Builds every table that the beam may need and the tally. */
export function prepare(): void {
  let finest: f64 = FAR;
  for (let i = 0; i < detectors.length; i++) finest = Math.min(finest, detectors[i].finest());
  setFinestBin(finest, needDirections());
  setElectronFloor(finest);
  prepareTables();
  layOutTally();
  reserveTally();
}

/** Gives the pages their places in the moments, for questions about them; `prepare` does it too. */
export function layOut(): void {
  layOutTally();
}

/** Number of the group that a page's moments are in, and of a moment among the numbers of a bin. */
export function pageGroup(page: i32): i32 {
  return pages[page].group;
}

export function pageMoment(page: i32, moment: i32): i32 {
  return placeOfMoment(page, moment);
}

export function groupCount(): i32 {
  return groups.length;
}

/** Of a group: bins, and numbers in each. */
export function groupBins(group: i32): i32 {
  return groups[group].bins;
}

export function groupStride(group: i32): i32 {
  return 2 * groups[group].pairs();
}

/** Bins of a group that follow each other and are scored in together. */
export function groupBlockBins(group: i32): i32 {
  return groups[group].blockBins();
}

/** Of the axes of a page's detector, as its bins follow each other in the group: bins, and how far apart they are in the page. */
export function pageAxisBins(page: i32, axis: i32): i32 {
  return detectors[pages[page].detector].axisBins(axis);
}

export function pageAxisStep(page: i32, axis: i32): i32 {
  return detectors[pages[page].detector].axisStep(axis);
}

/** How many blocks of a group have been scored in; they are listed at `scoredBlocksPointer`, as int32. */
export function scoredBlocks(group: i32): i32 {
  return groups[group].listScored();
}

export function scoredBlocksPointer(group: i32): usize {
  return groups[group].list;
}

/** Room for what `writeBlocks` gives, and how much; taken when it is first needed. */
let written: usize = 0;
let writtenRoom: usize = 0;

/**
 * Writes the moments of blocks [first, first + count) of the list of a group, bin after bin, and behind all of them, as many
 * numbers, what float64 leaves of them. Returns where.
 */
export function writeBlocks(group: i32, first: i32, count: i32): usize {
  const size = groups[group].writtenSize();
  const half = <usize>count * size;
  if (half << 1 > writtenRoom) {
    writtenRoom = half << 1;
    written = heap.alloc(writtenRoom);
  }
  for (let i = 0; i < count; i++) {
    const to = written + <usize>i * size;
    groups[group].writeBlock(first + i, to, to + half);
  }
  return written;
}

/** Whether float64 leaves anything of so many numbers: whether those behind them are not all zero. */
export function hasRemainders(pointer: usize, count: i32): bool {
  const end = pointer + ((<usize>count) << 4);
  for (let at = pointer + ((<usize>count) << 3); at < end; at += 8) if (load<f64>(at) != 0) return true;
  return false;
}

export function clearTotals(): void {
  totals.clear();
}

/** Simulates histories [first, first + count) of the job. */
export function run(seedLow: u32, seedHigh: u32, first: f64, count: i32): void {
  const seed = ((<u64>seedHigh) << 32) | <u64>seedLow;
  for (let i = 0; i < count; i++) {
    simulateHistory(seed, <u64>first + <u64>i);
    closeHistory();
  }
}

/** Totals since `clearTotals`: 0 started, 1 deposited, 2 escaped, 3 neutral, 4 lost MeV; 5 lost particles, 6 steps, 7 nuclear interactions, 8 histories that do not balance, 9 largest relative imbalance. */
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
