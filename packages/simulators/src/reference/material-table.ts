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

/** The problem's list of materials while it grows: equal materials share one place. */
export interface MaterialTable {
  readonly materials: readonly EngineMaterial[];
  /** Index of the material that a zone, world or quantity at `path` of the project is made of. */
  place(choice: MaterialChoice, path: string): number;
  /** The same for a figure of a Geant4 project; without a material it is vacuum. */
  placeSimulationMaterial(material: SimulationMaterial | undefined, path: string): number;
}

type MaterialProperties = Pick<Material, 'name' | 'icru' | 'density' | 'averageIonisationPotential'>;

/** Black hole and vacuum. */
const WITHOUT_DENSITY = [0, 1000];
const VACUUM: EngineMaterial = { name: 'vacuum', icru: 1000 };

export function createMaterialTable(project: Project, report: ConversionReport): MaterialTable {
  const materials: EngineMaterial[] = [];
  const byUuid = new Map(project.materialManager.materials.map((material) => [material.uuid, material]));

  const add = (material: EngineMaterial, path: string): number => {
    const known = materials.findIndex((other) => isSameMaterial(other, material));
    if (known !== -1) return known;
    materials.push(material);
    report.trace(`/materials/${materials.length - 1}`, path);
    return materials.length - 1;
  };

  /** Densities of the project win over the library's; matter without density (vacuum, black hole) has none to give. */
  const describe = (material: MaterialProperties, path: string): EngineMaterial => {
    const { name, icru, density, averageIonisationPotential: ionisationEv } = material;
    if (density === 0 && !WITHOUT_DENSITY.includes(icru))
      report.refuse(path, `the density of "${name}" must be more than 0`);
    return {
      name,
      icru,
      ...(density > 0 ? { densityGcm3: density } : {}),
      ...(ionisationEv === undefined ? {} : { ionisationEv }),
    };
  };

  return {
    materials,
    place(choice, path) {
      const base = findMaterial(choice, byUuid);
      // readProject lets no reference through that resolves to nothing.
      if (base === undefined) throw new Error(`no material for ${path}`);
      const overrides = choice.materialPropertiesOverrides;
      if (overrides?.customStoppingPower ?? base.customStoppingPower) warnOfStoppingPower(base, project, report);
      const material = {
        name: base.name,
        icru: base.icru,
        density: overrides?.density ?? base.density,
        averageIonisationPotential: overrides?.averageIonisationPotential ?? base.averageIonisationPotential,
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

function warnOfStoppingPower(material: Material | CustomMaterial, project: Project, report: ConversionReport): void {
  const table = project.physic.stoppingPowerTable;
  report.warn(
    'STOPPING_POWER_FILE_UNUSED',
    `the engine uses its own stopping powers (${table}) of "${material.name}" instead of the attached file`,
  );
}

function isSameMaterial(one: EngineMaterial, other: EngineMaterial): boolean {
  return one.icru === other.icru && one.densityGcm3 === other.densityGcm3 && one.ionisationEv === other.ionisationEv;
}
