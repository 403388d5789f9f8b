import { describe, expect, it } from '@jest/globals';

import { PHYSICS, tank } from '../../test/water-tank.js';
import type { BooleanMode, Figure, FigureShape, TransportProblem, Vector, Zone } from '../problem/problem.js';
import { loadTransportModule, setupCalls } from './setup-calls.js';

const WORLD: Figure = {
  name: 'world',
  shape: { type: 'sphere', radiusCm: 20 },
  centerCm: [0, 0, 0],
  rotationDeg: [0, 0, 0],
};

function figure(shape: FigureShape, centerCm: Vector = [0, 0, 0], rotationDeg: Vector = [0, 0, 0]): Figure {
  return { name: shape.type, shape, centerCm, rotationDeg };
}

const BOX = figure({ type: 'box', sizeCm: [4, 6, 8] });
const TUBE = figure({ type: 'cylinder', innerRadiusCm: 1, radiusCm: 3, depthCm: 8 });
const ROD = figure({ type: 'cylinder', innerRadiusCm: 0, radiusCm: 3, depthCm: 8 });
const BALL = figure({ type: 'sphere', radiusCm: 3 });

type Term = readonly (readonly [BooleanMode, number])[];

function zone(...terms: Term[]): Zone {
  return {
    name: 'zone',
    material: 0,
    terms: terms.map((term) => term.map(([mode, index]) => ({ mode, figure: index }))),
  };
}

function geometry(figures: readonly Figure[], zones: readonly Zone[] = [zone([['union', 0]])]) {
  const problem: TransportProblem = {
    ...tank(),
    physics: PHYSICS,
    figures: [...figures, WORLD],
    zones,
    world: { figure: figures.length, material: 1 },
    detectors: [],
    outputs: [],
  };
  return loadTransportModule(setupCalls(problem));
}

/** Park–Miller numbers: a fixed sequence of points. */
function points(seed = 12345): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

describe('point location', () => {
  it.each([
    ['box', BOX, 4 * 6 * 8],
    ['tube', TUBE, Math.PI * (9 - 1) * 8],
    ['sphere', BALL, (4 / 3) * Math.PI * 27],
    ['turned tube', figure(TUBE.shape, [1, -1, 0.5], [30, 50, 70]), Math.PI * (9 - 1) * 8],
  ])('finds the volume of a %s', (_name, shape, volume) => {
    const module = geometry([shape]);
    const next = points();
    const n = 100000;
    let hits = 0;
    for (let i = 0; i < n; i++) {
      const [x, y, z] = [14 * next() - 7, 14 * next() - 7, 14 * next() - 7];
      if (module.call('locate', x, y, z) === 0) hits++;
    }
    const share = volume / 14 ** 3;
    expect(Math.abs(hits / n - share)).toBeLessThan(3 * Math.sqrt((share * (1 - share)) / n));
  });

  it('obeys the four boolean modes from left to right, and joins terms', () => {
    const ball = figure({ type: 'sphere', radiusCm: 3 }, [2, 0, 0]);
    const modes = [
      zone([
        ['union', 0],
        ['union', 1],
      ]),
      zone([
        ['union', 0],
        ['intersection', 1],
      ]),
      zone([
        ['union', 0],
        ['subtraction', 1],
      ]),
      zone([
        ['union', 0],
        ['reverse-subtraction', 1],
      ]),
      zone(
        [
          ['union', 0],
          ['subtraction', 1],
        ],
        [['union', 1]],
      ),
    ];
    const expected: ((a: boolean, b: boolean) => boolean)[] = [
      (a, b) => a || b,
      (a, b) => a && b,
      (a, b) => a && !b,
      (a, b) => b && !a,
      // A ∪ B = (A \ B) ∪ B
      (a, b) => a || b,
    ];
    for (const [i, only] of modes.entries()) {
      const module = geometry([BOX, ball], [only]);
      const next = points(99 + i);
      for (let k = 0; k < 5000; k++) {
        const [x, y, z] = [12 * next() - 6, 12 * next() - 6, 12 * next() - 6];
        const a = Math.abs(x) <= 2 && Math.abs(y) <= 3 && Math.abs(z) <= 4;
        const b = (x - 2) ** 2 + y ** 2 + z ** 2 <= 9;
        expect(module.call('locate', x, y, z) === 0).toBe(expected[i]?.(a, b));
      }
    }
  });

  it('gives overlaps to the earlier zone, the rest of the world to the world zone, nothing outside it', () => {
    const module = geometry([BALL, BOX], [zone([['union', 0]]), zone([['union', 1]])]);
    expect(module.call('locate', 0, 0, 0)).toBe(0);
    expect(module.call('locate', 0, 0, 3.5)).toBe(1);
    expect(module.call('locate', 0, 0, 10)).toBe(2);
    expect(module.call('locate', 0, 0, 21)).toBe(-1);
  });

  it('turns figures about the fixed axes x, then y, then z', () => {
    // a long box along z: about x by 90° it lies along −y … y, then about z by 90° along x
    const bar = figure({ type: 'box', sizeCm: [1, 1, 10] }, [0, 0, 0], [90, 0, 90]);
    const module = geometry([bar]);
    expect(module.call('locate', 4, 0, 0)).toBe(0);
    expect(module.call('locate', 0, 4, 0)).toBe(1);
    expect(module.call('locate', 0, 0, 4)).toBe(1);
  });
});

describe('rays', () => {
  /** Path inside zone 0 along a ray, from surface to surface. */
  function chord(module: ReturnType<typeof geometry>, start: Vector, direction: Vector): number {
    let [x, y, z] = start;
    const [u, v, w] = direction;
    let inside = 0;
    for (let i = 0; i < 100; i++) {
      const distance = module.call('distanceToSurface', x, y, z, u, v, w);
      if (distance > 1e29) break;
      const middle = distance / 2;
      if (module.call('locate', x + middle * u, y + middle * v, z + middle * w) === 0) inside += distance;
      const beyond = distance + 1e-9;
      [x, y, z] = [x + beyond * u, y + beyond * v, z + beyond * w];
      module.call('locate', x, y, z);
    }
    return inside;
  }

  it('cross a hollow cylinder over its walls only', () => {
    const module = geometry([TUBE]);
    expect(chord(module, [-10, 0, 0], [1, 0, 0])).toBeCloseTo(4, 6);
    expect(chord(module, [-10, 2, 0], [1, 0, 0])).toBeCloseTo(2 * Math.sqrt(5), 6);
    expect(chord(module, [2, 0, -10], [0, 0, 1])).toBeCloseTo(8, 6);
    expect(chord(module, [0, 0, -10], [0, 0, 1])).toBeCloseTo(0, 6);
  });

  it('sum to the chord of spheres and boxes from random points', () => {
    const ball = geometry([BALL]);
    const box = geometry([BOX]);
    const next = points(7);
    for (let i = 0; i < 300; i++) {
      const cosine = 2 * next() - 1;
      const sine = Math.sqrt(1 - cosine * cosine);
      const phi = 2 * Math.PI * next();
      const direction: Vector = [sine * Math.cos(phi), sine * Math.sin(phi), cosine];
      const aim: Vector = [4 * next() - 2, 4 * next() - 2, 4 * next() - 2];
      const start: Vector = [aim[0] - 12 * direction[0], aim[1] - 12 * direction[1], aim[2] - 12 * direction[2]];
      const along = aim[0] * direction[0] + aim[1] * direction[1] + aim[2] * direction[2];
      const miss2 = aim[0] ** 2 + aim[1] ** 2 + aim[2] ** 2 - along ** 2;
      expect(chord(ball, start, direction)).toBeCloseTo(2 * Math.sqrt(Math.max(0, 9 - miss2)), 6);
      let near = -Infinity;
      let far = Infinity;
      for (const [k, half] of [2, 3, 4].entries()) {
        const t1 = (-half - (start[k] ?? 0)) / (direction[k] ?? 1);
        const t2 = (half - (start[k] ?? 0)) / (direction[k] ?? 1);
        near = Math.max(near, Math.min(t1, t2));
        far = Math.min(far, Math.max(t1, t2));
      }
      expect(chord(box, start, direction)).toBeCloseTo(Math.max(0, far - near), 6);
    }
  });

  it('that touch, run along a face or meet a corner neither hang nor jump', () => {
    const ball = geometry([BALL]);
    expect(chord(ball, [-10, 3, 0], [1, 0, 0])).toBeCloseTo(0, 3);
    const box = geometry([BOX]);
    expect(chord(box, [2, 0, -10], [0, 0, 1])).toBeGreaterThanOrEqual(0);
    const diagonal = 1 / Math.sqrt(3);
    expect(chord(box, [-12, -13, -14], [diagonal, diagonal, diagonal])).toBeCloseTo(4 * Math.sqrt(3), 5);
    // from a surface, outwards and inwards
    expect(box.call('distanceToSurface', 2, 0, 0, -1, 0, 0)).toBeCloseTo(4, 9);
    expect(chord(box, [2, 0, 0], [1, 0, 0])).toBeCloseTo(0, 6);
  });

  it('through a turned figure equal turned rays through the figure', () => {
    const rotation: Vector = [20, -35, 110];
    const [sx, sy, sz] = rotation.map((angle) => Math.sin((angle * Math.PI) / 180)) as [number, number, number];
    const [cx, cy, cz] = rotation.map((angle) => Math.cos((angle * Math.PI) / 180)) as [number, number, number];
    const turn = ([x, y, z]: Vector): Vector => {
      const [y1, z1] = [cx * y - sx * z, sx * y + cx * z];
      const [x2, z2] = [cy * x + sy * z1, -sy * x + cy * z1];
      return [cz * x2 - sz * y1, sz * x2 + cz * y1, z2];
    };
    const next = points(3);
    for (const shape of [BOX, TUBE, ROD]) {
      const straight = geometry([shape]);
      const turned = geometry([{ ...shape, rotationDeg: rotation }]);
      for (let i = 0; i < 100; i++) {
        const start: Vector = [-9, 4 * next() - 2, 4 * next() - 2];
        const angle = 0.3 * next();
        const direction: Vector = [Math.cos(angle), Math.sin(angle), 0];
        const length = chord(straight, start, direction);
        expect(chord(turned, turn(start), turn(direction))).toBeCloseTo(length, 6);
      }
    }
  });
});
