// Electronic mass stopping power: Bethe with one correction polynomial per element (own fit to NIST PSTAR),
// Bragg additivity, ions by effective charge and Mott term. docs/engine.md, "Stopping power".

import { ATOMIC_MASS_UNIT, BETHE_K, ELECTRON_MASS, FINE_STRUCTURE, PROTON_MASS } from '../constants';
import { Composition, KIND_ELEMENT, KIND_WATER } from './composition';

/** Proton energies of the polynomials end here, MeV. */
const FIT_HIGH: f64 = 400;
/** A quarter of the energy of an α particle over that of a proton of equal speed. */
const ALPHA_ENERGY: f64 = 3727.3794 / 938.27208816 / 4;

/** Rows of Z, a0…a5 for elements; carbon in compounds and water have rows of their own. */
const CORRECTION: StaticArray<f64> = [
  1, 0.00249, -0.00221, 0.00119, -0.00002, -0.00024, 0.00005, 2, 0.00516, -0.00374, 0.00326, -0.00082, -0.00037,
  0.00011, 4, 0.01741, -0.01734, 0.01207, -0.00355, -0.00021, 0.00023, 6, 0.03198, -0.03184, 0.01555, -0.0014, -0.00114,
  0.00032, 7, 0.03967, -0.03981, 0.0133, 0.00098, -0.00126, 0.00016, 8, 0.04845, -0.04498, 0.00949, 0.00321, -0.00098,
  0.00001, 10, 0.06348, -0.04973, 0.00359, 0.0051, -0.00032, -0.0002, 13, 0.07783, -0.0464, -0.00242, 0.00595, -0.00029,
  -0.00014, 14, 0.08399, -0.05034, -0.00646, 0.00845, 0.00014, -0.00036, 18, 0.09797, -0.05054, -0.00638, 0.00757,
  -0.00028, -0.00023, 22, 0.11235, -0.03906, -0.01099, 0.00595, -0.00008, -0.00008, 26, 0.12997, -0.04949, -0.00899,
  0.00754, -0.00088, 0.00004, 29, 0.14728, -0.06222, -0.00916, 0.00936, -0.00085, -0.00008, 32, 0.15957, -0.07457,
  -0.01401, 0.01501, -0.00095, -0.0004, 36, 0.17704, -0.06421, -0.01694, 0.01072, -0.00027, -0.00028, 42, 0.1994,
  -0.08253, -0.02823, 0.02147, -0.00038, -0.00075, 47, 0.21458, -0.08093, -0.03386, 0.02226, 0.00018, -0.00083, 50,
  0.21484, -0.06371, -0.02583, 0.01422, -0.00091, -0.0002, 54, 0.21838, -0.05692, -0.02811, 0.01311, -0.00067, -0.0002,
  64, 0.17589, -0.05576, -0.02203, 0.01661, -0.00124, -0.0003, 74, 0.30154, -0.04925, -0.04718, 0.01328, -0.00017,
  -0.00006, 78, 0.23142, -0.04164, -0.04028, 0.01616, -0.00046, -0.00028, 79, 0.23835, -0.04134, -0.04172, 0.01577,
  -0.0004, -0.00025, 82, 0.18715, -0.03465, -0.03306, 0.01645, -0.00135, -0.00021, 92, 0.18941, -0.01658, -0.03382,
  0.01288, -0.00169, 0.00013,
];
const ROW: i32 = 7;
const COMPOUND_CARBON: StaticArray<f64> = [6, 0.03158, -0.03315, 0.01561, -0.00141, -0.00115, 0.00024];
const WATER: StaticArray<f64> = [0, 0.03957, -0.03652, 0.0078, 0.00245, -0.00075, 0];

function polynomial(table: StaticArray<f64>, offset: i32, u: f64): f64 {
  let value = table[offset + 6];
  for (let k = 5; k >= 1; k--) value = value * u + table[offset + k];
  return value;
}

/** c_Z(u); elements between rows are interpolated linearly in Z, those beyond the last take the last. */
function elementCorrection(z: f64, compound: bool, u: f64): f64 {
  if (z == 6 && compound) return polynomial(COMPOUND_CARBON, 0, u);
  const rows = CORRECTION.length / ROW;
  let upper = 0;
  while (upper < rows - 1 && CORRECTION[upper * ROW] < z) upper++;
  const high = polynomial(CORRECTION, upper * ROW, u);
  const zHigh = CORRECTION[upper * ROW];
  if (zHigh <= z || upper == 0) return high;
  const zLow = CORRECTION[(upper - 1) * ROW];
  const low = polynomial(CORRECTION, (upper - 1) * ROW, u);
  return low + ((high - low) * (z - zLow)) / (zHigh - zLow);
}

/** Shell, density, Barkas and Bloch corrections of a material for a proton of energy tp, MeV. */
function correction(material: Composition, tp: f64): f64 {
  const u = Math.log(Math.min(tp, FIT_HIGH) / 10);
  if (material.kind == KIND_WATER) return polynomial(WATER, 0, u);
  let sum: f64 = 0;
  const compound = material.kind != KIND_ELEMENT;
  for (let i = 0; i < material.elementCount; i++) {
    const share = (material.fraction[i] * material.elementZ[i]) / material.elementA[i];
    sum += share * elementCorrection(material.elementZ[i], compound, u);
  }
  return sum / material.zOverA;
}

/** β² of a proton of kinetic energy tp, and of any particle at the same speed. */
export function betaSquared(tp: f64): f64 {
  const gamma = 1 + tp / PROTON_MASS;
  return 1 - 1 / (gamma * gamma);
}

/** Charge that an ion carries at speed β (Barkas); the Zeff of filters, axes and quantities. */
export function effectiveCharge(z: f64, beta: f64): f64 {
  return z * (1 - Math.exp(-125 * beta * Math.pow(z, -2.0 / 3.0)));
}

/**
 * Charge that scales the proton's stopping power: Barkas with a second term for slow ions, this project's own fit to ICRU 73
 * (water, Z 3–10, brought to ICRU 90 by the ratio for carbon): within 2.3 % in stopping power for C and N, 5 % for Ne.
 */
export function stoppingCharge(z: f64, beta: f64): f64 {
  const slow = 15693 * Math.pow(z, -1.3766) * Math.exp(-13.906 * Math.pow(beta, 0.09814));
  return z * (1 - Math.exp(-125 * beta * Math.pow(z, -2.0 / 3.0) - slow));
}

function bethe(material: Composition, ionisationEv: f64, tp: f64): f64 {
  const gamma = 1 + tp / PROTON_MASS;
  const bg2 = gamma * gamma - 1;
  const beta2 = bg2 / (gamma * gamma);
  const ratio = ELECTRON_MASS / PROTON_MASS;
  const transferMax = (2 * ELECTRON_MASS * bg2) / (1 + 2 * gamma * ratio + ratio * ratio);
  const ionisation = ionisationEv * 1e-6;
  const logarithm = 0.5 * Math.log((2 * ELECTRON_MASS * bg2 * transferMax) / (ionisation * ionisation));
  return ((BETHE_K * material.zOverA) / beta2) * (logarithm - beta2 - correction(material, tp));
}

/** Share of the step between table and formula that is left at an energy above the table's end. */
function fade(tp: f64, end: f64): f64 {
  return Math.exp(1 - tp / end);
}

/** Proton mass stopping power, MeV cm²/g, at tp MeV. */
export function protonStoppingPower(material: Composition, tp: f64): f64 {
  const end = material.slowEnd;
  const table = material.slow.ofProton(Math.min(tp, end));
  // the table is of the library's excitation energy
  const own = bethe(material, material.ionisation, Math.max(tp, end));
  if (tp < end) return (table * own) / bethe(material, material.libraryIonisation, end);
  return own * (1 + (table / bethe(material, material.libraryIonisation, end) - 1) * fade(tp, end));
}

/** Scaled from the proton by a charge; from Z = 3 with the Mott term, which the Bloch term undoes at low speed (fit to ICRU 90, carbon). */
function scaled(proton: f64, material: Composition, charge: f64, z: i32, tp: f64): f64 {
  const beta2 = betaSquared(tp);
  const mott =
    z >= 3 ? (0.5 * Math.PI * FINE_STRUCTURE * <f64>z * Math.sqrt(beta2)) / (1 + 0.006 / (beta2 * beta2)) : 0;
  return charge * charge * (proton + ((BETHE_K * material.zOverA) / beta2) * mott);
}

function heliumFormula(material: Composition, proton: f64, tp: f64): f64 {
  return scaled(proton, material, effectiveCharge(2, Math.sqrt(betaSquared(tp))), 2, tp);
}

function heliumStoppingPower(material: Composition, proton: f64, tp: f64): f64 {
  const end = material.slowEnd;
  const table = material.slow.ofAlpha(Math.min(tp, end) * ALPHA_ENERGY);
  if (tp < end) return table;
  const atEnd = heliumFormula(material, protonStoppingPower(material, end), end);
  return heliumFormula(material, proton, tp) * (1 + (table / atEnd - 1) * fade(tp, end));
}

/** Electronic mass stopping power, MeV cm²/g, of charge z at the speed of a proton of tp MeV, whose own is `proton`. */
export function stoppingPower(material: Composition, z: i32, tp: f64, proton: f64): f64 {
  if (z == 1) return proton;
  if (z == 2) return heliumStoppingPower(material, proton, tp);
  return scaled(proton, material, stoppingCharge(<f64>z, Math.sqrt(betaSquared(tp))), z, tp);
}

/**
 * Nuclear mass stopping power, MeV cm²/g, of a nucleus (charge, mass MeV) at the speed of a proton of tp MeV: universal
 * function of Ziegler, Biersack and Littmark (1985).
 */
export function nuclearStoppingPower(material: Composition, z: f64, mass: f64, tp: f64): f64 {
  const m1 = mass / ATOMIC_MASS_UNIT;
  const energy = (1000 * tp * mass) / PROTON_MASS;
  let sum: f64 = 0;
  for (let i = 0; i < material.elementCount; i++) {
    const z2 = material.elementZ[i];
    const m2 = material.elementA[i];
    const screening = Math.pow(z, 0.23) + Math.pow(z2, 0.23);
    const epsilon = (32.53 * m2 * energy) / (z * z2 * (m1 + m2) * screening);
    const reduced =
      epsilon > 30
        ? Math.log(epsilon) / (2 * epsilon)
        : Math.log(1 + 1.1383 * epsilon) /
          (2 * (epsilon + 0.01321 * Math.pow(epsilon, 0.21226) + 0.19593 * Math.sqrt(epsilon)));
    // 8.462·10⁻¹⁵ eV cm² per atom
    sum += ((material.fraction[i] * 602.214076) / m2) * ((8.462 * z * z2 * m1) / ((m1 + m2) * screening)) * reduced;
  }
  return sum;
}
