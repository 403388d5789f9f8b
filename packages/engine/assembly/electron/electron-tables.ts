// Of a material: tables of electrons and cross sections of photons, on the grid of the range tables.

import { ELECTRON_MASS } from '../constants';
import { Material, materials } from '../material/material';
import { CELLS, cellOf, GRID_LOW, gridEnergy, gridInverseWidth, RangeTable } from '../material/range-table';
import { uniform } from '../random';
import { setKinematics } from '../transport/kinematics';
import { species } from '../transport/species';
import { Bremsstrahlung, PHOTON_CUT } from './bremsstrahlung';
import { collisionStoppingPower, DensityEffect, mollerSigma, mollerStoppingPower } from './collision';
import { deflectionPath } from './electron-scattering';
import { ELECTRON, ELECTRON_TABLE } from './lepton';
import { atomsMillibarn, comptonPerElectron, Photoelectric, pairPerAtom } from './photon-cross-section';

/** Value between the nodes of the grid. */
function interpolate(table: StaticArray<f64>, energy: f64): f64 {
  if (energy <= GRID_LOW) return table[0];
  const i = cellOf(energy);
  const low = table[i];
  return low + (energy - gridEnergy[i]) * gridInverseWidth[i] * (table[i + 1] - low);
}

export class ElectronTables {
  private effect: DensityEffect = new DensityEffect(0, 99, 99, 0, 1, 0, 1);
  private photoelectric: Array<Photoelectric> = new Array<Photoelectric>();
  bremsstrahlung: Bremsstrahlung;
  /** Of losses that are not followed one by one. */
  soft: RangeTable = emptyTable();
  /** Of all: CSDA range and, as its electronic part, the collision stopping power. */
  whole: RangeTable = emptyTable();
  private moller: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  private photons: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  private hard: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  private turning: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  // macroscopic cross sections of a photon, cm²/g
  private compton: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  private absorption: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);
  private pairs: StaticArray<f64> = new StaticArray<f64>(CELLS + 1);

  constructor(private material: Material) {
    this.bremsstrahlung = new Bremsstrahlung(material);
  }

  setDensityEffect(effect: DensityEffect): void {
    this.effect = effect;
  }

  /** Adds the next element's. */
  addPhotoelectric(element: Photoelectric): void {
    this.photoelectric.push(element);
  }

  /** Fills the tables; the material's own, which scoring takes, too. */
  prepare(): void {
    const softInverse = new StaticArray<f64>(CELLS + 1);
    const wholeInverse = new StaticArray<f64>(CELLS + 1);
    const softStopping = new StaticArray<f64>(CELLS + 1);
    const collision = new StaticArray<f64>(CELLS + 1);
    for (let i = 0; i <= CELLS; i++) {
      const energy = gridEnergy[i];
      const all = collisionStoppingPower(this.material, this.effect, energy);
      const radiated = this.bremsstrahlung.stoppingPower(energy, energy);
      const soft =
        all -
        mollerStoppingPower(this.material.zOverA, energy) +
        (energy > PHOTON_CUT ? this.bremsstrahlung.stoppingPower(energy, PHOTON_CUT) : radiated);
      collision[i] = all;
      softStopping[i] = soft;
      softInverse[i] = 1 / soft;
      wholeInverse[i] = 1 / (all + radiated);
      this.moller[i] = mollerSigma(this.material.zOverA, energy);
      this.photons[i] = this.bremsstrahlung.sigma(energy);
      this.hard[i] = this.moller[i] + this.photons[i];
      setKinematics(energy, species[ELECTRON]);
      this.turning[i] = deflectionPath(this.material);
      this.prepareAttenuation(i, energy);
    }
    // below the grid the stopping power hardly changes with √E: as that of nuclei
    this.soft = new RangeTable(softInverse, softStopping, 2 * gridEnergy[0] * softInverse[0]);
    this.whole = new RangeTable(wholeInverse, collision, 2 * gridEnergy[0] * wholeInverse[0]);
    this.material.range[ELECTRON_TABLE] = this.whole;
  }

  private prepareAttenuation(i: i32, energy: f64): void {
    const material = this.material;
    for (let e = 0; e < material.elementCount; e++) {
      const z = material.elementZ[e];
      const atoms = material.fraction[e] * atomsMillibarn(material.elementA[e]);
      this.compton[i] += atoms * z * comptonPerElectron(energy);
      this.pairs[i] += atoms * pairPerAtom(z, energy);
      if (e < this.photoelectric.length) {
        this.absorption[i] += material.fraction[e] * this.photoelectric[e].sigma(Math.max(energy, PHOTON_CUT));
      }
    }
  }

  /** Cross sections of collisions and of photons above the cut-offs, cm²/g. */
  mollerSigma(energy: f64): f64 {
    return interpolate(this.moller, energy);
  }

  bremsstrahlungSigma(energy: f64): f64 {
    return interpolate(this.photons, energy);
  }

  /** Of both together. */
  hardSigma(energy: f64): f64 {
    return interpolate(this.hard, energy);
  }

  /** Path over which an electron is deflected by as much as a step may be, g/cm². */
  deflectionPath(energy: f64): f64 {
    return interpolate(this.turning, energy);
  }

  radiativeStoppingPower(energy: f64): f64 {
    return this.bremsstrahlung.stoppingPower(energy, energy);
  }

  /** Attenuation of photons, coherent scattering left out, cm²/g. */
  attenuation(energy: f64): f64 {
    return interpolate(this.compton, energy) + interpolate(this.absorption, energy) + this.pairSigma(energy);
  }

  private pairSigma(energy: f64): f64 {
    return energy > 2 * ELECTRON_MASS ? interpolate(this.pairs, energy) : 0;
  }

  /** What a photon does: COMPTON, ABSORBED or PAIR. */
  pickPhotonProcess(energy: f64): i32 {
    let pick = uniform() * this.attenuation(energy);
    pick -= interpolate(this.compton, energy);
    if (pick < 0) return COMPTON;
    return pick < this.pairSigma(energy) ? PAIR : ABSORBED;
  }
}

export const COMPTON: i32 = 0;
export const ABSORBED: i32 = 1;
export const PAIR: i32 = 2;

function emptyTable(): RangeTable {
  const ones = new StaticArray<f64>(CELLS + 1);
  ones.fill(1);
  return new RangeTable(ones, ones, gridEnergy[0]);
}

/** Of each material; vacuum and black holes have them empty. */
export const electronTables = new Array<ElectronTables>();

/** The tables of a material, for what is told of it before `prepareElectrons`. */
export function electronTablesOf(material: i32): ElectronTables {
  while (electronTables.length <= material) electronTables.push(new ElectronTables(materials[electronTables.length]));
  return electronTables[material];
}

/** Fills the tables of all materials. */
export function prepareElectrons(): void {
  for (let m = 0; m < materials.length; m++) {
    const tables = electronTablesOf(m);
    if (materials[m].isMatter()) tables.prepare();
  }
}
