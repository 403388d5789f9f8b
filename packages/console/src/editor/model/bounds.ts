import { FIGURES, WORLD } from './places.js';
import {
  type Item,
  itemsAt,
  type JsonObject,
  numberAt,
  textAt,
  type Vector,
  valueAt,
  vectorAt,
  withValueAt,
} from './pointer.js';

export type Shape = 'box' | 'cylinder' | 'sphere';

/** Names of the field's editor for the kinds of geometry. */
export const GEOMETRY_TYPES: Readonly<Record<Shape, string>> = {
  box: 'BoxGeometry',
  cylinder: 'HollowCylinderGeometry',
  sphere: 'SphereGeometry',
};

/** What a figure is; a cylinder also under the older names of the field's editor. */
export function shapeOf(figure: unknown): Shape {
  const type = textAt(figure, '/geometryData/geometryType');
  if (type.includes('Sphere')) return 'sphere';
  return type.includes('yli') ? 'cylinder' : 'box';
}

/** Lower and upper end along x, y and z, cm. */
export interface Bounds {
  readonly lower: Vector;
  readonly upper: Vector;
}

/** v' = Rz·Ry·Rx·v, degrees: the rows of the matrix. */
export function rotationRows([a, b, c]: Vector): readonly [Vector, Vector, Vector] {
  const radians = Math.PI / 180;
  const [sa, ca] = [Math.sin(a * radians), Math.cos(a * radians)];
  const [sb, cb] = [Math.sin(b * radians), Math.cos(b * radians)];
  const [sc, cc] = [Math.sin(c * radians), Math.cos(c * radians)];
  return [
    [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
    [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
    [-sb, cb * sa, cb * ca],
  ];
}

/** The box along the axes around a figure or the world, cm. */
export function boundsOf(figure: unknown): Bounds {
  const center = vectorAt(figure, '/geometryData/position');
  const size = (name: string) => Math.abs(numberAt(figure, `/geometryData/parameters/${name}`));
  const radius = size('radius');
  const shape = shapeOf(figure);
  const half = rotationRows(vectorAt(figure, '/geometryData/rotation')).map(([x, y, z]) => {
    if (shape === 'sphere') return radius;
    if (shape === 'cylinder') return Math.hypot(x, y) * radius + (Math.abs(z) * size('depth')) / 2;
    return (Math.abs(x) * size('width') + Math.abs(y) * size('height') + Math.abs(z) * size('depth')) / 2;
  });
  const at = (axis: 0 | 1 | 2, sign: number) => roundCm(center[axis] + sign * (half[axis] ?? 0));
  return { lower: [at(0, -1), at(1, -1), at(2, -1)], upper: [at(0, 1), at(1, 1), at(2, 1)] };
}

/** Without the digits that are nobody's: to a nanometre. */
export const roundCm = (cm: number): number => Math.round(cm * 1e7) / 1e7;

/** Figures of a project. */
export const figuresOf = (project: JsonObject): Item[] => itemsAt(project, FIGURES);

/** The box around all figures; of a project without any, that of its world, or 10 cm. */
export function matterBounds(project: JsonObject): Bounds {
  const all = figuresOf(project).map(({ value }) => boundsOf(value));
  if (all.length === 0) {
    return valueAt(project, `${WORLD}/geometryData`) === undefined
      ? { lower: [-5, -5, 0], upper: [5, 5, 10] }
      : boundsOf(valueAt(project, WORLD));
  }
  const pick = (axis: 0 | 1 | 2, side: 'lower' | 'upper') => {
    const ends = all.map((one) => one[side][axis]);
    return side === 'lower' ? Math.min(...ends) : Math.max(...ends);
  };
  return {
    lower: [pick(0, 'lower'), pick(1, 'lower'), pick(2, 'lower')],
    upper: [pick(0, 'upper'), pick(1, 'upper'), pick(2, 'upper')],
  };
}

/** How much of the world lies around what grows in it, cm. */
const WORLD_MARGIN_CM = 1;

/** The project with a world that also holds all figures, where its world is a box with a size of its own. */
export function withRoom(project: JsonObject): JsonObject {
  const world = valueAt(project, WORLD);
  const isBox = shapeOf(world) === 'box' && numberAt(world, '/geometryData/parameters/depth') > 0;
  if (valueAt(world, '/geometryData') === undefined || !isBox || figuresOf(project).length === 0) return project;
  const now = boundsOf(world);
  const matter = matterBounds(project);
  const axes = [0, 1, 2] as const;
  const ends = axes.map((axis) => ({
    lower: matter.lower[axis] < now.lower[axis] ? matter.lower[axis] - WORLD_MARGIN_CM : now.lower[axis],
    upper: matter.upper[axis] > now.upper[axis] ? matter.upper[axis] + WORLD_MARGIN_CM : now.upper[axis],
  }));
  if (ends.every(({ lower, upper }, i) => lower === now.lower[i] && upper === now.upper[i])) return project;
  const sizes = ['width', 'height', 'depth'];
  return ends.reduce((changed, { lower, upper }, i) => {
    const moved = withValueAt(changed, `${WORLD}/geometryData/position/${i}`, roundCm((lower + upper) / 2));
    return withValueAt(moved, `${WORLD}/geometryData/parameters/${sizes[i] ?? ''}`, roundCm(upper - lower));
  }, project);
}
