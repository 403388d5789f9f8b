import type { Vector } from '@tally/engine';
import { spendSteps } from '../steps.js';
import type { Body } from './body.js';
import { apply } from './rotation.js';

// found once: these are asked for millions of times
const { abs, hypot, max } = Math;

/** Bodies may touch or overlap by this much and still count as apart, cm: the last digit of a deck is coarser. */
const TOUCH_CM = 1e-9;
/** Cross products shorter than this come from parallel edges and separate nothing. */
const PARALLEL = 1e-9;

/**
 * What is certain about two bodies. `false` means that it is not known, so that an answer only ever shortens a boolean
 * expression and never changes it.
 */
export interface BodyRelations {
  /** No point is inside both. Symmetric. */
  areApart(one: number, other: number): boolean;
  /** Every point of `inner` is inside `outer`. */
  contains(outer: number, inner: number): boolean;
}

/** Answers that have been worked out. */
const UNKNOWN = 0;
const NO = 1;
const YES = 2;

/** Steps of a question that has been worked out, and of one that is: the planes between two bodies, or the corners of one. */
const KNOWN_STEPS = 0.03;
const WORKED_OUT_STEPS = 1;

/** Relations of a list of bodies, by index; each pair is worked out once, when it is asked for. */
export function createBodyRelations(bodies: readonly Body[]): BodyRelations {
  const createTable = (
    decide: (first: Body, second: Body) => boolean,
  ): ((first: number, second: number) => boolean) => {
    const answers = new Uint8Array(bodies.length ** 2);
    return (first, second) => {
      const place = first * bodies.length + second;
      const isKnown = answers[place] !== UNKNOWN;
      spendSteps(isKnown ? KNOWN_STEPS : WORKED_OUT_STEPS);
      if (isKnown) return answers[place] === YES;
      const [one, other] = [bodies[first], bodies[second]];
      const answer = one !== undefined && other !== undefined && decide(one, other);
      answers[place] = answer ? YES : NO;
      return answer;
    };
  };
  const apart = createTable(areApart);
  const containing = createTable(contains);
  return {
    areApart: (one, other) => (one < other ? apart(one, other) : apart(other, one)),
    contains: (outer, inner) => outer === inner || containing(outer, inner),
  };
}

/** Whether a plane separates them: across the line of centres, a face of either, or an edge of each. */
function areApart(one: Body, other: Body): boolean {
  const between = subtract(other.centerCm, one.centerCm);
  const edges = one.axes.flatMap((axis) => other.axes.map((otherAxis) => cross(axis, otherAxis)));
  return [between, ...one.axes, ...other.axes, ...edges].some((direction) => {
    const length = hypot(...direction);
    if (length < PARALLEL) return false;
    const unit: Vector = [direction[0] / length, direction[1] / length, direction[2] / length];
    const gap = abs(dot(between, unit)) - reach(one, unit) - reach(other, unit);
    return gap >= -TOUCH_CM;
  });
}

function contains(outer: Body, inner: Body): boolean {
  const offset = subtract(inner.centerCm, outer.centerCm);
  const { shape } = outer;
  switch (shape.type) {
    case 'sphere':
      return farthestFromCentre(inner, offset) <= shape.radiusCm + TOUCH_CM;
    case 'box':
      return outer.axes.every((axis, index) => staysBetween(inner, offset, axis, (shape.sizeCm[index] ?? 0) / 2));
    case 'cylinder': {
      const [x, y, axis] = outer.axes;
      if (!staysBetween(inner, offset, axis, shape.depthCm / 2)) return false;
      const fromAxis = (point: Vector): number => hypot(dot(point, x), dot(point, y));
      return radialReach(inner, offset, axis, fromAxis) <= shape.radiusCm + TOUCH_CM;
    }
  }
}

function staysBetween(inner: Body, offset: Vector, axis: Vector, half: number): boolean {
  return abs(dot(offset, axis)) + reach(inner, axis) <= half + TOUCH_CM;
}

/** Largest distance of a body from a cylinder's axis; exact for bodies along the axis, never too small for others. */
function radialReach(inner: Body, offset: Vector, axis: Vector, fromAxis: (point: Vector) => number): number {
  const { shape } = inner;
  if (shape.type === 'sphere') return fromAxis(offset) + shape.radiusCm;
  const isAlong = shape.type === 'cylinder' && hypot(...cross(inner.axes[2], axis)) < PARALLEL;
  if (isAlong && shape.type === 'cylinder') return fromAxis(offset) + shape.radiusCm;
  return farthest(inner, fromAxis, offset);
}

/** Largest distance of a body from the point that it is `offset` away from. */
function farthestFromCentre(body: Body, offset: Vector): number {
  const { shape, axes } = body;
  if (shape.type !== 'cylinder') return farthest(body, (point) => hypot(...point), offset);
  const [x, y, z] = apply(axes, offset);
  return hypot(hypot(x, y) + shape.radiusCm, abs(z) + shape.depthCm / 2);
}

/** Largest value of a convex function over a body's corners; a cylinder has those of the box around it. */
function farthest({ shape, axes }: Body, measure: (point: Vector) => number, offset: Vector): number {
  if (shape.type === 'sphere') return measure(offset) + shape.radiusCm;
  const half: Vector =
    shape.type === 'box'
      ? [shape.sizeCm[0] / 2, shape.sizeCm[1] / 2, shape.sizeCm[2] / 2]
      : [shape.radiusCm, shape.radiusCm, shape.depthCm / 2];
  const [xs, ys, zs] = [signed(half[0]), signed(half[1]), signed(half[2])];
  const corners = xs.flatMap((x) => ys.flatMap((y) => zs.map((z): Vector => [x, y, z])));
  return max(...corners.map((corner) => measure(add(offset, fromBodyAxes(axes, corner)))));
}

/** Half the length of a body's shadow on a line. */
function reach({ shape, axes }: Body, direction: Vector): number {
  if (shape.type === 'sphere') return shape.radiusCm;
  const [x, y, z] = apply(axes, direction);
  if (shape.type === 'cylinder') return hypot(x, y) * shape.radiusCm + (abs(z) * shape.depthCm) / 2;
  return (abs(x) * shape.sizeCm[0] + abs(y) * shape.sizeCm[1] + abs(z) * shape.sizeCm[2]) / 2;
}

function fromBodyAxes([x, y, z]: Body['axes'], point: Vector): Vector {
  const along = (axis: 0 | 1 | 2): number => x[axis] * point[0] + y[axis] * point[1] + z[axis] * point[2];
  return [along(0), along(1), along(2)];
}

function signed(half: number): readonly [number, number] {
  return [-half, half];
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function add(one: Vector, other: Vector): Vector {
  return [one[0] + other[0], one[1] + other[1], one[2] + other[2]];
}

function subtract(one: Vector, other: Vector): Vector {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]];
}

function cross(one: Vector, other: Vector): Vector {
  return [
    one[1] * other[2] - one[2] * other[1],
    one[2] * other[0] - one[0] * other[2],
    one[0] * other[1] - one[1] * other[0],
  ];
}
