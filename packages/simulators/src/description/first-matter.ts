import { BLACK_HOLE_ICRU, type Figure, type TransportProblem, type Vector, type Zone } from '@tally/engine';
import { apply, rotationMatrix, transpose } from '../deck/geometry/rotation.js';
import { densityOf, GAS_DENSITY_MAX } from '../deck/material-density.js';

/** Nearer crossings are one. */
const TOLERANCE_CM = 1e-9;

type AxisIndex = 0 | 1 | 2;
const ALL_AXES: readonly AxisIndex[] = [0, 1, 2];

/**
 * How far from the start of the beam its axis meets the first matter that is no gas, cm; 0: it starts in some. Undefined: it meets none.
 * The axis may cross the figures of a problem in any order; between two crossings its material is one.
 */
export function findFirstMatter(problem: TransportProblem): number | undefined {
  const { positionCm: from, direction } = problem.beam;
  const length = Math.hypot(...direction);
  const [dx, dy, dz] = direction;
  const along: Vector = [dx / length, dy / length, dz / length];
  const crossings = problem.figures
    .flatMap((figure) => crossingsOf(figure, from, along))
    .filter((place) => place > TOLERANCE_CM)
    .toSorted((a, b) => a - b);
  const places = [0, ...crossings];
  for (const [index, place] of places.entries()) {
    const next = places[index + 1] ?? place + 1;
    if (next - place < TOLERANCE_CM) continue;
    const middle = (place + next) / 2;
    const at: Vector = [from[0] + middle * along[0], from[1] + middle * along[1], from[2] + middle * along[2]];
    if (isMatter(problem, at)) return place;
  }
  return undefined;
}

function isMatter(problem: TransportProblem, at: Vector): boolean {
  const { figures, zones, world, materials } = problem;
  const around = figures[world.figure];
  if (around === undefined || !isInside(around, at)) return false;
  const index =
    zones.find(({ terms }) => terms.some((term) => isInTerm(term, figures, at)))?.material ?? world.material;
  const material = materials[index];
  if (material === undefined || material.icru === BLACK_HOLE_ICRU) return false;
  return (densityOf(material) ?? 0) > GAS_DENSITY_MAX;
}

/** A term is evaluated left to right. */
function isInTerm(term: Zone['terms'][number], figures: readonly Figure[], at: Vector): boolean {
  return term.reduce((isIn, { mode, figure: index }, place) => {
    const figure = figures[index];
    const isInThis = figure !== undefined && isInside(figure, at);
    if (place === 0) return isInThis;
    switch (mode) {
      case 'union':
        return isIn || isInThis;
      case 'intersection':
        return isIn && isInThis;
      case 'subtraction':
        return isIn && !isInThis;
      case 'reverse-subtraction':
        return isInThis && !isIn;
    }
  }, false);
}

/** A place in the frame of a figure. */
function toLocal({ centerCm, rotationDeg }: Figure, [x, y, z]: Vector): Vector {
  return apply(transpose(rotationMatrix(rotationDeg)), [x - centerCm[0], y - centerCm[1], z - centerCm[2]]);
}

function isInside(figure: Figure, at: Vector): boolean {
  const [x, y, z] = toLocal(figure, at);
  const { shape } = figure;
  switch (shape.type) {
    case 'box': {
      const [width, height, depth] = shape.sizeCm;
      return Math.abs(x) <= width / 2 && Math.abs(y) <= height / 2 && Math.abs(z) <= depth / 2;
    }
    case 'cylinder': {
      const radius = Math.hypot(x, y);
      return Math.abs(z) <= shape.depthCm / 2 && radius >= shape.innerRadiusCm && radius <= shape.radiusCm;
    }
    case 'sphere':
      return Math.hypot(x, y, z) <= shape.radiusCm;
  }
}

/** Where the line of a ray crosses the planes and surfaces of a figure; some of them may lie outside of it. */
function crossingsOf(figure: Figure, from: Vector, along: Vector): number[] {
  const { shape } = figure;
  const start = toLocal(figure, from);
  const direction = toLocal({ ...figure, centerCm: [0, 0, 0] }, along);
  const planes = (axis: AxisIndex, half: number) =>
    direction[axis] === 0 ? [] : [half, -half].map((place) => (place - start[axis]) / direction[axis]);
  const rounds = (radius: number, axes: readonly AxisIndex[]) => {
    const sum = (term: (axis: AxisIndex) => number) => axes.reduce<number>((total, axis) => total + term(axis), 0);
    const a = sum((axis) => direction[axis] ** 2);
    const b = sum((axis) => start[axis] * direction[axis]);
    const root = b * b - a * (sum((axis) => start[axis] ** 2) - radius * radius);
    return a === 0 || root < 0 ? [] : [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
  };
  switch (shape.type) {
    case 'box':
      return ALL_AXES.flatMap((axis) => planes(axis, shape.sizeCm[axis] / 2));
    case 'cylinder':
      return [
        ...planes(2, shape.depthCm / 2),
        ...rounds(shape.radiusCm, [0, 1]),
        ...rounds(shape.innerRadiusCm, [0, 1]),
      ];
    case 'sphere':
      return rounds(shape.radiusCm, ALL_AXES);
  }
}
