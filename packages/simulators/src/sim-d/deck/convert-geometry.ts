import type { ConversionReport } from '../../deck/conversion-report.js';
import type { Body, BodyShape } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import type { ConvertedGeometry } from '../../deck/geometry/converted-geometry.js';
import type { BodyGeometry } from '../../deck/geometry/zone-terms.js';
import type { NameTable } from '../../deck/name-table.js';
import { type Component, placeComponents } from './component-tree.js';
import type { ConvertedMaterials } from './convert-materials.js';
import { findDecisionList } from './decision-list.js';
import type { FillTable } from './fill-table.js';
import { type Frame, placementLines } from './frame.js';
import { mergeTerms } from './intersect-bodies.js';
import { dimensioned, flag, text, texts } from './parameter.js';

/** Parallel worlds that the simulator's navigators reach: sixteen, less the mass world and one for each scored detector. */
export const PARALLEL_WORLDS_MAX = 14;

/** The project's geometry as components, before materials have names. */
export interface ComponentGeometry {
  readonly bodies: readonly Body[];
  /** First in the list lies under what comes later. */
  readonly components: readonly Component[];
  /** Fill of the space that no component takes. */
  readonly background: number;
  /** The figure of the world, whose frame the deck is in. */
  readonly world: Body;
}

/**
 * Finds components that make the same zones. Figures that cannot be put inside or over each other so that every zone
 * comes out are refused.
 */
export function placeGeometry(
  geometry: ConvertedGeometry,
  resolved: BodyGeometry,
  fills: FillTable,
  report: ConversionReport,
): ComponentGeometry | undefined {
  const worldIndex = resolved.figureBodies[geometry.world.figure];
  const world = resolved.bodies[worldIndex?.outer ?? 0];
  if (worldIndex === undefined || world === undefined) return undefined;
  if (worldIndex.hole !== undefined) {
    report.refuse(report.originOf(`/figures/${geometry.world.figure}`), 'a hollow world is not supported');
    return undefined;
  }
  const { bodies, regions } = mergeTerms(resolved.bodies, [...resolved.zones, resolved.world]);
  const relations = createBodyRelations(bodies);
  const terms = regions.flatMap((region, zone) => region.map((term) => ({ term, fill: fills.ofZone(zone) })));
  const background = fills.ofZone(geometry.zones.length);
  const placeable = [...bodies.keys()].filter(
    (body) => body !== worldIndex.outer && relations.contains(worldIndex.outer, body),
  );
  const list = findDecisionList(terms, placeable, background, relations);
  if (list === undefined) {
    report.refuse('/zoneManager/zones', 'figures cut each other so that no nesting of bodies makes the same zones');
    return undefined;
  }
  // A box is the simulator's own world; any other figure stands inside one of vacuum, out of which nothing comes back.
  const isBox = world.shape.type === 'box';
  const layers = isBox ? list.layers : [...list.layers, { body: worldIndex.outer, fill: list.background }];
  const components = placeComponents(layers, isBox ? list.background : undefined, relations);
  return { bodies, world, background: list.background, components };
}

/** The world and its components, and which parallel worlds have materials of their own. */
export function convertGeometry(
  { bodies, components, background, world }: ComponentGeometry,
  materials: ConvertedMaterials,
  vacuum: string,
  names: NameTable,
): string[] {
  const isBox = world.shape.type === 'box';
  const named = components.map((component, index) => ({
    component,
    name: names.claim(`component ${index}`, bodies[component.body]?.name ?? ''),
  }));
  const worlds = Math.max(0, ...components.map((component) => component.world));
  const lines = named.flatMap(({ component, name }) => {
    const body = bodies[component.body];
    if (body === undefined) return [];
    const parent = component.parent === undefined ? undefined : named[component.parent];
    return [
      '',
      ...shapeLines(name, body.shape),
      text(`Ge/${name}/Parent`, parent?.name ?? 'World'),
      text(`Ge/${name}/Material`, materials.nameOfFill(component.fill)),
      ...placementLines(name, body, bodies[parent?.component.body ?? -1] ?? world),
      ...(component.world === 0 ? [] : parallelLines(name, worldName(component.world))),
    ];
  });
  return [
    ...worldLines(world, isBox ? materials.nameOfFill(background) : vacuum),
    ...lines,
    ...(worlds === 0
      ? []
      : [
          '',
          texts(
            'Ph/Default/LayeredMassGeometryWorlds',
            Array.from({ length: worlds }, (_, index) => worldName(index + 1)),
          ),
        ]),
  ];
}

/** The world's figure, or the box around it, at the origin. */
function worldLines({ shape }: Body, material: string): string[] {
  return [...shapeLines('World', boxAround(shape)), text('Ge/World/Material', material)];
}

/** The smallest box around a shape, along its own axes. */
export function boxAround(shape: BodyShape): BodyShape & { readonly type: 'box' } {
  switch (shape.type) {
    case 'box':
      return shape;
    case 'cylinder':
      return { type: 'box', sizeCm: [2 * shape.radiusCm, 2 * shape.radiusCm, shape.depthCm] };
    case 'sphere':
      return { type: 'box', sizeCm: [2 * shape.radiusCm, 2 * shape.radiusCm, 2 * shape.radiusCm] };
  }
}

/** Type and size of a component; sizes are half lengths. */
export function shapeLines(name: string, shape: BodyShape, innerRadiusCm = 0): string[] {
  const path = `Ge/${name}`;
  switch (shape.type) {
    case 'box':
      return [
        text(`${path}/Type`, 'TsBox'),
        ...shape.sizeCm.map((size, axis) => dimensioned(`${path}/HL${'XYZ'[axis]}`, size / 2, 'cm')),
      ];
    case 'cylinder':
      return [
        text(`${path}/Type`, 'TsCylinder'),
        dimensioned(`${path}/RMin`, innerRadiusCm, 'cm'),
        dimensioned(`${path}/RMax`, shape.radiusCm, 'cm'),
        dimensioned(`${path}/HL`, shape.depthCm / 2, 'cm'),
        dimensioned(`${path}/SPhi`, 0, 'deg'),
        dimensioned(`${path}/DPhi`, 360, 'deg'),
      ];
    case 'sphere':
      return [
        text(`${path}/Type`, 'TsSphere'),
        dimensioned(`${path}/RMin`, 0, 'cm'),
        dimensioned(`${path}/RMax`, shape.radiusCm, 'cm'),
        dimensioned(`${path}/SPhi`, 0, 'deg'),
        dimensioned(`${path}/DPhi`, 360, 'deg'),
        dimensioned(`${path}/STheta`, 0, 'deg'),
        dimensioned(`${path}/DTheta`, 180, 'deg'),
      ];
  }
}

/** Makes a component part of a parallel world. */
export function parallelLines(name: string, world: string): string[] {
  return [flag(`Ge/${name}/IsParallel`, true), text(`Ge/${name}/ParallelWorldName`, world)];
}

/** The frame that the deck is in. */
export function worldFrame({ world: { centerCm, axes } }: ComponentGeometry): Frame {
  return { centerCm, axes };
}

function worldName(number: number): string {
  return `Layer${number}`;
}
