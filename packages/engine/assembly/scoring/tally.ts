// Scores steps and local deposits. A step is announced once (`beginStep`), then its straight segments are handed over;
// detectors cut them into bins.

import { NEUTRON_MASS } from '../constants';
import { zoneMaterialIndex } from '../geometry/geometry';
import { Material, materials } from '../material/material';
import { primarySpecies } from '../transport/beam';
import { species } from '../transport/species';
import { track } from '../transport/track';
import { Detector } from './detector';
import { groups } from './group';
import { powerBelow } from './moments';
import {
  AVG_BETA,
  AVG_ENERGY,
  DOSE,
  DOSE_LET,
  DOSE_Z2BETA2,
  DOSE_ZEFF2BETA2,
  ENERGY,
  Filter,
  FLUENCE,
  fixedProperty,
  NEUTRON_KERMA,
  P_A,
  P_AMASS,
  P_AMU,
  P_ID,
  P_KIND,
  P_Z,
  Page,
  TRACK_LET,
  TRACK_Z2BETA2,
} from './page';
import { setDirection, takeNeutron } from './step';
import { prepareFor } from './sum-weight';
import {
  S_BETA,
  S_CHARGED_LENGTH,
  S_DOSE,
  S_ENERGY,
  S_KERMA,
  S_LENGTH,
  S_LET,
  S_LOSS,
  S_LOSS_LET,
  S_LOSS_Z2,
  S_LOSS_ZEFF2,
  S_NUCLEON_ENERGY,
  S_Z2,
  S_ZEFF2,
  typicalScore,
} from './sums';

export const detectors = new Array<Detector>();
export const pages = new Array<Page>();
/** Some page scores neutrons on their way; some page scores their kerma. */
export let scoresNeutrons: bool = false;
let scoresKerma: bool = false;

/** The kind of a page's sum, and of its denominator. */
function numeratorKind(quantity: i32): i32 {
  if (quantity == ENERGY) return S_ENERGY;
  if (quantity == DOSE) return S_DOSE;
  if (quantity == FLUENCE) return S_LENGTH;
  if (quantity == AVG_ENERGY) return S_NUCLEON_ENERGY;
  if (quantity == AVG_BETA) return S_BETA;
  if (quantity == DOSE_LET) return S_LOSS_LET;
  if (quantity == TRACK_LET) return S_LET;
  if (quantity == DOSE_Z2BETA2) return S_LOSS_Z2;
  if (quantity == TRACK_Z2BETA2) return S_Z2;
  if (quantity == DOSE_ZEFF2BETA2) return S_LOSS_ZEFF2;
  return quantity == NEUTRON_KERMA ? S_KERMA : S_ZEFF2;
}

function denominatorKind(quantity: i32): i32 {
  if (quantity == AVG_ENERGY || quantity == AVG_BETA) return S_LENGTH;
  return quantity == DOSE_LET || quantity == DOSE_Z2BETA2 || quantity == DOSE_ZEFF2BETA2 ? S_LOSS : S_CHARGED_LENGTH;
}

/** Whether a neutron, whatever its energy, generation and history, may pass the rules of a page. */
function admitsNeutrons(page: Page): bool {
  const rules = page.filter.rules;
  for (let i = 0; i < rules.length; i++) {
    const rule = rules[i];
    const fixed =
      rule.property == P_Z ||
      rule.property == P_A ||
      rule.property == P_ID ||
      rule.property == P_KIND ||
      (rule.property >= P_AMASS && rule.property <= P_AMU);
    if (fixed && !rule.holds(fixedProperty(rule.property, 0, 1, NEUTRON_MASS, 0, 1, 0))) return false;
  }
  return true;
}

/** Whether some page asks for the direction of particles. */
export function needDirections(): bool {
  for (let i = 0; i < pages.length; i++) if (pages[i].needsDirection()) return true;
  return false;
}

/** The power of two that scores of a kind are measured in: the same for all tasks of a job. */
function unitOf(kind: i32, detector: Detector): f64 {
  // a photon scores by the electrons that it sets free
  const charge = max(1, abs(species[primarySpecies].z));
  return powerBelow(typicalScore(kind, detector.typicalLength(), <f64>charge));
}

/** Which number of a bin one of a page's moments is (packages/merge, MOMENTS). */
export function placeOfMoment(number: i32, moment: i32): i32 {
  const page = pages[number];
  if (!page.isRatio()) return 2 * page.moments + moment;
  if (moment == 4) return groups[page.group].placeOfProduct(page.product);
  return 2 * ((moment & 1) == 0 ? page.moments : page.denominator) + (moment >> 1);
}

/** Gives every page its sums and moments; `reserveTally` may follow. */
export function layOutTally(): void {
  const filters = new Array<Filter>();
  for (let i = 0; i < pages.length; i++) {
    const page = pages[i];
    const detector = detectors[page.detector];
    let known = -1;
    for (let k = 0; k < filters.length; k++) if (filters[k].equals(page.filter)) known = k;
    if (known < 0) filters.push(page.filter);
    else page.filter = filters[known];
    const bundle = detector.bundleFor(page);
    const quantity = page.quantity;
    const kind = numeratorKind(quantity);
    const sum = bundle.require(kind, quantity == ENERGY ? -1 : page.medium, page.filter);
    page.group = groups.indexOf(bundle.group);
    page.moments = bundle.group.requireMoments(sum, unitOf(kind, detector), page);
    if (page.isRatio()) {
      const other = denominatorKind(quantity);
      const denominator = bundle.require(other, other == S_LOSS ? page.medium : -1, page.filter);
      page.denominator = bundle.group.requireMoments(denominator, unitOf(other, detector), page);
      page.product = bundle.group.addProduct(page.moments, page.denominator);
    }
    if (page.takesNeutrons() && admitsNeutrons(page)) scoresNeutrons = true;
    if (quantity == NEUTRON_KERMA) scoresKerma = true;
    prepareFor(quantity);
  }
  for (let i = 0; i < detectors.length; i++) detectors[i].settle();
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
  setDirection(uz);
  for (let i = 0; i < detectors.length; i++) detectors[i].segment(x, y, z, ux, uy, uz, length, from, zone);
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
    const detector = detectors[i];
    const bin = detector.binAt(x, y, z, zone);
    if (bin < 0) continue;
    const bundles = detector.bundles;
    for (let k = 0; k < bundles.length; k++) {
      bundles[k].addPoint(detector.bins(), bin, energy, material.density, charge, mass, <f64>gen, primary);
    }
  }
}

/** Scores energy that the current neutron gives to charged particles in a collision: kerma, with the filters of the neutron. */
export function scoreKerma(energy: f64): void {
  if (!scoresKerma || energy <= 0) return;
  const t = track;
  takeNeutron();
  const kerma = energy / materials[zoneMaterialIndex(t.zone)].density;
  for (let i = 0; i < detectors.length; i++) {
    const detector = detectors[i];
    const bin = detector.binAt(t.x, t.y, t.z, t.zone);
    if (bin < 0) continue;
    for (let k = 0; k < detector.bundles.length; k++) detector.bundles[k].addKerma(detector.bins(), bin, kerma);
  }
}
