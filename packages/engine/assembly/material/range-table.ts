// Stopping power, CSDA range and their integrals on a grid of 64 points per octave of energy. The energy is that of
// a proton of the same speed (tp), so one table serves every isotope of a charge: a particle of mass M has
// T = tp·M/m_p, range R·M/m_p. Grid cells are found from the bits of the number, without a logarithm.

import { commonMass } from '../transport/species';
import { Composition } from './composition';
import { nuclearStoppingPower, stoppingPower } from './stopping-power';

/** Grid from 2^-10 MeV to 2^9 MeV. */
const LOW_EXPONENT: i32 = -10;
const OCTAVES: i32 = 19;
export const CELLS: i32 = OCTAVES * 64;
const FIRST: i32 = (127 + LOW_EXPONENT) << 6;
export const GRID_LOW: f64 = 1.0 / 1024.0;
export const GRID_HIGH: f64 = 512;

/** Nuclear stopping is below 0.1 % of the electronic above this energy, MeV of a proton. */
const NUCLEAR_STOPPING_MAX: f64 = 0.5;

/** Range cells from 2^-32 to 2^10 g/cm², 64 per octave. */
const RANGE_FIRST: i32 = (127 - 32) << 6;
const RANGE_CELLS: i32 = 42 * 64;

export const gridEnergy = new StaticArray<f64>(CELLS + 1);
export const gridInverseWidth = new StaticArray<f64>(CELLS + 1);

function cellEdge(first: i32, i: i32): f64 {
  return <f64>reinterpret<f32>((first + i) << 17);
}

/** Fills the shared grid. */
export function prepareGrid(): void {
  for (let i = 0; i <= CELLS; i++) gridEnergy[i] = cellEdge(FIRST, i);
  for (let i = 0; i < CELLS; i++) gridInverseWidth[i] = 1 / (gridEnergy[i + 1] - gridEnergy[i]);
}

/**
 * Values per node: 1/S_total, R, Q = ∫S dE, S. Total: electronic and nuclear stopping; Q and S: electronic. Between nodes
 * 1/S_total and S are linear, so R and Q are quadratic.
 */
const STRIDE: i32 = 4;

/** Range at the lower end of the grid, where the electronic stopping power s falls with √E. */
function rangeBelow(material: Composition, z: i32, mass: f64, s: f64): f64 {
  const points = 64;
  let range: f64 = 0;
  for (let i = 0; i < points; i++) {
    // E = x²·GRID_LOW
    const x = (<f64>i + 0.5) / <f64>points;
    range += x / (s * x + nuclearStoppingPower(material, <f64>z, mass, GRID_LOW * x * x));
  }
  return (2 * GRID_LOW * range) / <f64>points;
}

/** The table of a charge. `protons`: electronic stopping power of protons at the nodes of the grid, MeV cm²/g. */
export function nuclearRangeTable(material: Composition, z: i32, protons: StaticArray<f64>): RangeTable {
  const mass = commonMass(z);
  const inverse = new StaticArray<f64>(CELLS + 1);
  const electronic = new StaticArray<f64>(CELLS + 1);
  for (let i = 0; i <= CELLS; i++) {
    const energy = gridEnergy[i];
    const s = stoppingPower(material, z, energy, protons[i]);
    const nuclear = energy < NUCLEAR_STOPPING_MAX ? nuclearStoppingPower(material, <f64>z, mass, energy) : 0;
    electronic[i] = s;
    inverse[i] = 1 / (s + nuclear);
  }
  return new RangeTable(inverse, electronic, rangeBelow(material, z, mass, electronic[0]));
}

export let foundStopping: f64 = 0;
export let foundRange: f64 = 0;

export class RangeTable {
  node: StaticArray<f64> = new StaticArray<f64>((CELLS + 1) * STRIDE);
  start: StaticArray<u16> = new StaticArray<u16>(RANGE_CELLS + 1);

  /** At the nodes of the grid: inverse of the total stopping power, and the electronic one; range of the first node, g/cm². */
  constructor(inverse: StaticArray<f64>, electronic: StaticArray<f64>, below: f64) {
    const node = this.node;
    let range = below;
    let integral: f64 = (2.0 / 3.0) * gridEnergy[0] * electronic[0];
    for (let i = 0; i <= CELLS; i++) {
      const base = i * STRIDE;
      if (i > 0) {
        const width = gridEnergy[i] - gridEnergy[i - 1];
        range += 0.5 * width * (inverse[i] + node[base - STRIDE]);
        integral += 0.5 * width * (electronic[i] + node[base - 1]);
      }
      node[base] = inverse[i];
      node[base + 1] = range;
      node[base + 2] = integral;
      node[base + 3] = electronic[i];
    }
    this.fillStart();
  }

  private fillStart(): void {
    let cell = 0;
    for (let i = 0; i <= RANGE_CELLS; i++) {
      const range = cellEdge(RANGE_FIRST, i);
      while (cell < CELLS - 1 && this.node[(cell + 1) * STRIDE + 1] <= range) cell++;
      this.start[i] = <u16>cell;
    }
  }

  /** `stoppingPower` and `range` at once, in `foundStopping` and `foundRange`. */
  find(tp: f64): void {
    if (tp <= GRID_LOW) {
      foundStopping = this.stoppingPower(tp);
      foundRange = this.range(tp);
      return;
    }
    const i = cellOf(tp);
    const d = tp - gridEnergy[i];
    const x = d * gridInverseWidth[i];
    const base = i * STRIDE;
    const node = this.node;
    const g = node[base];
    const s = node[base + 3];
    foundStopping = s + x * (node[base + STRIDE + 3] - s);
    foundRange = node[base + 1] + d * (g + 0.5 * x * (node[base + STRIDE] - g));
  }

  /** Electronic mass stopping power, MeV cm²/g. */
  stoppingPower(tp: f64): f64 {
    if (tp <= GRID_LOW) return this.node[3] * Math.sqrt(tp / GRID_LOW);
    const i = cellOf(tp);
    const x = (tp - gridEnergy[i]) * gridInverseWidth[i];
    const s = this.node[i * STRIDE + 3];
    return s + x * (this.node[i * STRIDE + 7] - s);
  }

  /** CSDA range of the proton-like particle, g/cm². */
  range(tp: f64): f64 {
    if (tp <= GRID_LOW) return this.node[1] * (tp / GRID_LOW);
    const i = cellOf(tp);
    const d = tp - gridEnergy[i];
    const x = d * gridInverseWidth[i];
    const base = i * STRIDE;
    const g = this.node[base];
    return this.node[base + 1] + d * (g + 0.5 * x * (this.node[base + STRIDE] - g));
  }

  /** ∫S dE from 0, MeV² cm²/g. */
  integral(tp: f64): f64 {
    if (tp <= GRID_LOW) return this.node[2] * (tp / GRID_LOW) * Math.sqrt(tp / GRID_LOW);
    const i = cellOf(tp);
    const d = tp - gridEnergy[i];
    const x = d * gridInverseWidth[i];
    const base = i * STRIDE;
    const s = this.node[base + 3];
    return this.node[base + 2] + d * (s + 0.5 * x * (this.node[base + STRIDE + 3] - s));
  }

  /** Energy with the given range: the exact inverse of `range`. */
  energy(range: f64): f64 {
    const node = this.node;
    if (range <= node[1]) {
      return range <= 0 ? 0 : (GRID_LOW * range) / node[1];
    }
    let i: i32 = this.start[(reinterpret<i32>(<f32>range) >>> 17) - RANGE_FIRST];
    if (node[i * STRIDE + 1] > range) i--;
    while (i < CELLS - 1 && node[(i + 1) * STRIDE + 1] <= range) i++;
    const base = i * STRIDE;
    const g = node[base];
    const slope = (node[base + STRIDE] - g) * gridInverseWidth[i];
    const r = range - node[base + 1];
    return gridEnergy[i] + (2 * r) / (g + Math.sqrt(g * g + 2 * slope * r));
  }
}

/** Cell of an energy above GRID_LOW. */
export function cellOf(tp: f64): i32 {
  const i = (reinterpret<i32>(<f32>tp) >>> 17) - FIRST;
  return i >= CELLS ? CELLS - 1 : i;
}
