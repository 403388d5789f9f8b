// What a material consists of, and the constants of each process that follow from it.

import { ELECTRON_MASS, FINE_STRUCTURE } from '../constants';
import { SlowStopping } from './slow-stopping';

export const KIND_VACUUM: i32 = 0;
export const KIND_BLACK_HOLE: i32 = 1;
export const KIND_COMPOUND: i32 = 2;
export const KIND_ELEMENT: i32 = 3;
export const KIND_WATER: i32 = 4;

const MAX_ELEMENTS: i32 = 32;

export class Composition {
  elementCount: i32 = 0;
  elementZ: StaticArray<f64> = new StaticArray<f64>(MAX_ELEMENTS);
  elementA: StaticArray<f64> = new StaticArray<f64>(MAX_ELEMENTS);
  fraction: StaticArray<f64> = new StaticArray<f64>(MAX_ELEMENTS);
  /** ⟨Z/A⟩, mol/g. */
  zOverA: f64 = 0;
  /** Inverse radiation length, cm²/g. */
  inverseRadiationLength: f64 = 0;
  /** Scattering by nuclei, Σ w Z²/A, and by electrons, Σ w Z/A, mol/g. */
  nuclearScattering: f64 = 0;
  electronScattering: f64 = 0;
  /** Fano's logarithm for the electrons less that of (βγ)², weighted by scattering (Phys. Rev. 93 (1954) 117). */
  electronReach: f64 = 0;
  /** Molière's screening angle squared is screening·(1.13 + bornScreening·z²/β²)/p², MeV². */
  screening: f64 = 0;
  bornScreening: f64 = 0;
  /** Mean charge of the nuclei, weighted by electrons. */
  meanCharge: f64 = 1;
  /** Mean of A^-⅓ weighted by scattering. */
  nuclearSize: f64 = 0;
  private logScreening: f64 = 0;
  private bornSum: f64 = 0;
  private sizeSum: f64 = 0;
  slow: SlowStopping = new SlowStopping();

  constructor(
    public kind: i32,
    /** g/cm³ */
    public density: f64,
    /** Mean excitation energy, eV: as wanted, and the one that the library's tables are of. */
    public ionisation: f64,
    public libraryIonisation: f64,
    /** Energy of a proton at which the slow table gives way to Bethe's formula, MeV. */
    public slowEnd: f64,
  ) {}

  addElement(z: f64, a: f64, fraction: f64): void {
    const i = this.elementCount++;
    this.elementZ[i] = z;
    this.elementA[i] = a;
    this.fraction[i] = fraction;
    this.zOverA += (fraction * z) / a;
    const share = (fraction * z * z) / a;
    this.nuclearScattering += share;
    this.electronScattering += (fraction * z) / a;
    this.electronReach += ((fraction * z) / a) * (Math.log(1130 * Math.pow(z, -4.0 / 3.0)) + (z == 1 ? 3.6 : 5.8));
    this.logScreening += share * 2 * Math.log((ELECTRON_MASS * FINE_STRUCTURE * Math.cbrt(z)) / 0.885);
    this.bornSum += share * 3.76 * (z * FINE_STRUCTURE) * (z * FINE_STRUCTURE);
    this.sizeSum += share / Math.cbrt(a);
    this.screening = Math.exp(this.logScreening / this.nuclearScattering);
    this.bornScreening = this.bornSum / this.nuclearScattering;
    this.nuclearSize = this.sizeSum / this.nuclearScattering;
    this.meanCharge = this.nuclearScattering / this.electronScattering;
    this.inverseRadiationLength += (fraction * z * (z + 1) * Math.log(287 / Math.sqrt(z))) / (716.4 * a);
  }

  /** True where particles lose energy. */
  isMatter(): bool {
    return this.kind >= KIND_COMPOUND;
  }
}
