import type { FigureShape, Vector } from '@tally/engine';
import { apply, type Matrix, multiply } from '../../deck/geometry/rotation.js';

/** Where something's own coordinates lie in those around it: v' = rotation·v + origin, cm. */
export interface Frame {
  readonly origin: Vector;
  readonly rotation: Matrix;
}

/** A solid with its place in the coordinates of the volume that it belongs to. */
export type SolidExpression =
  | { readonly type: 'figure'; readonly name: string; readonly shape: FigureShape; readonly frame: Frame }
  | {
      readonly type: 'union' | 'intersection' | 'subtraction';
      readonly first: SolidExpression;
      readonly second: SolidExpression;
    };

/** A volume of one material that cuts its daughters' space out of its own. */
export interface VolumeTree {
  readonly name: string;
  /** Index into the table of materials; vacuum where absent. */
  readonly material?: number;
  /** A figure is placed by its frame; anything else is in its mother's coordinates. */
  readonly solid: SolidExpression;
  /** In this volume's own coordinates. */
  readonly daughters: readonly VolumeTree[];
  /** Index of the zone that it is; the world zone's is the number of zones. */
  readonly zone?: number;
}

/** `frame` as seen from inside `around`. */
export function relativeFrame(frame: Frame, around: Frame): Frame {
  const inverse = transpose(around.rotation);
  const offset: Vector = [
    frame.origin[0] - around.origin[0],
    frame.origin[1] - around.origin[1],
    frame.origin[2] - around.origin[2],
  ];
  return { origin: apply(inverse, offset), rotation: multiply(inverse, frame.rotation) };
}

/** The inverse of a rotation. */
export function transpose([[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]]: Matrix): Matrix {
  return [
    [xx, yx, zx],
    [xy, yy, zy],
    [xz, yz, zz],
  ];
}
