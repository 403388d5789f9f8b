import { describe, expect, it } from '@jest/globals';
import type { Figure, FigureShape, Vector } from '@tally/engine';
import fc from 'fast-check';
import { type Body, isInsideBody, listBodies } from './body.js';
import { createBodyRelations } from './body-relations.js';

function figure(shape: FigureShape, centerCm: Vector = [0, 0, 0], rotationDeg: Vector = [0, 0, 0]): Figure {
  return { name: 'figure', shape, centerCm, rotationDeg };
}

function box(width: number, height: number, depth: number): FigureShape {
  return { type: 'box', sizeCm: [width, height, depth] };
}

function cylinder(radiusCm: number, depthCm: number, innerRadiusCm = 0): FigureShape {
  return { type: 'cylinder', innerRadiusCm, radiusCm, depthCm };
}

function sphere(radiusCm: number): FigureShape {
  return { type: 'sphere', radiusCm };
}

function relate(...figures: Figure[]): { contains: boolean; areApart: boolean } {
  const relations = createBodyRelations(listBodies(figures).bodies);
  return { contains: relations.contains(0, 1), areApart: relations.areApart(0, 1) };
}

describe('relations of two bodies', () => {
  it.each([
    ['a box that fits', figure(box(4, 4, 4)), figure(box(4, 2, 1), [0, 1, 1.5])],
    ['a box turned inside a sphere', figure(sphere(3)), figure(box(3, 3, 3), [0, 0, 0], [20, 40, 60])],
    ['a cylinder of the same radius', figure(cylinder(5, 20)), figure(cylinder(5, 4), [0, 0, 8])],
    ['a sphere in a lying cylinder', figure(cylinder(2, 10), [0, 0, 0], [0, 90, 0]), figure(sphere(2), [3, 0, 0])],
    ['a cylinder in a box', figure(box(4, 4, 4)), figure(cylinder(2, 4))],
  ])('%s is contained', (_name, outer, inner) => expect(relate(outer, inner).contains).toBe(true));

  it.each([
    ['boxes that touch', figure(box(2, 2, 2)), figure(box(2, 2, 2), [2, 0, 0])],
    ['spheres beside each other', figure(sphere(1)), figure(sphere(1), [1.5, 1.5, 0])],
    ['a box turned past a corner', figure(box(2, 2, 2)), figure(box(2, 2, 2), [2, 2, 0], [0, 0, 45])],
    ['boxes with crossed edges', figure(box(10, 1, 1)), figure(box(10, 1, 1), [0, 0, 1.5], [45, 0, 90])],
  ])('%s are apart', (_name, one, other) => expect(relate(one, other).areApart).toBe(true));

  it.each([
    ['boxes that cut each other', figure(box(2, 2, 2)), figure(box(2, 2, 2), [1, 1, 1])],
    ['a box that is too long', figure(sphere(3)), figure(box(1, 1, 7))],
  ])('%s are neither', (_name, one, other) => {
    expect(relate(one, other)).toEqual({ contains: false, areApart: false });
  });

  it('are never claimed of random bodies that a point disproves', () => {
    const size = fc.double({ min: 0.1, max: 5, noNaN: true });
    const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
    const vector = fc.tuple(coordinate, coordinate, coordinate);
    const angle = fc.constantFrom(0, 30, 45, 90, 137);
    const shape = fc.oneof(
      fc.tuple(size, size, size).map(([x, y, z]) => box(x, y, z)),
      fc.tuple(size, size).map(([radius, depth]) => cylinder(radius, depth)),
      size.map(sphere),
    );
    const made = fc.tuple(shape, vector, fc.tuple(angle, angle, angle)).map((parts) => figure(...parts));
    const points = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(made, made, points, (one, other, sampled) => {
        const { bodies } = listBodies([one, other]);
        const [first, second] = bodies as [Body, Body];
        const relations = createBodyRelations(bodies);
        for (const point of sampled) {
          const [inFirst, inSecond] = [isInsideBody(first, point), isInsideBody(second, point)];
          if (relations.areApart(0, 1)) expect(inFirst && inSecond).toBe(false);
          if (relations.contains(0, 1)) expect(inSecond && !inFirst).toBe(false);
        }
      }),
    );
  });
});

describe('a hollow cylinder', () => {
  it('is a body and the body of its hole', () => {
    const { bodies, figureBodies } = listBodies([figure(cylinder(4, 10, 2)), figure(sphere(1))]);
    expect(figureBodies).toEqual([{ outer: 0, hole: 1 }, { outer: 2 }]);
    expect(bodies.map(({ isHole, shape }) => [isHole, shape])).toEqual([
      [false, { type: 'cylinder', radiusCm: 4, depthCm: 10 }],
      [true, { type: 'cylinder', radiusCm: 2, depthCm: 10 }],
      [false, { type: 'sphere', radiusCm: 1 }],
    ]);
  });
});
