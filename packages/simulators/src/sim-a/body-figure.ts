import type { Figure, Vector } from '@tally/engine';
import { type Matrix, rotationAngles, transpose } from '../deck/geometry/rotation.js';
import { GEOMETRY_FILE } from './deck-files.js';
import type { DeckFaults } from './deck-reader.js';

/** A body as `geo.dat` has it. */
export interface FileBody {
  readonly line: number;
  readonly code: string;
  readonly number: number;
  readonly values: readonly number[];
}

/** Edges of a box whose angle is off by more are not square. */
const SQUARE_COSINE = 1e-6;

/** The figure that a body is; the rotation of a cylinder is one of the many that turn z into its axis. */
export function toFigure(body: FileBody, faults: DeckFaults): Figure {
  const { code, number, values, line } = body;
  const name = `body ${number}`;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0] = values;
  const counts: Readonly<Record<string, number>> = { BOX: 12, RPP: 6, RCC: 7, SPH: 4 };
  const count = counts[code];
  if (count === undefined)
    faults.refuse(GEOMETRY_FILE, line, `the body ${code} is not supported by the built-in engine`);
  else if (values.length !== count) faults.refuse(GEOMETRY_FILE, line, `${code} must have ${count} numbers`);
  switch (code) {
    case 'BOX':
      return toBox(name, body, faults);
    case 'RPP':
      return {
        name,
        shape: { type: 'box', sizeCm: [b - a, d - c, f - e] },
        centerCm: [(a + b) / 2, (c + d) / 2, (e + f) / 2],
        rotationDeg: [0, 0, 0],
      };
    case 'RCC':
      return {
        name,
        shape: { type: 'cylinder', innerRadiusCm: 0, radiusCm: g, depthCm: Math.hypot(d, e, f) },
        centerCm: [a + d / 2, b + e / 2, c + f / 2],
        rotationDeg: axisAngles([d, e, f]),
      };
    default:
      return { name, shape: { type: 'sphere', radiusCm: d }, centerCm: [a, b, c], rotationDeg: [0, 0, 0] };
  }
}

function toBox(name: string, { values, line }: FileBody, faults: DeckFaults): Figure {
  const at = (first: number): Vector => [values[first] ?? 0, values[first + 1] ?? 0, values[first + 2] ?? 0];
  const [corner, ...edges] = [at(0), at(3), at(6), at(9)];
  const [x, y, z] = [edges[0] ?? corner, edges[1] ?? corner, edges[2] ?? corner];
  const sizes: Vector = [Math.hypot(...x), Math.hypot(...y), Math.hypot(...z)];
  const [ux, uy, uz] = [scale(x, 1 / sizes[0]), scale(y, 1 / sizes[1]), scale(z, 1 / sizes[2])];
  if (Math.max(Math.abs(dot(ux, uy)), Math.abs(dot(ux, uz)), Math.abs(dot(uy, uz))) > SQUARE_COSINE) {
    faults.refuse(GEOMETRY_FILE, line, 'the edges of a BOX must be perpendicular');
  }
  // a box is the same with one edge reversed: its axes must be right-handed
  const isRightHanded = dot(cross(ux, uy), uz) > 0;
  const axes: Matrix = [ux, uy, isRightHanded ? uz : scale(uz, -1)];
  return {
    name,
    shape: { type: 'box', sizeCm: sizes },
    centerCm: [0, 1, 2].map(
      (axis) => (corner[axis] ?? 0) + ((x[axis] ?? 0) + (y[axis] ?? 0) + (z[axis] ?? 0)) / 2,
    ) as unknown as Vector,
    rotationDeg: rotationAngles(transpose(axes)),
  };
}

/** Turns z into a direction, or into its reverse: a cylinder has no front. */
function axisAngles([x, y, z]: Vector): Vector {
  if (x === 0 && y === 0) return [0, 0, 0];
  const degrees = 180 / Math.PI;
  return [0, Math.atan2(Math.hypot(x, y), z) * degrees, Math.atan2(y, x) * degrees];
}

function scale([x, y, z]: Vector, factor: number): Vector {
  return [x * factor, y * factor, z * factor];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function cross(one: Vector, other: Vector): Vector {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}
