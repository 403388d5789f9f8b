import type { Vector } from '@tally/engine';

/** 3×3, row by row. */
export type Matrix = readonly [Vector, Vector, Vector];

const RADIANS_PER_DEGREE = Math.PI / 180;
/** Below this cosine of the middle angle the other two turn about one axis, and only their sum is known. */
const GIMBAL_LOCK_COSINE = 1e-9;

export const IDENTITY: Matrix = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Rotation about fixed X, then Y, then Z: Rz·Ry·Rx, right-handed; angles in degrees. */
export function rotationMatrix([degX, degY, degZ]: Vector): Matrix {
  const [sinX, cosX] = sinCos(degX);
  const [sinY, cosY] = sinCos(degY);
  const [sinZ, cosZ] = sinCos(degZ);
  return [
    [cosZ * cosY, cosZ * sinY * sinX - sinZ * cosX, cosZ * sinY * cosX + sinZ * sinX],
    [sinZ * cosY, sinZ * sinY * sinX + cosZ * cosX, sinZ * sinY * cosX - cosZ * sinX],
    [-sinY, cosY * sinX, cosY * cosX],
  ];
}

/** The angles, degrees, that {@link rotationMatrix} makes this matrix of. */
export function rotationAngles([[xx, xy], [yx, yy], [zx, zy, zz]]: Matrix): Vector {
  const cosY = Math.hypot(xx, yx);
  const degY = Math.atan2(-zx, cosY) / RADIANS_PER_DEGREE;
  if (cosY < GIMBAL_LOCK_COSINE) return [0, degY, Math.atan2(-xy, yy) / RADIANS_PER_DEGREE];
  return [Math.atan2(zy, zz) / RADIANS_PER_DEGREE, degY, Math.atan2(yx, xx) / RADIANS_PER_DEGREE];
}

/** The matrix that first does `inner`, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const row = (line: Vector): Vector => [
    line[0] * inner[0][0] + line[1] * inner[1][0] + line[2] * inner[2][0],
    line[0] * inner[0][1] + line[1] * inner[1][1] + line[2] * inner[2][1],
    line[0] * inner[0][2] + line[1] * inner[1][2] + line[2] * inner[2][2],
  ];
  return [row(outer[0]), row(outer[1]), row(outer[2])];
}

/** The matrix that undoes a rotation. */
export function transpose([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]: Matrix): Matrix {
  return [
    [xx, yx, zx],
    [xy, yy, zy],
    [xz, yz, zz],
  ];
}

export function apply(matrix: Matrix, vector: Vector): Vector {
  const dot = (line: Vector): number => line[0] * vector[0] + line[1] * vector[1] + line[2] * vector[2];
  return [dot(matrix[0]), dot(matrix[1]), dot(matrix[2])];
}

/** Quarter turns come out exact: they are what users type. */
function sinCos(degrees: number): [sine: number, cosine: number] {
  const quarters = degrees / 90;
  if (!Number.isInteger(quarters))
    return [Math.sin(degrees * RADIANS_PER_DEGREE), Math.cos(degrees * RADIANS_PER_DEGREE)];
  const turn = ((quarters % 4) + 4) % 4;
  const sine = turn === 1 ? 1 : turn === 3 ? -1 : 0;
  const cosine = turn === 0 ? 1 : turn === 2 ? -1 : 0;
  return [sine, cosine];
}
