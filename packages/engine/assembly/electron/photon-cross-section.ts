// Cross sections of photons: Compton (Klein and Nishina), photoelectric and pairs.

import { AVOGADRO_MILLIBARN, ELECTRON_MASS } from '../constants';
import { uniform } from '../random';

/** 2π r_e², mb. */
const KLEIN_NISHINA: f64 = 498.9341;
/** Energy that the coefficients of the photoelectric effect are of, MeV. */
const REFERENCE: f64 = 0.1;

/** Photoelectric mass attenuation of an element, cm²/g: exponential of a polynomial in ln E, above and below the K edge. */
export class Photoelectric {
  constructor(
    /** MeV; 0 where it is below the energies of the fit. */
    private edge: f64,
    private a0: f64,
    private a1: f64,
    private a2: f64,
    private a3: f64,
    private a4: f64,
    private b0: f64,
    private b1: f64,
    private b2: f64,
  ) {}

  sigma(energy: f64): f64 {
    const x = Math.log(energy / REFERENCE);
    if (energy < this.edge) return Math.exp(this.b0 + x * (this.b1 + x * this.b2));
    return Math.exp(this.a0 + x * (this.a1 + x * (this.a2 + x * (this.a3 + x * this.a4))));
  }
}

/** Cross section of Klein and Nishina for an electron, mb. */
export function comptonPerElectron(energy: f64): f64 {
  const a = energy / ELECTRON_MASS;
  const b = 1 + 2 * a;
  const log = Math.log(b);
  // the closed form loses its digits at small energies
  if (a < 0.01) return (KLEIN_NISHINA * 4 * (1 - 2 * a + 5.2 * a * a)) / 3;
  return KLEIN_NISHINA * (((1 + a) / (a * a)) * ((2 * (1 + a)) / b - log / a) + log / (2 * a) - (1 + 3 * a) / (b * b));
}

/** Energy of the scattered photon. */
export function sampleCompton(energy: f64): f64 {
  const a = energy / ELECTRON_MASS;
  const least = 1 / (1 + 2 * a);
  const log = -Math.log(least);
  const half = 0.5 * (1 - least * least);
  while (true) {
    // 1/ε + ε, then the angle
    const ratio =
      uniform() * (log + half) < log
        ? Math.exp(-uniform() * log)
        : Math.sqrt(least * least + uniform() * (1 - least * least));
    const t = (1 - ratio) / (a * ratio);
    const sine2 = t * (2 - t);
    if (uniform() * (1 + ratio * ratio) < 1 + ratio * ratio - ratio * sine2) return ratio * energy;
  }
}

const PAIR_ENERGY: StaticArray<f64> = [2, 3, 4, 5, 6, 8, 10, 15, 20];
const PAIR_CHARGE: StaticArray<f64> = [6, 8, 13, 29, 74, 82];
/**
 * Pairs in the field of nucleus and electrons: σ/(Z(Z + 1))·(1 − 2m/E)⁻³, mb. Own evaluation: total attenuation coefficients of
 * Hubbell and Seltzer, NISTIR 5632 (XCOM), less Klein and Nishina's, the photoelectric effect and coherent scattering.
 */
// prettier-ignore
const PAIR: StaticArray<f64> = [
  1.463, 1.629, 1.83, 2.024, 2.209, 2.521, 2.789, 3.307, 3.696, 1.495, 1.665, 1.868, 2.059, 2.238, 2.555, 2.822, 3.33,
  3.71, 1.43, 1.695, 1.902, 2.102, 2.281, 2.592, 2.851, 3.348, 3.717, 1.485, 1.766, 1.966, 2.148, 2.314, 2.604, 2.848,
  3.311, 3.656, 2.148, 2.049, 2.095, 2.177, 2.269, 2.459, 2.638, 3.022, 3.311, 2.298, 2.105, 2.105, 2.167, 2.247, 2.418,
  2.586, 2.952, 3.232,
];

/** Cross section of pairs for an atom, mb. */
export function pairPerAtom(z: f64, energy: f64): f64 {
  const left = 1 - (2 * ELECTRON_MASS) / energy;
  if (left <= 0) return 0;
  const rows = PAIR_ENERGY.length;
  let row = 0;
  while (row < rows - 2 && PAIR_ENERGY[row + 1] < energy) row++;
  const x = Math.max(0, Math.log(energy / PAIR_ENERGY[row]) / Math.log(PAIR_ENERGY[row + 1] / PAIR_ENERGY[row]));
  let i = 0;
  while (i < PAIR_CHARGE.length - 2 && PAIR_CHARGE[i + 1] < z) i++;
  const y = Math.max(0, Math.log(z / PAIR_CHARGE[i]) / Math.log(PAIR_CHARGE[i + 1] / PAIR_CHARGE[i]));
  const at = i * rows + row;
  const low = PAIR[at] + x * (PAIR[at + 1] - PAIR[at]);
  const high = PAIR[at + rows] + x * (PAIR[at + rows + 1] - PAIR[at + rows]);
  return z * (z + 1) * left * left * left * (low + y * (high - low));
}

/** Atoms per gram times one millibarn, cm²/g, of an atomic weight. */
export function atomsMillibarn(weight: f64): f64 {
  return AVOGADRO_MILLIBARN / weight;
}
