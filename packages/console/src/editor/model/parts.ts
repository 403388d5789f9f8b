import { GEOMETRY_TYPES, matterBounds, roundCm, type Shape } from './bounds.js';
import { recountMaterials, type TableMaterial, withMaterial } from './materials.js';
import { DETECTORS, FIGURES, FILTERS, newUuid, OUTPUTS, ZONES } from './places.js';
import { itemsAt, type JsonObject, listAt, textAt, type Vector, valueAt, vectorAt, withValueAt } from './pointer.js';

/** Colours of new figures, apart for the colour-blind, too. */
const FIGURE_COLORS = [0x56b4e9, 0xe69f00, 0x009e73, 0xcc79a7, 0x0072b2, 0xd55e00];

/** A name that nothing in the list has. */
export function freeName(project: JsonObject, list: string, wanted: string): string {
  const names = new Set(itemsAt(project, list).map(({ value }) => textAt(value, '/name')));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}_${number}`;
    if (!names.has(name)) return name;
  }
}

/** A change of a project, and the part that it was about. */
export interface Added {
  readonly project: JsonObject;
  readonly pointer: string;
}

function append(project: JsonObject, list: string, item: JsonObject): Added {
  const before = valueAt(project, list);
  const index = Array.isArray(before) ? before.length : 0;
  const whole = Array.isArray(before) ? project : withValueAt(project, list, []);
  return { project: withValueAt(whole, `${list}/-`, item), pointer: `${list}/${index}` };
}

/** What figures, zones, the world and meshes have in common. */
export function newFigure(
  name: string,
  shape: Shape,
  parameters: JsonObject,
  position: Vector,
  color: number,
): JsonObject {
  const types = { box: 'BoxFigure', cylinder: 'HollowCylinderFigure', sphere: 'SphereFigure' };
  return {
    name,
    type: types[shape],
    uuid: newUuid(),
    visible: true,
    geometryData: { geometryType: GEOMETRY_TYPES[shape], position, rotation: [0, 0, 0], parameters },
    colorHex: color,
    userData: {},
  };
}

/** A zone of one figure. */
export function newZone(name: string, figureUuid: string, materialUuid: string): JsonObject {
  return {
    uuid: newUuid(),
    name,
    type: 'BooleanZone',
    visible: true,
    materialUuid,
    materialPropertiesOverrides: {},
    unionOperations: [[{ mode: 'union', objectUuid: figureUuid }]],
    subscribedObjects: { [figureUuid]: 1 },
  };
}

const SIZES: Readonly<Record<Shape, JsonObject>> = {
  box: { width: 2, height: 2, depth: 2 },
  cylinder: { innerRadius: 0, radius: 1, depth: 2 },
  sphere: { radius: 1 },
};

/**
 * A figure in the middle of what is there, and a zone of it that comes first: where zones overlap, the first has the
 * space.
 */
export function addFigure(project: JsonObject, shape: Shape, isHollow: boolean, material: TableMaterial): Added {
  const { lower, upper } = matterBounds(project);
  const middle = (axis: 0 | 1 | 2) => roundCm((lower[axis] + upper[axis]) / 2);
  const wanted = isHollow ? 'Tube' : { box: 'Box', cylinder: 'Cylinder', sphere: 'Sphere' }[shape];
  const name = freeName(project, FIGURES, wanted);
  const parameters = isHollow ? { ...SIZES.cylinder, innerRadius: 0.5 } : SIZES[shape];
  const color = FIGURE_COLORS[itemsAt(project, FIGURES).length % FIGURE_COLORS.length] ?? 0x888888;
  const figure = newFigure(name, shape, parameters, [middle(0), middle(1), middle(2)], color);
  const added = append(project, FIGURES, figure);
  return { ...added, project: addZoneOf(added.project, textAt(figure, '/uuid'), name, material) };
}

/** A zone of a figure before all others. */
export function addZoneOf(project: JsonObject, figureUuid: string, name: string, material: TableMaterial): JsonObject {
  const { project: listed, uuid } = withMaterial(project, material);
  const zone = newZone(freeName(listed, ZONES, name), figureUuid, uuid);
  return recountMaterials(withValueAt(listed, ZONES, [zone, ...listAt(listed, ZONES)]));
}

export const DETECTOR_KINDS = ['depth', 'profile', 'plane', 'mesh', 'cylinder', 'zone', 'all'] as const;
export type DetectorKind = (typeof DETECTOR_KINDS)[number];

/** Size along the axis of bins that are one, cm: wide enough for the beam, or as thin as a chamber. */
const PROFILE_DEPTH_CM = 0.2;

/** Axes across a beam along z. */
type Frame = { readonly start: Vector; readonly lower: Vector; readonly upper: Vector };

function frameOf(project: JsonObject): Frame {
  return { start: vectorAt(project, '/beam/position'), ...matterBounds(project) };
}

/** Where a detector of a kind is of use first: along the beam, over all matter. Detectors stand along the axes. */
export function detectorGeometry(project: JsonObject, kind: DetectorKind): JsonObject {
  const { start, lower, upper } = frameOf(project);
  const depth = roundCm(upper[2] - lower[2]);
  const center = roundCm((upper[2] + lower[2]) / 2);
  const width = roundCm(upper[0] - lower[0]);
  const height = roundCm(upper[1] - lower[1]);
  const at = (z: number): Vector => [start[0], start[1], z];
  const mesh = (position: Vector, size: Vector, segments: Vector): JsonObject => ({
    geometryType: 'Mesh',
    position,
    rotation: [0, 0, 0],
    parameters: {
      width: size[0],
      height: size[1],
      depth: size[2],
      xSegments: segments[0],
      ySegments: segments[1],
      zSegments: segments[2],
    },
  });
  const bins = Math.min(1000, Math.max(10, Math.round(depth / 0.1)));
  switch (kind) {
    case 'depth':
      return mesh(
        [roundCm((lower[0] + upper[0]) / 2), roundCm((lower[1] + upper[1]) / 2), center],
        [width, height, depth],
        [1, 1, bins],
      );
    case 'profile':
      return mesh(
        at(roundCm(lower[2] + Math.min(10, depth / 2))),
        [Math.min(width, 10), Math.min(height, 10), PROFILE_DEPTH_CM],
        [100, 1, 1],
      );
    case 'plane':
      return mesh(at(center), [Math.min(width, 6), 0.2, depth], [60, 1, Math.min(300, bins)]);
    case 'mesh':
      return mesh(at(center), [Math.min(width, 6), Math.min(height, 6), depth], [30, 30, Math.min(100, bins)]);
    case 'cylinder':
      return {
        geometryType: 'Cyl',
        position: at(center),
        rotation: [0, 0, 0],
        parameters: {
          innerRadius: 0,
          radius: Math.min(width, height, 10) / 2,
          depth,
          radialSegments: 1,
          zSegments: bins,
        },
      };
    case 'zone':
      return {
        geometryType: 'Zone',
        position: [0, 0, 0],
        rotation: [0, 0, 0],
        parameters: { zoneUuid: textAt(project, `${ZONES}/0/uuid`) },
      };
    case 'all':
      return { geometryType: 'All', position: [0, 0, 0], rotation: [0, 0, 0], parameters: {} };
  }
}

const DETECTOR_NAMES: Readonly<Record<DetectorKind, string>> = {
  depth: 'Depth',
  profile: 'Lateral_profile',
  plane: 'Plane',
  mesh: 'Mesh',
  cylinder: 'Cylinder',
  zone: 'In_zone',
  all: 'Everywhere',
};

/** A detector, and an output that scores dose in it. */
export function addDetector(project: JsonObject, kind: DetectorKind): Added {
  const name = freeName(project, DETECTORS, DETECTOR_NAMES[kind]);
  const uuid = newUuid();
  const geometryData = detectorGeometry(project, kind);
  const added = append(project, DETECTORS, {
    name,
    uuid,
    type: 'Detector',
    visible: true,
    geometryData,
    colorHex: 65535,
  });
  return { ...added, project: addOutput(added.project, uuid, name).project };
}

/** An output of a detector with dose, or with energy where there is no one volume. */
export function addOutput(project: JsonObject, detectorUuid: string, name: string): Added {
  return append(project, OUTPUTS, {
    name: freeName(project, OUTPUTS, name.toLowerCase()),
    type: 'Output',
    uuid: newUuid(),
    quantities: [newQuantity('Dose', 'Dose')],
    detectorUuid,
    trace: false,
  });
}

export function newQuantity(keyword: string, name: string): JsonObject {
  return { name, type: 'Quantity', uuid: newUuid(), keyword, modifiers: [] };
}

/** A quantity for an output, under a name of its own. */
export function addQuantity(project: JsonObject, output: string, keyword: string): Added {
  const list = `${output}/quantities`;
  return append(project, list, newQuantity(keyword, freeName(project, list, keyword)));
}

/** The project with another quantity at a pointer; a name that nobody has typed goes by it. */
export function chooseQuantity(project: JsonObject, pointer: string, keyword: string): JsonObject {
  const [name, before] = [textAt(project, `${pointer}/name`), textAt(project, `${pointer}/keyword`)];
  const changed = withValueAt(project, `${pointer}/keyword`, keyword);
  const isTyped = name !== before && name.replace(/_\d+$/, '') !== before;
  if (isTyped) return changed;
  return withValueAt(changed, `${pointer}/name`, freeName(changed, pointer.replace(/\/\d+$/, ''), keyword));
}

/** A filter that lets protons through, to be changed. */
export function addFilter(project: JsonObject): Added {
  return append(project, FILTERS, {
    uuid: newUuid(),
    name: freeName(project, FILTERS, 'Protons'),
    type: 'Filter',
    rules: [
      { uuid: newUuid(), keyword: 'Z', operator: '==', value: 1 },
      { uuid: newUuid(), keyword: 'A', operator: '==', value: 1 },
    ],
  });
}

const LISTS_OF_ITEM = /^(.*)\/(\d+)$/;

/** A copy of a part behind it, under a name and a uuid of its own; a figure’s stands beside it, with its zones. */
export function copyPart(project: JsonObject, pointer: string): Added {
  const [, list = '', place = ''] = LISTS_OF_ITEM.exec(pointer) ?? [];
  const part = valueAt(project, pointer);
  const items = listAt(project, list);
  if (typeof part !== 'object' || part === null) return { project, pointer };
  const index = Number(place) + 1;
  const uuid = newUuid();
  let copy: unknown = withValueAt(structuredClone(part), '/uuid', uuid);
  copy = withValueAt(copy, '/name', freeName(project, list, `${textAt(part, '/name')}_copy`));
  if (list === OUTPUTS) copy = withNewUuids(copy);
  if (list === FIGURES) {
    const width = textAt(part, '/geometryData/geometryType').includes('Box') ? 'width' : 'radius';
    const size = Number(valueAt(part, `/geometryData/parameters/${width}`)) * (width === 'radius' ? 2 : 1);
    const x = vectorAt(part, '/geometryData/position')[0];
    copy = withValueAt(copy, '/geometryData/position/0', roundCm(x + (Number.isFinite(size) ? size : 1)));
  }
  const copied = withValueAt(project, list, [...items.slice(0, index), copy, ...items.slice(index)]);
  const added = { project: copied, pointer: `${list}/${index}` };
  return list === FIGURES ? { ...added, project: copyZones(copied, textAt(part, '/uuid'), uuid) } : added;
}

/** Quantities are found by their uuids. */
function withNewUuids(output: unknown): unknown {
  return itemsAt(output, '/quantities').reduce<unknown>(
    (changed, { pointer }) => withValueAt(changed, `${pointer}/uuid`, newUuid()),
    output,
  );
}

/** Zones that are made of one figure alone, for its copy. */
function copyZones(project: JsonObject, from: string, to: string): JsonObject {
  const copies = itemsAt(project, ZONES).flatMap(({ value }): JsonObject[] => {
    const terms = valueAt(value, '/unionOperations');
    if (!Array.isArray(terms) || terms.length !== 1 || textAt(terms, '/0/0/objectUuid') !== from) return [];
    if (valueAt(terms, '/0/1') !== undefined) return [];
    const name = freeName(project, ZONES, `${textAt(value, '/name')}_copy`);
    return [
      {
        ...value,
        uuid: newUuid(),
        name,
        unionOperations: [[{ mode: 'union', objectUuid: to }]],
        subscribedObjects: { [to]: 1 },
      },
    ];
  });
  if (copies.length === 0) return project;
  return recountMaterials(withValueAt(project, ZONES, [...copies, ...listAt(project, ZONES)]));
}

/** The project with an item of a list at another place of it. */
export function moveItem(project: JsonObject, list: string, from: number, to: number): JsonObject {
  const items = listAt(project, list);
  if (to < 0 || to >= items.length) return project;
  const moved = items.toSpliced(from, 1);
  return withValueAt(project, list, moved.toSpliced(to, 0, items[from]));
}
