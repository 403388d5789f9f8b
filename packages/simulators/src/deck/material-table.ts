import {
  type Material as EngineMaterial,
  findMaterial as findLibraryMaterial,
  type StoppingPowerTable,
} from '@tally/engine';
import type { CustomMaterial, Material, MaterialOverrides, SimulationMaterial } from '../project/material.js';
import type { Physics } from '../project/physics.js';
import type { Project } from '../project/project.js';
import type { ConversionReport } from './conversion-report.js';

/** The engine's names of the editor's tables. */
export const ENGINE_TABLE = { ICRU49: 'icru49', ICRU91: 'icru90' } as const satisfies Record<
  Physics['stoppingPowerTable'],
  StoppingPowerTable
>;

/** What a zone, the world or a quantity says about its material. */
interface MaterialChoice {
  readonly materialUuid?: string | undefined;
  readonly customMaterial?: CustomMaterial | undefined;
  readonly materialPropertiesOverrides?: MaterialOverrides | undefined;
}

/** A material as decks need it: what the engine takes, and what else the project says. */
export interface DeckMaterial extends EngineMaterial {
  /** The project's identifier of it, such as `water_liquid`. */
  readonly sanitizedName?: string;
  /** The project's, where a zone or quantity asks for custom stopping powers; absent: the simulator's own. */
  readonly stoppingPowerTable?: StoppingPowerTable;
}

/** A deck's list of materials while it grows: equal materials share one place. */
export interface MaterialTable {
  readonly materials: readonly DeckMaterial[];
  /** Index of the material that a zone, world or quantity at `path` of the project is made of. */
  place(choice: MaterialChoice, path: string): number;
  /** The same for a figure of a Geant4 project; without a material it is vacuum. */
  placeSimulationMaterial(material: SimulationMaterial | undefined, path: string): number;
}

/** Relative difference from which a stored density is another one: files have rounded numbers. */
const DENSITY_TOLERANCE = 1e-3;
const NO_OVERRIDES: MaterialOverrides = {
  density: undefined,
  customStoppingPower: undefined,
  averageIonisationPotential: undefined,
};
const VACUUM: DeckMaterial = { name: 'vacuum', icru: 1000 };

export function createMaterialTable(project: Project, report: ConversionReport): MaterialTable {
  const materials: DeckMaterial[] = [];
  const stoppingPowerTable = ENGINE_TABLE[project.physic.stoppingPowerTable];
  const byUuid = new Map(project.materialManager.materials.map((material) => [material.uuid, material]));

  const add = (material: DeckMaterial, path: string): number => {
    const known = materials.findIndex((other) => isSameMaterial(other, material));
    if (known !== -1) return known;
    materials.push(material);
    report.trace(`/materials/${materials.length - 1}`, path);
    return materials.length - 1;
  };

  /** A density that stands at the material itself is nobody's wish: the editor has no field for it. */
  const warnOfDensity = ({ name, icru, density }: SimulationMaterial): void => {
    const own = findLibraryMaterial(icru)?.densityGcm3;
    if (density === undefined || own === undefined || Math.abs(density - own) <= DENSITY_TOLERANCE * own) return;
    const message = `the density ${density} g/cm³ stored with "${name}" is not used, but the table's of ${own} g/cm³`;
    report.warn('MATERIAL_DENSITY_UNUSED', `${message}; another one is an override of a zone`);
  };
  const describe = (material: SimulationMaterial, overrides: MaterialOverrides, path: string): DeckMaterial => {
    const { name, icru, sanitizedName } = material;
    const { density } = overrides;
    const ionisationEv = overrides.averageIonisationPotential ?? material.averageIonisationPotential;
    if (density === undefined) warnOfDensity(material);
    if (density === 0 && findLibraryMaterial(icru) !== undefined) {
      report.refuse(path, `the density of "${name}" must be more than 0`);
    }
    return {
      name,
      icru,
      ...(density === undefined || density === 0 ? {} : { densityGcm3: density }),
      ...(ionisationEv === undefined ? {} : { ionisationEv }),
      ...(sanitizedName === undefined ? {} : { sanitizedName }),
      ...((overrides.customStoppingPower ?? material.customStoppingPower) ? { stoppingPowerTable } : {}),
    };
  };

  return {
    materials,
    place(choice, path) {
      const base = findMaterial(choice, byUuid);
      // readProject lets no reference through that resolves to nothing.
      if (base === undefined) throw new Error(`no material for ${path}`);
      const materialPath = `${path}/materialUuid`;
      return add(describe(base, choice.materialPropertiesOverrides ?? NO_OVERRIDES, materialPath), materialPath);
    },
    placeSimulationMaterial(material, path) {
      const materialPath = `${path}/simulationMaterial`;
      return add(material === undefined ? VACUUM : describe(material, NO_OVERRIDES, materialPath), materialPath);
    },
  };
}

/** A custom material counts only together with overrides; without them it is the material it was made from. */
function findMaterial(
  choice: MaterialChoice,
  byUuid: ReadonlyMap<string, Material>,
): Material | CustomMaterial | undefined {
  const { customMaterial: custom, materialPropertiesOverrides: overrides, materialUuid } = choice;
  if (custom !== undefined && overrides !== undefined) return custom;
  const listed = byUuid.get(materialUuid ?? '');
  return listed ?? byUuid.get(custom?.originalMaterialUuid ?? '') ?? custom;
}

function isSameMaterial(one: DeckMaterial, other: DeckMaterial): boolean {
  return (
    one.icru === other.icru &&
    one.densityGcm3 === other.densityGcm3 &&
    one.ionisationEv === other.ionisationEv &&
    one.stoppingPowerTable === other.stoppingPowerTable
  );
}
