// A material: its composition with the tables per charge and per species.

import { AVOGADRO_MILLIBARN } from '../constants';
import { greater, lesser } from '../fast-math';
import { ionCrossSection } from '../nuclear/ion-cross-section';
import { neutronAbsorption, neutronElastic, neutronNonElastic } from '../nuclear/neutron-cross-section';
import { MAX_NUCLEUS_CHARGE } from '../nuclear/nuclear-mass';
import {
  protonElasticCrossSection,
  protonHydrogenSigma,
  protonReactionCrossSection,
} from '../nuclear/proton-cross-section';
import { uniform } from '../random';
import { species } from '../transport/species';
import { Composition } from './composition';
import { CELLS, gridEnergy, nuclearRangeTable, RangeTable } from './range-table';
import { protonStoppingPower } from './stopping-power';

/** Cross-section grid: 32 points per octave of energy per nucleon, 1 to 512 MeV. */
const SIGMA_CELLS: i32 = 288;
const SIGMA_FIRST: i32 = 127 << 5;
/** Only the first species, light nuclei, have cross sections. */
const MAX_SPECIES: i32 = 80;

function sigmaEnergy(i: i32): f64 {
  return <f64>reinterpret<f32>((SIGMA_FIRST + i) << 18);
}

export class Material extends Composition {
  private protons: StaticArray<f64> = new StaticArray<f64>(0);
  range: StaticArray<RangeTable | null> = new StaticArray<RangeTable | null>(MAX_NUCLEUS_CHARGE + 1);
  sigma: StaticArray<StaticArray<f64> | null> = new StaticArray<StaticArray<f64> | null>(MAX_SPECIES);

  /** Of neutrons, cm²/g: all, and by element and process. */
  private neutronTotal: StaticArray<f64> = new StaticArray<f64>(0);
  private neutronPart: StaticArray<f32> = new StaticArray<f32>(0);
  /** Element struck in the last pick. */
  pickedElement: i32 = 0;

  /** Electronic stopping power of protons at the nodes of the grid; computed on first use. */
  private protonStopping(): StaticArray<f64> {
    if (this.protons.length == 0) {
      this.protons = new StaticArray<f64>(CELLS + 1);
      for (let i = 0; i <= CELLS; i++) this.protons[i] = protonStoppingPower(this, gridEnergy[i]);
    }
    return this.protons;
  }

  /** The table of a charge (see `tableCharge`), built on first use. */
  rangeTable(z: i32): RangeTable {
    let table = this.range[z];
    if (table === null) {
      table = nuclearRangeTable(this, z, this.protonStopping());
      this.range[z] = table;
    }
    return table;
  }

  /** Builds the macroscopic cross sections of a species, cm²/g, on the grid of energy per nucleon. */
  prepareSigma(speciesNumber: i32): void {
    if (speciesNumber >= MAX_SPECIES || this.sigma[speciesNumber] !== null) return;
    const table = new StaticArray<f64>(SIGMA_CELLS + 1);
    for (let i = 0; i <= SIGMA_CELLS; i++) table[i] = this.totalSigma(speciesNumber, sigmaEnergy(i));
    this.sigma[speciesNumber] = table;
  }

  private totalSigma(speciesNumber: i32, energy: f64): f64 {
    let sum: f64 = 0;
    for (let i = 0; i < this.elementCount; i++) sum += this.elementSigma(speciesNumber, i, energy);
    return sum;
  }

  /** Share of one element in all nuclear processes of a species at an energy per nucleon, cm²/g. */
  elementSigma(speciesNumber: i32, element: i32, energy: f64): f64 {
    const s = species[speciesNumber];
    const z = this.elementZ[element];
    const a = this.elementA[element];
    const density = (this.fraction[element] * AVOGADRO_MILLIBARN) / a;
    if (s.z == 1 && s.a == 1) {
      if (z == 1) return this.fraction[element] * protonHydrogenSigma(energy);
      return density * (protonReactionCrossSection(z, a, energy) + protonElasticCrossSection(a, energy));
    }
    return density * ionCrossSection(<f64>s.z, <f64>s.a, z, a, energy);
  }

  /** Builds the cross sections of neutrons. */
  prepareNeutrons(): void {
    const row = NEUTRON_CELLS + 1;
    this.neutronTotal = new StaticArray<f64>(row);
    this.neutronPart = new StaticArray<f32>(this.elementCount * NEUTRON_PROCESSES * row);
    for (let e = 0; e < this.elementCount; e++) {
      const z = this.elementZ[e];
      const a = this.elementA[e];
      const density = (this.fraction[e] * AVOGADRO_MILLIBARN) / a;
      const base = e * NEUTRON_PROCESSES * row;
      for (let i = 0; i < row; i++) {
        const energy = neutronGridEnergy(i);
        this.neutronPart[base + NEUTRON_ELASTIC * row + i] = <f32>(density * neutronElastic(z, a, energy));
        this.neutronPart[base + NEUTRON_REACTION * row + i] = <f32>(density * neutronNonElastic(z, a, energy));
        this.neutronPart[base + NEUTRON_ABSORBED * row + i] = <f32>(density * neutronAbsorption(z, energy));
      }
    }
    for (let i = 0; i < this.neutronPart.length; i++) this.neutronTotal[i % row] += <f64>this.neutronPart[i];
  }

  /** Macroscopic total cross section of neutrons, cm²/g. */
  neutronSigma(energy: f64): f64 {
    findNeutronCell(energy);
    const low = this.neutronTotal[neutronCell];
    return low + neutronPlace * (this.neutronTotal[neutronCell + 1] - low);
  }

  /** Draws what a neutron does; the element is `pickedElement`. */
  pickNeutronProcess(energy: f64): i32 {
    const row = NEUTRON_CELLS + 1;
    let pick = uniform() * this.neutronSigma(energy);
    const last = this.elementCount * NEUTRON_PROCESSES - 1;
    let part = 0;
    while (part < last) {
      const low = <f64>this.neutronPart[part * row + neutronCell];
      pick -= low + neutronPlace * (<f64>this.neutronPart[part * row + neutronCell + 1] - low);
      if (pick < 0) break;
      part++;
    }
    this.pickedElement = part / NEUTRON_PROCESSES;
    return part % NEUTRON_PROCESSES;
  }

  /** Interpolated macroscopic cross section of all nuclear processes, cm²/g. */
  nuclearSigma(speciesNumber: i32, energy: f64): f64 {
    if (energy <= 1) return 0;
    const table = speciesNumber < MAX_SPECIES ? this.sigma[speciesNumber] : null;
    if (table === null) return 0;
    let i = (reinterpret<i32>(<f32>energy) >>> 18) - SIGMA_FIRST;
    if (i >= SIGMA_CELLS) i = SIGMA_CELLS - 1;
    // the width of a cell is a power of two: 2⁻⁵ of that of its octave
    const inverseWidth = <f64>reinterpret<f32>((259 - ((SIGMA_FIRST + i) >> 5)) << 23);
    const x = (energy - sigmaEnergy(i)) * inverseWidth;
    return table[i] + x * (table[i + 1] - table[i]);
  }
}

/** What a collision of a neutron is. */
export const NEUTRON_ELASTIC: i32 = 0;
export const NEUTRON_REACTION: i32 = 1;
export const NEUTRON_ABSORBED: i32 = 2;
const NEUTRON_PROCESSES: i32 = 3;
/** Neutron grid: 8 points per octave from 2^-26 to 2^9 MeV. */
const NEUTRON_CELLS: i32 = 35 * 8;
const NEUTRON_FIRST: i32 = (127 - 26) << 3;

function neutronGridEnergy(i: i32): f64 {
  return <f64>reinterpret<f32>((NEUTRON_FIRST + i) << 20);
}

// cell of the last look-up, and the place in it
let neutronCell: i32 = 0;
let neutronPlace: f64 = 0;

function findNeutronCell(energy: f64): void {
  let i = (reinterpret<i32>(<f32>energy) >>> 20) - NEUTRON_FIRST;
  i = i < 0 ? 0 : i >= NEUTRON_CELLS ? NEUTRON_CELLS - 1 : i;
  const low = neutronGridEnergy(i);
  neutronCell = i;
  neutronPlace = greater(0, lesser(1, (energy - low) / (neutronGridEnergy(i + 1) - low)));
}

export const materials = new Array<Material>();
