import { findMaterial } from '@tally/engine';
import type { Figure, FigureGeometry } from '../../src/project/figure.js';
import type { Project } from '../../src/project/project.js';
import type { Zone } from '../../src/project/zone.js';

export type Point = readonly [number, number, number];

/** What is at a point by the project's own words, found without any converter. */
export interface Place {
  /** Index of the zone; the number of zones is the world. */
  readonly zone: number;
  readonly icru: number;
  /** g/cm³. */
  readonly density: number;
}

type Locate = (point: Point) => Place | undefined;

/** Evaluates zones left to right as the editor describes them; `undefined` outside the world. */
export function createProjectLocator(project: Project): Locate {
  return project.project.simulator === 'geant4' ? locateInTree(project) : locateInZones(project);
}

function locateInZones({ figureManager, zoneManager, materialManager }: Project): Locate {
  const figures = new Map(figureManager.figures.map((figure) => [figure.uuid, figure.geometryData]));
  const { zones, worldZone } = zoneManager;
  if (!worldZone?.geometryData) throw new Error('the project has no world figure');
  const world = worldZone.geometryData;
  const materials = [...zones, worldZone].map(({ materialUuid, customMaterial, materialPropertiesOverrides }) => {
    const listed = materialManager.materials.find(({ uuid }) => uuid === materialUuid) ?? customMaterial;
    if (listed === undefined) throw new Error('a zone has no material');
    return { icru: listed.icru, density: materialPropertiesOverrides?.density ?? densityOf(listed.icru) };
  });
  return (point) => {
    if (!isInside(world, point)) return undefined;
    const inside = (uuid: string): boolean => {
      const figure = figures.get(uuid);
      return figure !== undefined && isInside(figure, point);
    };
    const found = zones.findIndex((zone) => isInZone(zone, inside));
    const zone = found === -1 ? zones.length : found;
    return { zone, ...(materials[zone] ?? { icru: -1, density: -1 }) };
  };
}

function isInZone(zone: Zone, inside: (uuid: string) => boolean): boolean {
  return zone.unionOperations.some((term) => {
    let result = false;
    for (const [index, { mode, objectUuid }] of term.entries()) {
      const operand = inside(objectUuid);
      if (index === 0 || mode === 'union') result ||= operand;
      else if (mode === 'intersection') result &&= operand;
      else if (mode === 'subtraction') result &&= !operand;
      else result = operand && !result;
    }
    return result;
  });
}

function locateInTree({ figureManager }: Project): Locate {
  const [world] = figureManager.figures;
  if (world === undefined) throw new Error('the project has no figures');
  const order: Figure[] = [];
  const number = (figure: Figure): void => {
    for (const child of figure.children) {
      number(child);
      order.push(child);
    }
  };
  number(world);
  const descend = (figure: Figure, point: Point): Figure | undefined => {
    if (!isInside(figure.geometryData, point)) return undefined;
    const local = toLocal(figure.geometryData, point);
    for (const child of figure.children) {
      const found = descend(child, local);
      if (found !== undefined) return found;
    }
    return figure;
  };
  return (point) => {
    const figure = descend(world, point);
    if (figure === undefined) return undefined;
    const index = order.indexOf(figure);
    const icru = figure.simulationMaterial?.icru ?? 1000;
    return { zone: index === -1 ? order.length : index, icru, density: densityOf(icru) };
  };
}

/** The table's; 0 of vacuum and the black hole. */
function densityOf(icru: number): number {
  return findMaterial(icru)?.densityGcm3 ?? 0;
}

/** On the surface counts as inside. */
export function isInside(geometry: FigureGeometry, point: Point): boolean {
  const [x, y, z] = toLocal(geometry, point);
  switch (geometry.geometryType) {
    case 'BoxGeometry': {
      const { width, height, depth } = geometry.parameters;
      return Math.abs(x) <= width / 2 && Math.abs(y) <= height / 2 && Math.abs(z) <= depth / 2;
    }
    case 'HollowCylinderGeometry': {
      const { innerRadius, radius, depth } = geometry.parameters;
      const r = Math.sqrt(x * x + y * y);
      return r <= radius && r >= innerRadius && Math.abs(z) <= depth / 2;
    }
    case 'SphereGeometry':
      return x * x + y * y + z * z <= geometry.parameters.radius ** 2;
  }
}

/** Cosine and sine of each angle, backwards; the same figure is asked for at very many points. */
const TURNS = new WeakMap<FigureGeometry, readonly (readonly [cos: number, sin: number])[]>();

function turnsOf(geometry: FigureGeometry): readonly (readonly [cos: number, sin: number])[] {
  const known = TURNS.get(geometry);
  if (known !== undefined) return known;
  const turns = geometry.rotation.map((degrees): readonly [number, number] => {
    const angle = (-degrees * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle)];
  });
  TURNS.set(geometry, turns);
  return turns;
}

/** Undoes Z, then Y, then X: the reverse of how the editor turns a figure. */
function toLocal(geometry: FigureGeometry, point: Point): Point {
  const { position } = geometry;
  const [[cx, sx] = NONE, [cy, sy] = NONE, [cz, sz] = NONE] = turnsOf(geometry);
  let [x, y, z] = [point[0] - position[0], point[1] - position[1], point[2] - position[2]];
  [x, y] = [x * cz - y * sz, x * sz + y * cz];
  [x, z] = [x * cy + z * sy, -x * sy + z * cy];
  [y, z] = [y * cx - z * sx, y * sx + z * cx];
  return [x, y, z];
}

const NONE = [1, 0] as const;
