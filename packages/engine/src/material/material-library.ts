import type { StoppingPowerTable } from '../problem/problem.js';
import { ATOMIC_WEIGHTS } from './atomic-weights.js';
import { MATERIAL_DATA } from './material-data.js';

/** One element of a composition. */
export interface ElementFraction {
  readonly z: number;
  readonly atomicWeight: number;
  /** Mass fraction; all of a material sum to 1. */
  readonly fraction: number;
}

/** A library material with its default density and mean excitation energy. */
export interface LibraryMaterial {
  readonly icru: number;
  readonly name: string;
  readonly densityGcm3: number;
  readonly ionisationEv: number;
  readonly composition: readonly ElementFraction[];
}

/** ICRU id of liquid water. */
export const WATER_ICRU = 276;
/** ICRU id of graphite. */
export const GRAPHITE_ICRU = 906;
/** Id of vacuum in the editor's list. */
export const VACUUM_ICRU = 1000;
/** Id of the absorber that ends every particle. */
export const BLACK_HOLE_ICRU = 0;

/** Mean excitation energies that ICRU Report 90 changed, eV. */
const ICRU90_IONISATION_EV: ReadonlyMap<number, number> = new Map([
  [WATER_ICRU, 78],
  [GRAPHITE_ICRU, 81],
]);

function parseComposition(text: string): ElementFraction[] {
  const parts = text.split(' ').map((part) => part.split(':').map(Number));
  const sum = parts.reduce((total, [, fraction]) => total + (fraction ?? 0), 0);
  return parts.map(([z = 0, fraction = 0]) => ({
    z,
    atomicWeight: ATOMIC_WEIGHTS[z - 1] ?? Number.NaN,
    fraction: fraction / sum,
  }));
}

function parseLibrary(): ReadonlyMap<number, LibraryMaterial> {
  const materials = new Map<number, LibraryMaterial>();
  for (const line of MATERIAL_DATA.trim().split('\n')) {
    const [icru, name = '', density, ionisation, composition = ''] = line.split(';');
    materials.set(Number(icru), {
      icru: Number(icru),
      name,
      densityGcm3: Number(density),
      ionisationEv: Number(ionisation),
      composition: parseComposition(composition),
    });
  }
  return materials;
}

const library = parseLibrary();

/** The material of an ICRU id (1–278, 906 graphite), or undefined. Vacuum and black hole have no composition and are not here. */
export function findMaterial(icru: number): LibraryMaterial | undefined {
  return library.get(icru);
}

/** All library materials, in the order of their ids. */
export function listMaterials(): LibraryMaterial[] {
  return [...library.values()];
}

/** Mean excitation energy of a library material by the chosen table, eV. */
export function ionisationEv(material: LibraryMaterial, table: StoppingPowerTable): number {
  const revised = table === 'icru90' ? ICRU90_IONISATION_EV.get(material.icru) : undefined;
  return revised ?? material.ionisationEv;
}
