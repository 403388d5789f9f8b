import type { Figure, Vector } from '@tally/engine';
import type { ConvertedGeometry } from './converted-geometry.js';

import { rotationMatrix } from './rotation.js';

/** Smallest and largest x, y and z, cm. */
export type Limits = readonly [readonly [number, number], readonly [number, number], readonly [number, number]];

/** The box along the axes around the world's figure. */
export function findWorldLimits({ figures, world }: ConvertedGeometry): Limits {
  const figure = figures[world.figure];
  if (figure === undefined) throw new Error('a geometry has a world');
  return findFigureLimits(figure);
}

/** The box along the axes around a figure. */
export function findFigureLimits(figure: Figure): Limits {
  const half = halfExtent(figure);
  const limit = (axis: 0 | 1 | 2): readonly [number, number] => [
    figure.centerCm[axis] - half[axis],
    figure.centerCm[axis] + half[axis],
  ];
  return [limit(0), limit(1), limit(2)];
}

function halfExtent({ shape, rotationDeg }: Figure): Vector {
  if (shape.type === 'sphere') return [shape.radiusCm, shape.radiusCm, shape.radiusCm];
  const reach = ([x, y, z]: Vector): number => {
    if (shape.type === 'cylinder') return Math.hypot(x, y) * shape.radiusCm + (Math.abs(z) * shape.depthCm) / 2;
    return (Math.abs(x) * shape.sizeCm[0] + Math.abs(y) * shape.sizeCm[1] + Math.abs(z) * shape.sizeCm[2]) / 2;
  };
  const [first, second, third] = rotationMatrix(rotationDeg);
  return [reach(first), reach(second), reach(third)];
}
