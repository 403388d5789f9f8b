import type { Material as EngineMaterial } from '@tally/engine';
import type { CustomMaterial, Material, MaterialOverrides, SimulationMaterial } from '../project/material.js';
import type { Project } from '../project/project.js';
import type { ConversionReport } from './conversion-report.js';

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
  /** The stopping powers attached to the project, if there are any for its id, are to be used. */
  readonly hasCustomStoppingPower: boolean;
}

/** A deck's list of materials while it grows: equal materials share one place. */
export interface MaterialTable {
  readonly materials: readonly DeckMaterial[];
  /** Index of the material that a zone, world or quantity at `path` of the project is made of. */
  place(choice: MaterialChoice, path: string): number;
  /** The same for a figure of a Geant4 project; without a material it is vacuum. */
  placeSimulationMaterial(material: SimulationMaterial | undefined, path: string): number;
}

type MaterialProperties = Pick<Material, 'name' | 'icru' | 'density' | 'averageIonisationPotential'> & {
  readonly sanitizedName?: string | undefined;
  readonly customStoppingPower?: boolean;
};

/** Black hole and vacuum. */
const WITHOUT_DENSITY = [0, 1000];
const VACUUM: DeckMaterial = { name: 'vacuum', icru: 1000, hasCustomStoppingPower: false };

export function createMaterialTable(project: Project, report: ConversionReport): MaterialTable {
  const materials: DeckMaterial[] = [];
  const byUuid = new Map(project.materialManager.materials.map((material) => [material.uuid, material]));

  const add = (material: DeckMaterial, path: string): number => {
    const known = materials.findIndex((other) => isSameMaterial(other, material));
    if (known !== -1) return known;
    materials.push(material);
    report.trace(`/materials/${materials.length - 1}`, path);
    return materials.length - 1;
  };

  /** Densities of the project win over the library's; matter without density (vacuum, black hole) has none to give. */
  const describe = (material: MaterialProperties, path: string): DeckMaterial => {
    const { name, icru, density, averageIonisationPotential: ionisationEv, sanitizedName } = material;
    if (density === 0 && !WITHOUT_DENSITY.includes(icru))
      report.refuse(path, `the density of "${name}" must be more than 0`);
    return {
      name,
      icru,
      ...(density > 0 ? { densityGcm3: density } : {}),
      ...(ionisationEv === undefined ? {} : { ionisationEv }),
      ...(sanitizedName === undefined ? {} : { sanitizedName }),
      hasCustomStoppingPower: material.customStoppingPower ?? false,
    };
  };

  return {
    materials,
    place(choice, path) {
      const base = findMaterial(choice, byUuid);
      // readProject lets no reference through that resolves to nothing.
      if (base === undefined) throw new Error(`no material for ${path}`);
      const overrides = choice.materialPropertiesOverrides;
      const material = {
        name: base.name,
        icru: base.icru,
        density: overrides?.density ?? base.density,
        averageIonisationPotential: overrides?.averageIonisationPotential ?? base.averageIonisationPotential,
        sanitizedName: sanitizedNameOf(base),
        customStoppingPower: overrides?.customStoppingPower ?? base.customStoppingPower,
      };
      return add(describe(material, `${path}/materialUuid`), `${path}/materialUuid`);
    },
    placeSimulationMaterial(material, path) {
      const materialPath = `${path}/simulationMaterial`;
      return add(material === undefined ? VACUUM : describe(material, materialPath), materialPath);
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

function sanitizedNameOf({ sanitizedName }: Material | CustomMaterial): string | undefined {
  return typeof sanitizedName === 'string' ? sanitizedName : undefined;
}

function isSameMaterial(one: DeckMaterial, other: DeckMaterial): boolean {
  return (
    one.icru === other.icru &&
    one.densityGcm3 === other.densityGcm3 &&
    one.ionisationEv === other.ionisationEv &&
    one.hasCustomStoppingPower === other.hasCustomStoppingPower
  );
}
