import type { Vector } from '@tally/engine';
import type { Body } from '../../deck/geometry/body.js';
import { apply, multiply, rotationAngles, transpose } from '../../deck/geometry/rotation.js';
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
