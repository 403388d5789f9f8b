// The particles that are transported: protons, light ions and fragments up to the beam's charge.

import { ATOMIC_MASS_UNIT, ELECTRON_MASS, NEUTRON_MASS, PROTON_MASS } from '../constants';
import { decay } from '../fast-math';
import {
  MAX_NUCLEUS_CHARGE,
  MAX_NUCLEUS_MASS,
  massExcess,
  measuredNuclei,
  measuredNucleus,
} from '../nuclear/nuclear-mass';

export class Species {
  /** Inverses of mass number, mass and `toProton`. */
  inverseA: f64;
  inverseMass: f64;
  fromProton: f64;
  /** Of the effective charge: z·(1 − exp(−β·slowness)). */
  slowness: f64;
  /** Factor from kinetic energy to that of a proton of the same speed. */
  speedFactor: f64;

  constructor(
    public index: i32,
    public z: i32,
    public a: i32,
    /** Nuclear mass, MeV. */
    public mass: f64,
    /** Factor from kinetic energy to that of the stopping-power tables: that of a proton of the same speed; of electrons 1. */
    public toProton: f64,
    /** Identification number of the decks' particle list (1 neutron, 2 proton, 21 d, 22 t, 23 ³He, 24 ⁴He, 25 other ion; 26 electron). */
    public id: i32,
    /** Charge of the stopping-power tables it takes. */
    public table: i32,
  ) {
    this.inverseA = 1 / <f64>a;
    this.inverseMass = 1 / mass;
    this.fromProton = 1 / toProton;
    this.speedFactor = toProton;
    this.slowness = z > 0 ? 125 * Math.pow(<f64>z, -2.0 / 3.0) : 0;
  }

  /** Effective charge at a speed (Barkas). */
  effectiveCharge(beta: f64): f64 {
    return <f64>this.z * (1 - decay(beta * this.slowness));
  }
}

/** Heaviest charge with stopping-power tables of its own; heavier nuclei share those of the nearest of HEAVY_TABLES. */
export const OWN_TABLE_MAX: i32 = 10;
const HEAVY_TABLES: StaticArray<i32> = [12, 16, 20, 26, 34, 42, 52, 64, 78, 92];

/** The charge whose tables a charge takes. */
export function tableCharge(z: i32): i32 {
  if (z <= OWN_TABLE_MAX) return z;
  let best = HEAVY_TABLES[0];
  for (let i = 1; i < HEAVY_TABLES.length; i++) {
    if (abs(HEAVY_TABLES[i] - z) < abs(best - z)) best = HEAVY_TABLES[i];
  }
  return best;
}

/** Mass number of the most abundant isotope, by charge. */
const COMMON: StaticArray<i32> = [0, 1, 4, 7, 9, 11, 12, 14, 16, 19, 20];
/** Measured nuclei that are not bound: Z and A. */
const UNBOUND: StaticArray<i32> = [2, 5, 3, 5, 4, 6, 4, 8, 5, 9];

/** Index of the neutron: the first. */
export const NEUTRON: i32 = 0;

export const species = new Array<Species>();
const indexOf = new StaticArray<i32>((MAX_NUCLEUS_CHARGE + 1) * (MAX_NUCLEUS_MASS + 1));

/** Index of the isotope, or −1 where it is not bound (or not known). */
export function speciesIndex(z: i32, a: i32): i32 {
  if (z < 0 || z > MAX_NUCLEUS_CHARGE || a < 1 || a > MAX_NUCLEUS_MASS) return -1;
  return indexOf[z * (MAX_NUCLEUS_MASS + 1) + a] - 1;
}

function addSpecies(z: i32, a: i32, excess: f64): i32 {
  const mass =
    z == 0
      ? NEUTRON_MASS
      : z == 1 && a == 1
        ? PROTON_MASS
        : <f64>a * ATOMIC_MASS_UNIT + excess - <f64>z * ELECTRON_MASS;
  const index = species.length;
  let id = 25;
  if (z == 0) id = 1;
  if (z == 1) id = a == 1 ? 2 : 19 + a;
  if (z == 2 && (a == 3 || a == 4)) id = 20 + a;
  species.push(new Species(index, z, a, mass, PROTON_MASS / mass, id, tableCharge(z)));
  indexOf[z * (MAX_NUCLEUS_MASS + 1) + a] = index + 1;
  return index;
}

/** Index of the isotope; one that is not in the list is added. */
export function requireSpecies(z: i32, a: i32): i32 {
  const known = speciesIndex(z, a);
  return known >= 0 ? known : addSpecies(z, a, massExcess(z, a));
}

/** Adds what a reaction may leave of a target nucleus with more charge than OWN_TABLE_MAX. */
export function addResidues(z: i32, a: i32): void {
  for (let charge = max(OWN_TABLE_MAX + 1, z - 8); charge <= z + 1; charge++) {
    for (let mass = a - 22; mass <= a + 1; mass++) if (mass > charge) requireSpecies(charge, mass);
  }
}

/** Mass of the most abundant isotope of a charge, MeV. */
export function commonMass(z: i32): f64 {
  if (z > OWN_TABLE_MAX) return (<f64>z * 2 + 0.006 * Math.pow(<f64>z, 2.1)) * ATOMIC_MASS_UNIT;
  return species[requireSpecies(z, COMMON[z])].mass;
}

function isUnbound(z: i32, a: i32): bool {
  for (let i = 0; i < UNBOUND.length; i += 2) if (UNBOUND[i] == z && UNBOUND[i + 1] == a) return true;
  return false;
}

export function prepareSpecies(): void {
  for (let i = 0; i < measuredNuclei(); i++) {
    const z = measuredNucleus(i, 0);
    const a = measuredNucleus(i, 1);
    if (z <= OWN_TABLE_MAX && !isUnbound(z, a)) addSpecies(z, a, massExcess(z, a));
  }
}
