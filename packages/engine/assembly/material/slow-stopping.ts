// Electronic stopping powers of slow protons and α particles: tables of one material (src/material/slow-stopping-data.ts), or
// their Bragg sum over its elements. docs/engine.md, "Stopping power".

/** Energies of the tables: MeV of a proton; of an α particle four times as much. */
const ENERGIES: StaticArray<f64> = [
  0.001, 0.0015, 0.002, 0.003, 0.005, 0.007, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.125,
  0.15, 0.175, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1, 1.25, 1.5, 2,
];
const NODES: i32 = 32;
/** From 10⁻¹⁵ eV cm² per atom to MeV cm²/mol. */
const MOLAR: f64 = 602.214076;

/** ICRU Report 49, protons on an element: energy MeV; A₂…A₅. 10⁻¹⁵ eV cm² per atom. */
function protonFit(energy: f64, a2: f64, a3: f64, a4: f64, a5: f64): f64 {
  const t = Math.max(1000 * energy, 10);
  const low = a2 * Math.pow(t, 0.45);
  const high = (a3 / t) * Math.log(1 + a4 / t + a5 * t);
  const value = (low * high) / (low + high);
  return energy < 0.01 ? value * Math.sqrt(energy / 0.01) : value;
}

/** ICRU Report 49, α particles on an element: energy MeV; A₁…A₅. */
function alphaFit(energy: f64, a1: f64, a2: f64, a3: f64, a4: f64, a5: f64): f64 {
  const low = a1 * Math.pow(1000 * energy, a2);
  const high = (a3 / energy) * Math.log(1 + a4 / energy + a5 * energy);
  return (low * high) / (low + high);
}

export class SlowStopping {
  private proton: StaticArray<f64> = new StaticArray<f64>(NODES);
  private alpha: StaticArray<f64> = new StaticArray<f64>(NODES);

  /** Adds a share of a table's values at one node, MeV cm²/g. */
  add(node: i32, share: f64, proton: f64, alpha: f64): void {
    this.proton[node] += share * proton;
    this.alpha[node] += share * alpha;
  }

  /** Adds a mass fraction of an element of atomic weight a by its coefficients. */
  addFit(share: f64, a: f64, p2: f64, p3: f64, p4: f64, p5: f64, a1: f64, a2: f64, a3: f64, a4: f64, a5: f64): void {
    for (let i = 0; i < NODES; i++) {
      const proton = protonFit(ENERGIES[i], p2, p3, p4, p5);
      const alpha = alphaFit(4 * ENERGIES[i], a1, a2, a3, a4, a5);
      this.add(i, (share * MOLAR) / a, proton, alpha);
    }
  }

  /** Of a proton of an energy up to 2 MeV, MeV cm²/g. */
  ofProton(energy: f64): f64 {
    return this.at(this.proton, energy);
  }

  /** Of an α particle of four times the energy. */
  ofAlpha(energy: f64): f64 {
    return this.at(this.alpha, energy);
  }

  private at(values: StaticArray<f64>, energy: f64): f64 {
    if (energy <= ENERGIES[0]) return values[0] * Math.sqrt(energy / ENERGIES[0]);
    let i = 0;
    while (i < NODES - 2 && ENERGIES[i + 1] < energy) i++;
    const slope = Math.log(values[i + 1] / values[i]) / Math.log(ENERGIES[i + 1] / ENERGIES[i]);
    return values[i] * Math.pow(energy / ENERGIES[i], slope);
  }
}
