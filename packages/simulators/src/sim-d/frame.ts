import type { Vector } from '@tally/engine';
import type { Body } from '../deck/body.js';
import { apply, multiply, rotationAngles, transpose } from '../deck/rotation.js';
import { dimensioned } from './parameter.js';

/** Where something's own coordinates lie in the laboratory: origin, cm, and unit vectors of x, y and z. */
export interface Frame {
  readonly centerCm: Vector;
  readonly axes: Body['axes'];
}

/** Smaller angles are rounding. */
const ANGLE_MIN_DEG = 1e-10;

/** `TransX` … `RotZ` of a component inside a parent. The simulator's rotations turn the axes, not the body. */
export function placementLines(component: string, frame: Frame, parent: Frame): string[] {
  const { centerCm: center, axes } = frame;
  const { centerCm: origin } = parent;
  const offset: Vector = [center[0] - origin[0], center[1] - origin[1], center[2] - origin[2]];
  const [x, y, z] = apply(parent.axes, offset);
  const angles = rotationAngles(multiply(axes, transpose(parent.axes)));
  return [
    dimensioned(`Ge/${component}/TransX`, x, 'cm'),
    dimensioned(`Ge/${component}/TransY`, y, 'cm'),
    dimensioned(`Ge/${component}/TransZ`, z, 'cm'),
    ...angles.flatMap((angle, axis) =>
      Math.abs(angle) < ANGLE_MIN_DEG ? [] : [dimensioned(`Ge/${component}/Rot${'XYZ'[axis]}`, angle, 'deg')],
    ),
  ];
}

/** The frame of a beam: z along its direction, x and y turned with it by the shortest way. */
export function beamFrame(centerCm: Vector, direction: Vector): Frame {
  const [u, v, w] = normalise(direction);
  const across = u * u + v * v;
  if (w < 0 && across === 0) {
    return {
      centerCm,
      axes: [
        [-1, 0, 0],
        [0, 1, 0],
        [0, 0, -1],
      ],
    };
  }
  const k = w < 0 ? (1 - w) / across : 1 / (1 + w); // the same number; near w = -1 the latter has no digits left
  return {
    centerCm,
    axes: [
      [1 - u * u * k, -u * v * k, -u],
      [-u * v * k, 1 - v * v * k, -v],
      [u, v, w],
    ],
  };
}

/** The largest component first becomes one: squares of tiny components would vanish. */
function normalise([x, y, z]: Vector): Vector {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const length = Math.hypot(x / largest, y / largest, z / largest);
  return [x / largest / length, y / largest / length, z / largest / length];
}
