import { MATERIALS, newUuid, WORLD, ZONES } from './places.js';
import { isObject, itemsAt, type JsonObject, textAt, valueAt, withValueAt } from './pointer.js';

/** A material of the table that every simulator here knows, by its ICRU id. */
export interface TableMaterial {
  readonly icru: number;
  /** Words, as they are shown. */
  readonly label: string;
  /** Name of the field's editor. */
  readonly name: string;
  readonly sanitizedName: string;
  /** g/cm³ */
  readonly density: number;
  /** Mass fractions by charge number, in words. */
  readonly composition: string;
}

export const WATER = 276;
export const VACUUM = 1000;

/** Colours of the field's editor for the materials that are used most, by ICRU id. */
const COLORS: ReadonlyMap<number, number> = new Map([
  [276, 0x3a7bd5],
  [104, 0xb0c4de],
  [119, 0xe8dcc0],
  [120, 0xe8dcc0],
  [223, 0xb28dd6],
  [1000, 0xb4bdc6],
  [0, 0x202020],
]);
/** For the others, apart for the colour-blind too (Okabe and Ito). */
const OTHER_COLORS = [0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7];

/** The colour of a material that has none of its own. */
export const colorOf = (icru: number): number =>
  COLORS.get(icru) ?? OTHER_COLORS[icru % OTHER_COLORS.length] ?? 0x888888;

/** A material of the table as an item of a project's list. */
export function newMaterial({ icru, name, sanitizedName, density }: TableMaterial): JsonObject {
  return {
    uuid: newUuid(),
    name,
    sanitizedName,
    icru,
    density,
    transparent: false,
    opacity: 0.2,
    color: colorOf(icru),
  };
}

/** The project with this material in its list, and the material's uuid. */
export function withMaterial(project: JsonObject, material: TableMaterial): { project: JsonObject; uuid: string } {
  const known = itemsAt(project, MATERIALS).find(({ value }) => value.icru === material.icru);
  const uuid = known === undefined ? '' : textAt(known.value, '/uuid');
  if (uuid !== '') return { project, uuid };
  const added = newMaterial(material);
  return { project: withValueAt(project, `${MATERIALS}/-`, added), uuid: textAt(added, '/uuid') };
}

/** The project with a material for the zone, world or quantity at a pointer; overrides of the one before go. */
export function chooseMaterial(project: JsonObject, owner: string, material: TableMaterial): JsonObject {
  const { project: listed, uuid } = withMaterial(project, material);
  let changed = withValueAt(listed, `${owner}/materialUuid`, uuid);
  changed = withValueAt(changed, `${owner}/customMaterial`, undefined);
  if (isObject(valueAt(changed, `${owner}/materialPropertiesOverrides`)))
    changed = withValueAt(changed, `${owner}/materialPropertiesOverrides`, {});
  return recountMaterials(changed);
}

/** The uses that the field's editor counts beside its list, where they are there. */
export function recountMaterials(project: JsonObject): JsonObject {
  const pointer = '/materialManager/selectedMaterials';
  if (!isObject(valueAt(project, pointer))) return project;
  const counts: Record<string, number> = {};
  const owners = [...itemsAt(project, ZONES).map(({ value }) => value), valueAt(project, WORLD)];
  for (const owner of owners) {
    const uuid = textAt(owner, '/materialUuid');
    if (uuid !== '') counts[uuid] = (counts[uuid] ?? 0) + 1;
  }
  return withValueAt(project, pointer, counts);
}

/** The material of a zone, the world or a quantity, in the project's list. */
export function materialOf(project: JsonObject, owner: unknown): JsonObject | undefined {
  const custom = valueAt(owner, '/customMaterial');
  const uuid = textAt(owner, '/materialUuid');
  const listed = itemsAt(project, MATERIALS).find(({ value }) => value.uuid === uuid);
  return listed?.value ?? (isObject(custom) ? custom : undefined);
}
