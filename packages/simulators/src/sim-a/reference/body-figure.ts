import type { Figure, Vector } from '@tally/engine';
import { type Matrix, rotationAngles, transpose } from '../../deck/geometry/rotation.js';
import { GEOMETRY_FILE } from '../deck-files.js';
import type { DeckFaults } from './deck-reader.js';

/** A body as `geo.dat` has it. */
export interface FileBody {
  readonly line: number;
  readonly code: string;
  readonly number: number;
  readonly values: readonly number[];
}

/** Edges of a box whose angle is off by more are not square: what ten columns keep of edges of 1 cm, with room. */
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
  const [corner, x, y, z] = [at(0), at(3), at(6), at(9)];
  const sizes: Vector = [Math.hypot(...x), Math.hypot(...y), Math.hypot(...z)];
  if (!isSquare(x, y) || !isSquare(y, z) || !isSquare(z, x)) {
    faults.refuse(GEOMETRY_FILE, line, 'the edges of a BOX must be perpendicular');
  }
  const axes = squareAxes([x, y, z], sizes);
  return {
    name,
    shape: { type: 'box', sizeCm: sizes },
    centerCm: [0, 1, 2].map(
      (axis) => (corner[axis] ?? 0) + ((x[axis] ?? 0) + (y[axis] ?? 0) + (z[axis] ?? 0)) / 2,
    ) as unknown as Vector,
    rotationDeg: rotationAngles(transpose(axes)),
  };
}

function isSquare(one: Vector, other: Vector): boolean {
  const [length, otherLength] = [Math.hypot(...one), Math.hypot(...other)];
  return Math.abs(dot(one, other)) <= SQUARE_COSINE * (length * otherLength + length + otherLength);
}

/** Right-handed axes: a box is the same with one edge reversed. Longer edges tell directions better than shorter ones. */
function squareAxes(edges: readonly [Vector, Vector, Vector], sizes: Vector): Matrix {
  const axes: [Vector, Vector, Vector] = [...edges];
  const [first, second, third] = ([0, 1, 2] as const).toSorted((one, other) => sizes[other] - sizes[one]) as [0, 1, 2];
  const u = scale(edges[first], 1 / sizes[first]);
  const along = dot(edges[second], u);
  const across = edges[second].map((value, axis) => value - along * (u[axis] ?? 0)) as unknown as Vector;
  const v = scale(across, 1 / Math.hypot(...across));
  const isCyclic = (first + 1) % 3 === second;
  [axes[first], axes[second], axes[third]] = [u, v, isCyclic ? cross(u, v) : cross(v, u)];
  return axes;
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
