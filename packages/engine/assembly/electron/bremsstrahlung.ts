// Bremsstrahlung in a material: radiative stopping power, and photons above a cut-off one by one.

import { AVOGADRO_MILLIBARN, ELECTRON_MASS } from '../constants';
import { Composition } from '../material/composition';
import { uniform } from '../random';
import { CHI, CHI_CHARGE, CHI_ENERGY, CHI_SHARE } from './bremsstrahlung-data';

/** Photons below this energy are not made one by one: their energy is lost, and left, along the electron's way, MeV. */
export const PHOTON_CUT: f64 = 0.01;
/** Parts of the integrals over the shares of a photon. */
const PARTS: i32 = 64;

const SHARES: i32 = CHI_SHARE.length;
const ENERGIES: i32 = CHI_ENERGY.length;

/** Square of the speed of an electron. */
export function electronBetaSquared(energy: f64): f64 {
  const total = energy + ELECTRON_MASS;
  return (energy * (total + ELECTRON_MASS)) / (total * total);
}

/** χ of an element in row and column: between the tabulated charges χ·Z/(Z + 1) is linear in ln Z. */
function chiOf(z: f64, at: i32): f64 {
  let i = 0;
  while (i < CHI_CHARGE.length - 2 && CHI_CHARGE[i + 1] < z) i++;
  const low = CHI_CHARGE[i];
  const high = CHI_CHARGE[i + 1];
  const x = Math.log(z / low) / Math.log(high / low);
  const size = ENERGIES * SHARES;
  const first = (CHI[i * size + at] * low) / (low + 1);
  const second = (CHI[(i + 1) * size + at] * high) / (high + 1);
  return ((first + x * (second - first)) * (z + 1)) / z;
}

export class Bremsstrahlung {
  /** Σ w N_A/A·Z²·χ, cm²/g, by energy and share. */
  private chi: StaticArray<f64> = new StaticArray<f64>(ENERGIES * SHARES);

  constructor(composition: Composition) {
    for (let at = 0; at < this.chi.length; at++) {
      for (let i = 0; i < composition.elementCount; i++) {
        const z = composition.elementZ[i];
        const nuclei = (composition.fraction[i] * AVOGADRO_MILLIBARN) / composition.elementA[i];
        this.chi[at] += nuclei * z * z * chiOf(z, at);
      }
    }
  }

  /** k dΣ/dk times β² at an energy, for a photon's share of it: linear in ln T and in the share. */
  private spectrum(energy: f64, share: f64): f64 {
    let row = 0;
    while (row < ENERGIES - 2 && CHI_ENERGY[row + 1] < energy) row++;
    const low = CHI_ENERGY[row];
    const x = Math.max(0, Math.log(energy / low) / Math.log(CHI_ENERGY[row + 1] / low));
    let column = 0;
    while (column < SHARES - 2 && CHI_SHARE[column + 1] < share) column++;
    const y = (share - CHI_SHARE[column]) / (CHI_SHARE[column + 1] - CHI_SHARE[column]);
    const at = row * SHARES + column;
    const first = this.chi[at] + y * (this.chi[at + 1] - this.chi[at]);
    const second = this.chi[at + SHARES] + y * (this.chi[at + SHARES + 1] - this.chi[at + SHARES]);
    return first + x * (second - first);
  }

  /** Radiative stopping power by photons of at most the energy `most`, MeV cm²/g. */
  stoppingPower(energy: f64, most: f64): f64 {
    const end = Math.min(1, most / energy);
    let sum: f64 = 0;
    for (let i = 0; i < PARTS; i++) sum += this.spectrum(energy, ((<f64>i + 0.5) / <f64>PARTS) * end);
    return (energy * end * sum) / <f64>PARTS / electronBetaSquared(energy);
  }

  /** Cross section of photons above the cut-off, cm²/g. */
  sigma(energy: f64): f64 {
    if (energy <= PHOTON_CUT) return 0;
    const span = Math.log(energy / PHOTON_CUT);
    let sum: f64 = 0;
    for (let i = 0; i < PARTS; i++) sum += this.spectrum(energy, Math.exp((-(<f64>i + 0.5) / <f64>PARTS) * span));
    return (sum * span) / <f64>PARTS / electronBetaSquared(energy);
  }

  /** Energy of a photon above the cut-off. */
  samplePhoton(energy: f64): f64 {
    const span = Math.log(energy / PHOTON_CUT);
    const most = this.spectrum(energy, 0);
    while (true) {
      const share = Math.exp(-uniform() * span);
      if (uniform() * most < this.spectrum(energy, share)) return share * energy;
    }
  }
}

/** Cosine of a photon, or of an electron of a pair, to the direction it came of: 1/(1 − β cos)², of a fast charge. */
export function sampleForward(energy: f64): f64 {
  const beta = Math.sqrt(electronBetaSquared(energy));
  const low = 1 / (1 + beta);
  return Math.max(-1, (1 - 1 / (low + uniform() * (1 / (1 - beta) - low))) / beta);
}
