// Break-up of ions. Fragments keep the projectile's speed (a little less) with Goldhaber's momentum spread. Channel weights are
// assumptions: fragment spectra and distal tails are qualitative (docs/engine.md).

import { ATOMIC_MASS_UNIT } from '../constants';
import { Material } from '../material/material';
import { exponential, normal, uniform } from '../random';
import { depositAt } from '../scoring/deposit';
import { species, speciesIndex } from '../transport/species';
import { ledger, pushSecondary, track, turnBy, turnedU, turnedV, turnedW } from '../transport/track';
import { breakUp } from './nuclear-reaction';
import { releaseNeutron, releaseProducts } from './reaction-products';

/** Mean excitation energy of the struck nucleus, MeV, and width of its momentum, MeV/c (each component). */
const TARGET_EXCITATION: f64 = 20;
const TARGET_MOMENTUM: f64 = 110;
/** Energy per nucleon of fragments over that of the projectile. */
const FRAGMENT_SPEED: f64 = 0.97;
/** Goldhaber's reduced width, MeV/c. */
const GOLDHABER: f64 = 90;

/** Rows: cumulative weight, then charge and mass number of up to five products; (0, 1) is a neutron, (0, 0) none. */
const CARBON: StaticArray<f64> = [
  0.09, 5, 11, 1, 1, 0, 0, 0, 0, 0, 0, 0.21, 6, 11, 0, 1, 0, 0, 0, 0, 0, 0, 0.3, 5, 10, 1, 2, 0, 0, 0, 0, 0, 0, 0.35, 4,
  9, 2, 3, 0, 0, 0, 0, 0, 0, 0.43, 4, 7, 2, 4, 0, 1, 0, 0, 0, 0, 0.52, 3, 7, 2, 4, 1, 1, 0, 0, 0, 0, 0.62, 3, 6, 2, 4,
  1, 2, 0, 0, 0, 0, 0.82, 2, 4, 2, 4, 2, 4, 0, 0, 0, 0, 0.94, 2, 4, 2, 4, 1, 2, 1, 2, 0, 0, 1, 2, 4, 1, 2, 1, 1, 1, 1,
  0, 2,
];
const HELIUM: StaticArray<f64> = [
  0.25, 2, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0.55, 1, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0.65, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1, 2,
  1, 1, 0, 1, 0, 0, 0, 0,
];
const ROW: i32 = 11;

const PRODUCTS: i32 = 64;
const productZ = new StaticArray<i32>(PRODUCTS);
const productA = new StaticArray<i32>(PRODUCTS);
let products: i32 = 0;

/** Adds a bound product; an unbound one gives off nucleons or α until it is bound. */
function addProduct(z: i32, a: i32): void {
  if (a <= 0) return;
  if (speciesIndex(z, a) >= 0) {
    productZ[products] = z;
    productA[products] = a;
    products++;
    return;
  }
  if (z >= a) {
    addProduct(1, 1);
    addProduct(z - 1, a - 1);
  } else if ((z == 4 && a == 8) || (z == 5 && a == 9) || (z == 2 && a == 5) || (z == 3 && a == 5)) {
    addProduct(2, 4);
    addProduct(z - 2, a - 4);
  } else if (2 * z > a) {
    addProduct(1, 1);
    addProduct(z - 1, a - 1);
  } else {
    addProduct(0, 1);
    addProduct(z, a - 1);
  }
}

function fromTable(table: StaticArray<f64>): void {
  const pick = uniform();
  let row = 0;
  while (row < table.length - ROW && table[row] < pick) row += ROW;
  for (let k = 1; k < ROW; k += 2) addProduct(<i32>table[row + k], <i32>table[row + k + 1]);
}

/** Removes a nucleon, a pair or α particles, conserving charge and mass number. */
function fromAny(z: i32, a: i32): void {
  let restZ = z;
  let restA = a;
  const pick = uniform();
  if (pick < 0.2 && restA > restZ) {
    addProduct(0, 1);
    restA--;
  } else if (pick < 0.4 || restA <= 2) {
    addProduct(1, 1);
    restZ--;
    restA--;
  } else if (pick < 0.55 && restA > restZ) {
    addProduct(1, 1);
    addProduct(0, 1);
    restZ--;
    restA -= 2;
  } else {
    do {
      if (restZ < 2 || restA < 4) break;
      addProduct(2, 4);
      restZ -= 2;
      restA -= 4;
    } while (uniform() < 0.5);
    if (restA == a) {
      addProduct(1, 1);
      restZ--;
      restA--;
    }
  }
  addProduct(restZ, restA);
}

/** Sends off one product; returns its kinetic energy, at most `available`. */
function emit(z: i32, a: i32, projectileA: f64, energyPerMass: f64, available: f64): f64 {
  const index = speciesIndex(z, a);
  const m = species[index].mass;
  const f = <f64>a;
  const width = projectileA > 1 ? GOLDHABER * Math.sqrt(Math.max(0, (f * (projectileA - f)) / (projectileA - 1))) : 0;
  const across1 = width * normal();
  const across2 = width * normal();
  const along = width * normal();
  const gamma = 1 + energyPerMass * FRAGMENT_SPEED;
  const gammaBeta = Math.sqrt(gamma * gamma - 1);
  const rest = Math.sqrt(m * m + across1 * across1 + across2 * across2 + along * along);
  const boosted = gamma * along + gammaBeta * rest;
  const total = gamma * rest + gammaBeta * along;
  const energy = Math.min(available, Math.max(0, total - m));
  const p = Math.sqrt(across1 * across1 + across2 * across2 + boosted * boosted);
  turnBy(track.u, track.v, track.w, across1 / p, across2 / p, boosted / p);
  if (z == 0) return releaseNeutron(energy) ? energy : 0;
  if (!pushSecondary(index, energy, turnedU, turnedV, turnedW)) depositAt(energy, <f64>z, f);
  return energy;
}

/** Break-up of the current ion in a material; the ion ends. */
export function ionInteraction(material: Material): void {
  const projectile = species[track.species];
  const energy = track.energy;
  const perNucleon = energy / <f64>projectile.a;
  let pick = uniform() * material.nuclearSigma(track.species, perNucleon);
  let element = 0;
  for (; element < material.elementCount - 1; element++) {
    pick -= material.elementSigma(track.species, element, perNucleon);
    if (pick < 0) break;
  }
  products = 0;
  if (projectile.z == 6 && projectile.a == 12) fromTable(CARBON);
  else if (projectile.z == 2 && projectile.a == 4) fromTable(HELIUM);
  else fromAny(projectile.z, projectile.a);

  const energyPerMass = energy / projectile.mass;
  const projectileA = <f64>projectile.a;
  let rest = energy;
  for (let i = 0; i < products; i++) rest -= emit(productZ[i], productA[i], projectileA, energyPerMass, rest);
  // binding and excitation
  ledger.neutral += rest - releaseTarget(<i32>material.elementZ[element], material.elementA[element], rest);
}

/** The struck nucleus, excited by at most `available` MeV, falls apart; returns the energy of what it sets free. */
function releaseTarget(z: i32, a: f64, available: f64): f64 {
  const mass = <i32>Math.round(a);
  const energy = Math.min(TARGET_EXCITATION * exponential(), 0.5 * available);
  const width = Math.min(TARGET_MOMENTUM, Math.sqrt(0.2 * available * a * ATOMIC_MASS_UNIT));
  breakUp(z, mass, z > 1 ? energy : 0, width * normal(), width * normal(), width * normal());
  const neutral = ledger.neutral;
  releaseProducts(available);
  // releaseProducts books what is left as neutral: here the caller does
  const released = available - (ledger.neutral - neutral);
  ledger.neutral = neutral;
  return released;
}
