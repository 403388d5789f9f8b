import { describe, expect, it } from '@jest/globals';
import type { FigureShape, Vector } from '@tally/engine';
import { type Body, listBodies } from '../../deck/geometry/body.js';
import { createBodyRelations } from '../../deck/geometry/body-relations.js';
import { placeComponents } from './component-tree.js';
import { findDecisionList } from './decision-list.js';
import { intersectBodies } from './intersect-bodies.js';

function body(shape: FigureShape, centerCm: Vector = [0, 0, 0], rotationDeg: Vector = [0, 0, 0]): Body {
  const [made] = listBodies([{ name: 'body', shape, centerCm, rotationDeg }]).bodies;
  if (made === undefined) throw new Error('no body');
  return made;
}

function box(size: number): FigureShape {
  return { type: 'box', sizeCm: [size, size, size] };
}

function cylinder(radiusCm: number, depthCm: number): FigureShape {
  return { type: 'cylinder', innerRadiusCm: 0, radiusCm, depthCm };
}

describe('common space of two bodies', () => {
  it('of boxes along the same axes is a box', () => {
    expect(intersectBodies(body(box(4)), body(box(4), [3, 1, 0], [90, 0, 0]))).toMatchObject({
      shape: { type: 'box', sizeCm: [1, 3, 4] },
      centerCm: [1.5, 0.5, 0],
    });
  });

  it('of cylinders on one line is a cylinder', () => {
    const [one, other] = [body(cylinder(3, 10), [0, 0, 0], [0, 90, 0]), body(cylinder(2, 4), [4, 0, 0], [0, -90, 0])];
    expect(intersectBodies(one, other)?.shape).toEqual({ type: 'cylinder', radiusCm: 2, depthCm: 3 });
    expect(intersectBodies(one, other)?.centerCm[0]).toBeCloseTo(3.5, 12);
  });

  it('of a cylinder and the ends of a box is a shorter cylinder', () => {
    expect(intersectBodies(body(box(6), [0, 0, 3]), body(cylinder(3, 10)))).toMatchObject({
      shape: { type: 'cylinder', radiusCm: 3, depthCm: 5 },
      centerCm: [0, 0, 2.5],
    });
  });

  it.each([
    ['boxes turned against each other', body(box(4)), body(box(4), [1, 0, 0], [0, 0, 30])],
    ['boxes beside each other', body(box(4)), body(box(4), [5, 0, 0])],
    ['cylinders beside each other', body(cylinder(2, 4)), body(cylinder(2, 4), [1, 0, 0])],
    ['a cylinder through the side of a box', body(box(4)), body(cylinder(1, 4), [1.5, 0, 0])],
    ['a sphere and a box', body({ type: 'sphere', radiusCm: 2 }), body(box(3))],
  ])('of %s is not one', (_name, one, other) => expect(intersectBodies(one, other)).toBeUndefined());
});

describe('components', () => {
  it('go inside what contains them, and over what they cut in a parallel world', () => {
    const bodies = [body(box(20)), body(box(10)), body(box(2)), body(box(4), [5, 0, 0]), body(box(1), [5, 0, 0])];
    const layers = [4, 3, 2, 1].map((index) => ({ body: index, fill: index }));
    expect(placeComponents(layers, 0, createBodyRelations(bodies))).toEqual([
      { body: 1, fill: 1, world: 0 },
      { body: 2, fill: 2, world: 0, parent: 0 },
      { body: 3, fill: 3, world: 1 },
      { body: 4, fill: 4, world: 2 },
    ]);
  });

  it('leave out bodies under others, and of what they are put into', () => {
    const bodies = [body(box(20)), body(box(10)), body(box(2)), body(box(1))];
    const layers = [
      { body: 1, fill: 1 },
      { body: 2, fill: 2 },
    ];
    expect(placeComponents(layers, 0, createBodyRelations(bodies))).toEqual([{ body: 1, fill: 1, world: 0 }]);
    const same = [
      { body: 3, fill: 2 },
      { body: 2, fill: 1 },
      { body: 1, fill: 1 },
    ];
    expect(placeComponents(same, 0, createBodyRelations(bodies))).toEqual([
      { body: 1, fill: 1, world: 0 },
      { body: 3, fill: 2, world: 0, parent: 0 },
    ]);
  });
});

describe('decision list', () => {
  const bodies = [body(box(20)), body(box(4)), body(box(4), [2, 0, 0])];
  const relations = createBodyRelations(bodies);

  it('says a zone less another figure by putting that figure over it', () => {
    const terms = [
      { term: { inside: [1], outside: [2] }, fill: 1 },
      { term: { inside: [0], outside: [1] }, fill: 0 },
      { term: { inside: [1, 2], outside: [] }, fill: 0 },
    ];
    expect(findDecisionList(terms, [1, 2], 0, relations)).toEqual({
      layers: [
        { body: 2, fill: 0 },
        { body: 1, fill: 1 },
      ],
      background: 0,
    });
  });

  it('is not found for what is inside exactly one of two figures that cut each other', () => {
    const terms = [
      { term: { inside: [1], outside: [2] }, fill: 1 },
      { term: { inside: [2], outside: [1] }, fill: 1 },
      { term: { inside: [1, 2], outside: [] }, fill: 0 },
      { term: { inside: [0], outside: [1, 2] }, fill: 0 },
    ];
    expect(findDecisionList(terms, [1, 2], 0, relations)).toBeUndefined();
  });
});
