// The particles that are transported: protons, light ions and fragments up to the beam's charge.

import { ATOMIC_MASS_UNIT, ELECTRON_MASS, MAX_CHARGE, MAX_MASS_NUMBER, PROTON_MASS } from './constants';

export class Species {
  constructor(
    public index: i32,
    public z: i32,
    public a: i32,
    /** Nuclear mass, MeV. */
    public mass: f64,
    /** Factor from kinetic energy to that of a proton of the same speed. */
    public toProton: f64,
    /** Identification number of the decks' particle list (2 proton, 21 d, 22 t, 23 ³He, 24 ⁴He, 25 other ion). */
    public id: i32,
  ) {}
}

/** Z, A, mass excess in MeV (AME 2020, rounded) of the bound isotopes a reaction may leave. */
const ISOTOPES: StaticArray<f64> = [
  1, 1, 7.289, 1, 2, 13.1357, 1, 3, 14.9498, 2, 3, 14.9312, 2, 4, 2.4249, 2, 6, 17.5921, 3, 6, 14.0869, 3, 7, 14.9071,
  3, 8, 20.9458, 4, 7, 15.769, 4, 9, 11.3484, 4, 10, 12.6074, 5, 8, 22.9216, 5, 10, 12.0506, 5, 11, 8.6677, 5, 12,
  13.3694, 6, 9, 28.911, 6, 10, 15.6986, 6, 11, 10.6494, 6, 12, 0, 6, 13, 3.125, 6, 14, 3.0199, 7, 12, 17.338, 7, 13,
  5.3455, 7, 14, 2.8634, 7, 15, 0.1014, 7, 16, 5.6839, 8, 13, 23.115, 8, 14, 8.0078, 8, 15, 2.8556, 8, 16, -4.737, 8,
  17, -0.8088, 8, 18, -0.7828, 9, 17, 1.9517, 9, 18, 0.8731, 9, 19, -1.4874, 9, 20, -0.0174, 10, 18, 5.3176, 10, 19,
  1.7521, 10, 20, -7.0419, 10, 21, -5.7318, 10, 22, -8.0247,
];

/** Mass number of the most abundant isotope, by charge. */
const COMMON: StaticArray<i32> = [0, 1, 4, 7, 9, 11, 12, 14, 16, 19, 20];

export const species = new Array<Species>();
const indexOf = new StaticArray<i32>((MAX_CHARGE + 1) * (MAX_MASS_NUMBER + 1));

/** Index of the isotope, or −1 where it is not bound (or not known). */
export function speciesIndex(z: i32, a: i32): i32 {
  if (z < 1 || z > MAX_CHARGE || a < 1 || a > MAX_MASS_NUMBER) return -1;
  return indexOf[z * (MAX_MASS_NUMBER + 1) + a] - 1;
}

function addSpecies(z: i32, a: i32, excess: f64): i32 {
  const mass = z == 1 && a == 1 ? PROTON_MASS : <f64>a * ATOMIC_MASS_UNIT + excess - <f64>z * ELECTRON_MASS;
  const index = species.length;
  let id = 25;
  if (z == 1) id = a == 1 ? 2 : 19 + a;
  if (z == 2 && (a == 3 || a == 4)) id = 20 + a;
  species.push(new Species(index, z, a, mass, PROTON_MASS / mass, id));
  indexOf[z * (MAX_MASS_NUMBER + 1) + a] = index + 1;
  return index;
}

/** Index of the isotope; one that is not in the list (an exotic beam) is added with mass A·u. */
export function requireSpecies(z: i32, a: i32): i32 {
  const known = speciesIndex(z, a);
  return known >= 0 ? known : addSpecies(z, a, 0);
}

/** Mass of the most abundant isotope of a charge, MeV. */
export function commonMass(z: i32): f64 {
  const a = COMMON[z];
  return species[requireSpecies(z, a)].mass;
}

export function prepareSpecies(): void {
  for (let i = 0; i < ISOTOPES.length; i += 3) addSpecies(<i32>ISOTOPES[i], <i32>ISOTOPES[i + 1], ISOTOPES[i + 2]);
}
