// Non-elastic reactions of nucleons with nuclei in two stages: collisions one by one inside the nucleus (a cascade without
// geometry: a nucleon escapes with a probability or collides again), then evaporation of what is left. Charge, mass
// number, energy and momentum are conserved in each. docs/engine.md, "Nuclear".

import { ATOMIC_MASS_UNIT } from '../constants';
import { azimuthCos, azimuthSin, sampleAzimuth, uniform } from '../random';
import { turn, turnedU, turnedV, turnedW } from '../transport/track';
import { massExcess } from './nuclear-mass';

/** Mean mass of nucleons, MeV. */
const NUCLEON: f64 = 938.919;
/** Fermi momentum, MeV/c, and energy, MeV. */
const FERMI_MOMENTUM: f64 = 240;
const FERMI_ENERGY: f64 = (FERMI_MOMENTUM * FERMI_MOMENTUM) / (2 * NUCLEON);
/** A nucleon inside escapes with probability exp(−OPACITY·A^⅓); one that escapes picks a partner up to a deuteron. */
const OPACITY: f64 = 0.1;
const PICK_UP: f64 = 0.04;
/** Separation energy inside the well, MeV: depth of the well is the Fermi energy plus this. */
const BINDING: f64 = 7;
const DEPTH: f64 = FERMI_ENERGY + BINDING;
/** Tries for a collision that the Pauli principle allows. */
const PAULI_TRIES: i32 = 10;
const CASCADE_TRIES: i32 = 20;
/** Inverse level density parameter: a = A / LEVEL_DENSITY per MeV. */
const LEVEL_DENSITY: f64 = 8;
/** Up to this mass number a nucleus without bound state breaks up at once. */
const LIGHT: i32 = 20;
/** Nuclear radius for Coulomb barriers, fm. */
const BARRIER_RADIUS: f64 = 1.5;

// products of the last reaction, momenta in MeV/c in a frame with the projectile along z
const PRODUCTS: i32 = 128;
export let productCount: i32 = 0;
export const productZ = new StaticArray<i32>(PRODUCTS);
export const productA = new StaticArray<i32>(PRODUCTS);
/** Kinetic energy, MeV. */
export const productEnergy = new StaticArray<f64>(PRODUCTS);
const momentumX = new StaticArray<f64>(PRODUCTS);
const momentumY = new StaticArray<f64>(PRODUCTS);
const momentumZ = new StaticArray<f64>(PRODUCTS);

// nucleons inside the nucleus: energy above the bottom of the well, momentum, 1 for a proton
const WAITING: i32 = 64;
const waiting = new StaticArray<f64>(WAITING * 5);
let waitingCount: i32 = 0;

// the nucleus that is left
let restZ: i32 = 0;
let restA: i32 = 0;
let restX: f64 = 0;
let restY: f64 = 0;
let restP: f64 = 0;
let excitation: f64 = 0;

/** Cosines of a product's direction against the projectile's: across 1, across 2, along. */
export function productCosine(i: i32, axis: i32): f64 {
  const x = momentumX[i];
  const y = momentumY[i];
  const z = momentumZ[i];
  const p = Math.sqrt(x * x + y * y + z * z);
  if (p == 0) return axis == 2 ? 1 : 0;
  return (axis == 0 ? x : axis == 1 ? y : z) / p;
}

function nuclearMass(z: i32, a: i32): f64 {
  return <f64>a * ATOMIC_MASS_UNIT + massExcess(z, a);
}

function addProduct(z: i32, a: i32, energy: f64, x: f64, y: f64, p: f64): void {
  if (productCount == PRODUCTS) return;
  productZ[productCount] = z;
  productA[productCount] = a;
  productEnergy[productCount] = energy;
  momentumX[productCount] = x;
  momentumY[productCount] = y;
  momentumZ[productCount] = p;
  productCount++;
}

function wait(energy: f64, x: f64, y: f64, p: f64, proton: f64): void {
  if (waitingCount == WAITING) return;
  const i = 5 * waitingCount++;
  waiting[i] = energy;
  waiting[i + 1] = x;
  waiting[i + 2] = y;
  waiting[i + 3] = p;
  waiting[i + 4] = proton;
}

// scattering of the nucleon (energy, momentum) on one of the nucleus
let firstEnergy: f64 = 0;
let firstX: f64 = 0;
let firstY: f64 = 0;
let firstP: f64 = 0;
let secondEnergy: f64 = 0;
let secondX: f64 = 0;
let secondY: f64 = 0;
let secondP: f64 = 0;

/** Collides with a nucleon of the Fermi sea, isotropic in their centre of mass. False: the Pauli principle forbids it. */
function collide(energy: f64, x: f64, y: f64, p: f64): bool {
  for (let attempt = 0; attempt < PAULI_TRIES; attempt++) {
    const q = FERMI_MOMENTUM * Math.cbrt(uniform());
    const cosine = 2 * uniform() - 1;
    const sine = Math.sqrt(1 - cosine * cosine) * q;
    sampleAzimuth();
    const tx = x + sine * azimuthCos;
    const ty = y + sine * azimuthSin;
    const tz = p + q * cosine;
    const total = energy + NUCLEON + Math.sqrt(q * q + NUCLEON * NUCLEON);
    const s = total * total - tx * tx - ty * ty - tz * tz;
    const star = Math.sqrt(Math.max(0, 0.25 * s - NUCLEON * NUCLEON));
    // isotropic momentum ±star in the centre of mass, then the boost
    const c = 2 * uniform() - 1;
    const r = Math.sqrt(1 - c * c) * star;
    sampleAzimuth();
    const sx = r * azimuthCos;
    const sy = r * azimuthSin;
    const sz = c * star;
    const root = Math.sqrt(s);
    const product = (sx * tx + sy * ty + sz * tz) / (total + root);
    const half = 0.5 * root;
    firstX = sx + (tx / root) * (product + half);
    firstY = sy + (ty / root) * (product + half);
    firstP = sz + (tz / root) * (product + half);
    firstEnergy = Math.sqrt(firstX * firstX + firstY * firstY + firstP * firstP + NUCLEON * NUCLEON) - NUCLEON;
    secondEnergy = total - 2 * NUCLEON - firstEnergy;
    if (firstEnergy < FERMI_ENERGY || secondEnergy < FERMI_ENERGY) continue;
    secondX = tx - firstX;
    secondY = ty - firstY;
    secondP = tz - firstP;
    return true;
  }
  return false;
}

/** Coulomb barrier of a charge leaving (or entering) a nucleus, MeV. */
function barrier(z: i32, a: i32, otherZ: i32, otherA: i32): f64 {
  if (z == 0) return 0;
  return (1.44 * <f64>(z * otherZ)) / (BARRIER_RADIUS * (Math.cbrt(<f64>a) + Math.cbrt(<f64>otherA)));
}

/**
 * A nucleon leaves through the surface at a random angle, refracted by the step of the potential, alone or with a partner
 * as a deuteron.
 */
function escape(proton: bool, energy: f64, x: f64, y: f64, p: f64): void {
  const inside = Math.sqrt(x * x + y * y + p * p);
  const kinetic = energy - DEPTH;
  const outside2 = kinetic * (kinetic + 2 * NUCLEON);
  // flux through a surface: the cosine to its normal squared is uniform, down to total reflection
  const radial2 = uniform() * outside2;
  const cosine = Math.sqrt(1 - (outside2 - radial2) / (inside * inside));
  sampleAzimuth();
  turn(x / inside, y / inside, p / inside, cosine, azimuthCos, azimuthSin);
  const lost = inside * cosine - Math.sqrt(radial2);
  const outX = x - lost * turnedU;
  const outY = y - lost * turnedV;
  const outP = p - lost * turnedW;
  const deuteron = uniform() < PICK_UP && restA > 3 && (proton ? restA - restZ : restZ) > 1;
  const a = deuteron ? 2 : 1;
  const z = proton || deuteron ? 1 : 0;
  const scale = deuteron ? Math.sqrt((kinetic * (kinetic + 4 * NUCLEON)) / outside2) : 1;
  restA -= a;
  restZ -= z;
  restX -= scale * outX;
  restY -= scale * outY;
  restP -= scale * outP;
  addProduct(z, a, kinetic, scale * outX, scale * outY, scale * outP);
}

/** Follows the nucleons inside until all have left or are absorbed. */
function runCascade(escapeChance: f64): void {
  let collided = false;
  while (waitingCount > 0) {
    const i = 5 * --waitingCount;
    const energy = waiting[i];
    const x = waiting[i + 1];
    const y = waiting[i + 2];
    const p = waiting[i + 3];
    const proton = waiting[i + 4] > 0;
    const lowest = DEPTH + (proton ? barrier(1, 1, restZ - 1, restA - 1) : 0) + 1;
    if (collided) {
      if (energy <= lowest || restA < 2 || (proton ? restZ : restA - restZ) < 1) continue;
      if (uniform() < escapeChance) {
        escape(proton, energy, x, y, p);
        continue;
      }
    }
    // unlike nucleons collide about 2.5 times as often as like ones
    const unlike = 2.5 * <f64>(proton ? restA - restZ : restZ);
    const like = <f64>(proton ? restZ : restA - restZ);
    const partner = uniform() * (unlike + like) < unlike ? !proton : proton;
    collided = true;
    if (!collide(energy, x, y, p)) continue;
    // charge exchange: the two are not told apart
    wait(firstEnergy, firstX, firstY, firstP, proton ? 1 : 0);
    wait(secondEnergy, secondX, secondY, secondP, partner ? 1 : 0);
  }
}

/** Weisskopf width of an emission: spin factor times mass, energy above the barrier, level density. */
function width(weight: f64, available: f64, restMass: f64, scale: f64): f64 {
  if (available <= 0) return 0;
  const density = restMass / LEVEL_DENSITY;
  const s = 2 * Math.sqrt(density * available);
  const integral =
    s < 0.3 ? 0.25 * s * s * s * s : Math.exp(s - scale) * (2 * s * s - 6 * s + 6) + (s * s - 6) * Math.exp(-scale);
  return (weight * Math.max(0, integral)) / (density * density);
}

const CHANNELS: i32 = 6;
const CHANNEL_Z: StaticArray<i32> = [0, 1, 1, 1, 2, 2];
const CHANNEL_A: StaticArray<i32> = [1, 1, 2, 3, 3, 4];
/** Spin factor 2s + 1 times mass number. */
const CHANNEL_WEIGHT: StaticArray<f64> = [2, 2, 6, 6, 6, 4];
/** How much of the barrier a particle feels: the rest it tunnels through. */
const CHANNEL_BARRIER: StaticArray<f64> = [0, 0.9, 0.9, 0.9, 0.9, 0.95];
const channelWidth = new StaticArray<f64>(CHANNELS);

/** Emits a particle of the kinetic energy `relative` in the rest frame of the nucleus, which recoils. */
function emit(z: i32, a: i32, relative: f64): void {
  const left = restA - a;
  const mass = nuclearMass(z, a);
  const leftMass = nuclearMass(restZ - z, left);
  const star = Math.sqrt((2 * relative * mass * leftMass) / (mass + leftMass));
  const cosine = 2 * uniform() - 1;
  const sine = Math.sqrt(1 - cosine * cosine) * star;
  sampleAzimuth();
  const share = mass / (mass + leftMass);
  const x = sine * azimuthCos + share * restX;
  const y = sine * azimuthSin + share * restY;
  const p = cosine * star + share * restP;
  addProduct(z, a, (x * x + y * y + p * p) / (2 * mass), x, y, p);
  restX -= x;
  restY -= y;
  restP -= p;
  restA -= a;
  restZ -= z;
}

/** Energy above the barrier, from x·exp(2√(a(U − x))). */
function sampleEvaporation(available: f64, restMass: f64): f64 {
  const density = restMass / LEVEL_DENSITY;
  const temperature = Math.sqrt(available / density);
  const top = 2 * Math.sqrt(density * available);
  for (let attempt = 0; attempt < 100; attempt++) {
    const x = -temperature * Math.log(uniform() * uniform());
    if (x >= available) continue;
    if (uniform() < Math.exp(2 * Math.sqrt(density * (available - x)) - top + x / temperature)) return x;
  }
  return 0.5 * available;
}

/** The barrier that an emission feels: an unbound light nucleus falls apart through it. */
function felt(coulomb: f64, separation: f64): f64 {
  return separation < 0 && restA <= LIGHT ? Math.min(coulomb, 0.5 * (excitation - separation)) : coulomb;
}

function evaporate(): void {
  while (restA > 1) {
    const here = massExcess(restZ, restA);
    const scale = 2 * Math.sqrt((<f64>restA / LEVEL_DENSITY) * Math.max(0, excitation + 2));
    let sum: f64 = 0;
    for (let c = 0; c < CHANNELS; c++) {
      const z = CHANNEL_Z[c];
      const a = CHANNEL_A[c];
      channelWidth[c] = 0;
      if (restA - a < 1 || restZ - z < 0 || restZ - z > restA - a) continue;
      const separation = massExcess(z, a) + massExcess(restZ - z, restA - a) - here;
      const coulomb = CHANNEL_BARRIER[c] * barrier(z, a, restZ - z, restA - a);
      const available = excitation - separation - felt(coulomb, separation);
      channelWidth[c] = width(CHANNEL_WEIGHT[c], available, <f64>(restA - a), scale);
      sum += channelWidth[c];
    }
    if (sum <= 0) return;
    let pick = uniform() * sum;
    let c = 0;
    while (c < CHANNELS - 1) {
      pick -= channelWidth[c];
      if (pick < 0) break;
      c++;
    }
    const z = CHANNEL_Z[c];
    const a = CHANNEL_A[c];
    const separation = massExcess(z, a) + massExcess(restZ - z, restA - a) - here;
    const coulomb = CHANNEL_BARRIER[c] * barrier(z, a, restZ - z, restA - a);
    const room = excitation - separation;
    const above = felt(coulomb, separation);
    const relative = above + sampleEvaporation(room - above, <f64>(restA - a));
    emit(z, a, relative);
    excitation = room - relative;
  }
}

/** Kinetic energy of the nucleus that is left. */
function recoilEnergy(): f64 {
  return (restX * restX + restY * restY + restP * restP) / (2 * nuclearMass(restZ, restA));
}

/** A nucleus with excitation energy and momentum (MeV, MeV/c) falls apart; products as of `nucleonReaction`. */
export function breakUp(z: i32, a: i32, energy: f64, x: f64, y: f64, p: f64): void {
  productCount = 0;
  restZ = z;
  restA = a;
  restX = x;
  restY = y;
  restP = p;
  excitation = energy;
  evaporate();
  addProduct(restZ, restA, recoilEnergy(), restX, restY, restP);
}

/**
 * One non-elastic reaction of a nucleon of kinetic energy `energy`, MeV, with a nucleus. Products: `productCount`,
 * `productZ`, `productA`, `productEnergy`, `productCosine`; the nucleus that is left is among them.
 */
export function nucleonReaction(proton: bool, energy: f64, z: i32, a: i32): void {
  const momentum = Math.sqrt(energy * (energy + 2 * NUCLEON));
  const inside = Math.sqrt((energy + DEPTH) * (energy + DEPTH + 2 * NUCLEON));
  const escapeChance = Math.exp(-OPACITY * Math.cbrt(<f64>a));
  const before = (proton ? massExcess(1, 1) : massExcess(0, 1)) + massExcess(z, a) + energy;
  for (let attempt = 0; attempt < CASCADE_TRIES; attempt++) {
    productCount = 0;
    waitingCount = 0;
    restZ = z + (proton ? 1 : 0);
    restA = a + 1;
    restX = 0;
    restY = 0;
    restP = momentum;
    wait(energy + DEPTH, 0, 0, inside, proton ? 1 : 0);
    if (attempt < CASCADE_TRIES - 1) runCascade(escapeChance);
    excitation = before - massExcess(restZ, restA) - recoilEnergy();
    for (let i = 0; i < productCount; i++) excitation -= massExcess(productZ[i], productA[i]) + productEnergy[i];
    // nothing happened where the only nucleon out has the energy of the one that came in
    if (excitation > 0.5) break;
  }
  evaporate();
  addProduct(restZ, restA, recoilEnergy(), restX, restY, restP);
}
