import type { Figure, Vector } from '@tally/engine';
import { apply, rotationMatrix, transpose } from './rotation.js';

/** A solid convex body, as combinatorial geometries have them: nothing is hollow. Lengths cm. */
export type BodyShape =
  | { readonly type: 'box'; readonly sizeCm: Vector }
  /** Axis along z before rotation. */
  | { readonly type: 'cylinder'; readonly radiusCm: number; readonly depthCm: number }
  | { readonly type: 'sphere'; readonly radiusCm: number };

export interface Body {
  /** Name of the figure that it is, or is the hole of. */
  readonly name: string;
  readonly isHole: boolean;
  readonly shape: BodyShape;
  readonly centerCm: Vector;
  /** Unit vectors of the body's own x, y and z. */
  readonly axes: readonly [Vector, Vector, Vector];
  readonly rotationDeg: Vector;
}

/** A figure as bodies: the space inside `outer` and outside `hole`. Indices into the list of bodies. */
export interface FigureBodies {
  readonly outer: number;
  readonly hole?: number;
}

/** Every figure's body, and after a hollow cylinder's the body of its hole; figures keep their order. */
export function listBodies(figures: readonly Figure[]): { bodies: Body[]; figureBodies: FigureBodies[] } {
  const bodies: Body[] = [];
  const figureBodies = figures.map((figure): FigureBodies => {
    const outer = bodies.push(toBody(figure, solidShape(figure), false)) - 1;
    const { shape } = figure;
    if (shape.type !== 'cylinder' || shape.innerRadiusCm === 0) return { outer };
    const hole: BodyShape = { type: 'cylinder', radiusCm: shape.innerRadiusCm, depthCm: shape.depthCm };
    return { outer, hole: bodies.push(toBody(figure, hole, true)) - 1 };
  });
  return { bodies, figureBodies };
}

/** The figure's body grown by `marginCm` on every side. */
export function enlargeBody(body: Body, marginCm: number): Body {
  return { ...body, shape: enlargeShape(body.shape, marginCm) };
}

/** Whether a point is inside the body or on its surface. */
export function isInsideBody({ shape, centerCm, axes }: Body, point: Vector): boolean {
  const offset: Vector = [point[0] - centerCm[0], point[1] - centerCm[1], point[2] - centerCm[2]];
  const [x, y, z] = apply(axes, offset);
  switch (shape.type) {
    case 'box':
      return [x, y, z].every((coordinate, axis) => Math.abs(coordinate) <= (shape.sizeCm[axis] ?? 0) / 2);
    case 'cylinder':
      return Math.hypot(x, y) <= shape.radiusCm && Math.abs(z) <= shape.depthCm / 2;
    case 'sphere':
      return Math.hypot(x, y, z) <= shape.radiusCm;
  }
}

function toBody(figure: Figure, shape: BodyShape, isHole: boolean): Body {
  const { name, centerCm, rotationDeg } = figure;
  return { name, isHole, shape, centerCm, rotationDeg, axes: transpose(rotationMatrix(rotationDeg)) };
}

function solidShape({ shape }: Figure): BodyShape {
  return shape.type === 'cylinder' ? { type: 'cylinder', radiusCm: shape.radiusCm, depthCm: shape.depthCm } : shape;
}

function enlargeShape(shape: BodyShape, margin: number): BodyShape {
  switch (shape.type) {
    case 'box': {
      const [width, height, depth] = shape.sizeCm;
      return { type: 'box', sizeCm: [width + 2 * margin, height + 2 * margin, depth + 2 * margin] };
    }
    case 'cylinder':
      return { type: 'cylinder', radiusCm: shape.radiusCm + margin, depthCm: shape.depthCm + 2 * margin };
    case 'sphere':
      return { type: 'sphere', radiusCm: shape.radiusCm + margin };
  }
}
