import type { Vector } from '@tally/engine';

/** A vector of length one in the same direction; no component is −0, which decks would show. */
export function unitVector([x, y, z]: Vector): Vector {
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z)); // squares of tiny components would vanish
  const length = Math.hypot(x / largest, y / largest, z / largest);
  return [x / largest / length + 0, y / largest / length + 0, z / largest / length + 0];
}

/**
 * Unit vectors across a beam and along it: z is turned into its direction by the shortest way, x and y with it. Exactly
 * backwards, where there is no shortest way, about y.
 */
export function beamAxes(direction: Vector): readonly [x: Vector, y: Vector, z: Vector] {
  const along = unitVector(direction);
  const [u, v, w] = along;
  const across = u * u + v * v;
  if (w < 0 && across === 0) {
    return [
      [-1, 0, 0],
      [0, 1, 0],
      [0, 0, -1],
    ];
  }
  const k = w < 0 ? (1 - w) / across : 1 / (1 + w); // the same number; near w = -1 the latter has no digits left
  const mixed = 0 - u * v * k;
  return [[1 - u * u * k, mixed, 0 - u], [mixed, 1 - v * v * k, 0 - v], along];
}
