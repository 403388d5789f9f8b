import type { Vector } from '@tally/engine';
import type { Body } from '../../deck/geometry/body.js';
import type { BodyTerm } from '../../deck/geometry/body-term.js';
import { spendSteps } from '../../deck/steps.js';

/** Axes are parallel when the sine of their angle is less, and lines fall together when they are nearer, cm. */
const SAME = 1e-9;

/** What a body has from `lower` to `upper` along a line, seen from another body's centre. */
interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** Bodies, the added ones last, and every union of terms with those in place of what they are made of. */
export interface MergedTerms {
  readonly bodies: readonly Body[];
  readonly regions: readonly (readonly BodyTerm[])[];
}

/**
 * Puts one body in the place of any two that a term is inside of, where their common space is a box or a cylinder
 * again: boxes along the same axes, cylinders on one line, a cylinder cut by the ends of a box.
 */
export function mergeTerms(bodies: readonly Body[], regions: readonly (readonly BodyTerm[])[]): MergedTerms {
  const all = [...bodies];
  const known = new Map<string, number | undefined>();
  const mergePair = (one: number, other: number): number | undefined => {
    const key = `${Math.min(one, other)} ${Math.max(one, other)}`;
    if (known.has(key)) return known.get(key);
    const [first, second] = [all[one], all[other]];
    const common = first === undefined || second === undefined ? undefined : intersectBodies(first, second);
    const index = common === undefined ? undefined : all.push(common) - 1;
    known.set(key, index);
    return index;
  };
  const mergeInside = (inside: readonly number[]): readonly number[] => {
    for (const [position, one] of inside.entries()) {
      for (const other of inside.slice(position + 1)) {
        spendSteps();
        const merged = mergePair(one, other);
        if (merged !== undefined) {
          return mergeInside([...inside.filter((body) => body !== one && body !== other), merged]);
        }
      }
    }
    return inside;
  };
  const merged = regions.map((terms) => terms.map((term) => ({ ...term, inside: mergeInside(term.inside) })));
  return { bodies: all, regions: merged };
}

/** The common space of two bodies as one; `undefined` when it is none of the shapes, or nothing. */
export function intersectBodies(one: Body, other: Body): Body | undefined {
  if (one.shape.type === 'box' && other.shape.type === 'box') return intersectBoxes(one, other);
  if (one.shape.type === 'cylinder' && other.shape.type === 'cylinder') return intersectCylinders(one, other);
  if (one.shape.type === 'cylinder' && other.shape.type === 'box') return cutCylinder(one, other);
  if (one.shape.type === 'box' && other.shape.type === 'cylinder') return cutCylinder(other, one);
  return undefined;
}

function intersectBoxes(one: Body, other: Body): Body | undefined {
  const intervals = one.axes.map((axis, index) => {
    const theirs = boxInterval(one, other, axis);
    const half = one.shape.type === 'box' ? (one.shape.sizeCm[index] ?? 0) / 2 : 0;
    return theirs === undefined ? undefined : overlap({ lower: -half, upper: half }, theirs);
  });
  const [x, y, z] = intervals;
  if (x === undefined || y === undefined || z === undefined) return undefined;
  const shape = { type: 'box', sizeCm: [x.upper - x.lower, y.upper - y.lower, z.upper - z.lower] } as const;
  return { ...describeCommon(one, other), shape, centerCm: pointAt(one, [middle(x), middle(y), middle(z)]) };
}

function intersectCylinders(one: Body, other: Body): Body | undefined {
  if (one.shape.type !== 'cylinder' || other.shape.type !== 'cylinder') return undefined;
  const [x, y, axis] = one.axes;
  const offset = subtract(other.centerCm, one.centerCm);
  if (!areParallel(axis, other.axes[2]) || Math.hypot(dot(offset, x), dot(offset, y)) > SAME) return undefined;
  const along = dot(offset, axis);
  const half = other.shape.depthCm / 2;
  const theirs = { lower: along - half, upper: along + half };
  return shorten(one, other, Math.min(one.shape.radiusCm, other.shape.radiusCm), theirs);
}

/** A cylinder inside the sides of a box, shortened to its ends. */
function cutCylinder(cylinder: Body, box: Body): Body | undefined {
  if (cylinder.shape.type !== 'cylinder' || box.shape.type !== 'box') return undefined;
  const { radiusCm } = cylinder.shape;
  const { sizeCm } = box.shape;
  const offset = subtract(cylinder.centerCm, box.centerCm);
  const isInsideSides = box.axes.every(
    (axis, index) =>
      areParallel(axis, cylinder.axes[2]) || Math.abs(dot(offset, axis)) + radiusCm <= (sizeCm[index] ?? 0) / 2 + SAME,
  );
  const ends = boxInterval(cylinder, box, cylinder.axes[2]);
  return isInsideSides && ends !== undefined ? shorten(cylinder, box, radiusCm, ends) : undefined;
}

function shorten(cylinder: Body, other: Body, radiusCm: number, ends: Interval): Body | undefined {
  const half = cylinder.shape.type === 'cylinder' ? cylinder.shape.depthCm / 2 : 0;
  const common = overlap({ lower: -half, upper: half }, ends);
  if (common === undefined) return undefined;
  const shape = { type: 'cylinder', radiusCm, depthCm: common.upper - common.lower } as const;
  return { ...describeCommon(cylinder, other), shape, centerCm: pointAt(cylinder, [0, 0, middle(common)]) };
}

/** Where a box begins and ends along a direction parallel to one of its axes, seen from a body's centre. */
function boxInterval(from: Body, box: Body, direction: Vector): Interval | undefined {
  const index = box.axes.findIndex((axis) => areParallel(axis, direction));
  if (index === -1 || box.shape.type !== 'box') return undefined;
  const along = dot(subtract(box.centerCm, from.centerCm), direction);
  const half = (box.shape.sizeCm[index] ?? 0) / 2;
  return { lower: along - half, upper: along + half };
}

function overlap(one: Interval, other: Interval): Interval | undefined {
  const lower = Math.max(one.lower, other.lower);
  const upper = Math.min(one.upper, other.upper);
  return lower < upper ? { lower, upper } : undefined;
}

function describeCommon(one: Body, other: Body): Omit<Body, 'shape' | 'centerCm'> {
  const { axes, rotationDeg } = one;
  return { name: `${one.name} in ${other.name}`, isHole: false, axes, rotationDeg };
}

function middle({ lower, upper }: Interval): number {
  return (lower + upper) / 2;
}

function pointAt({ centerCm, axes: [x, y, z] }: Body, local: Vector): Vector {
  const along = (axis: 0 | 1 | 2): number =>
    centerCm[axis] + x[axis] * local[0] + y[axis] * local[1] + z[axis] * local[2];
  return [along(0), along(1), along(2)];
}

function areParallel(one: Vector, other: Vector): boolean {
  const x = one[1] * other[2] - one[2] * other[1];
  const y = one[2] * other[0] - one[0] * other[2];
  const z = one[0] * other[1] - one[1] * other[0];
  return Math.hypot(x, y, z) <= SAME;
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function subtract(one: Vector, other: Vector): Vector {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}
