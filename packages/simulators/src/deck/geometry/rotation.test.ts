import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apply, IDENTITY, multiply, rotationAngles, rotationMatrix } from './rotation.js';

const angle = fc.double({ min: -360, max: 360, noNaN: true });
const angles = fc.tuple(angle, angle, angle);

describe('rotation', () => {
  it('turns about fixed X, then Y, then Z, right-handed', () => {
    expect(apply(rotationMatrix([90, 0, 0]), [0, 1, 0])).toEqual([0, 0, 1]);
    expect(apply(rotationMatrix([0, 90, 0]), [0, 0, 1])).toEqual([1, 0, 0]);
    expect(apply(rotationMatrix([0, 0, 90]), [1, 0, 0])).toEqual([0, 1, 0]);
    // y → z by X, z → x by Y, x → y by Z.
    expect(apply(rotationMatrix([90, 90, 90]), [0, 1, 0])).toEqual([0, 1, 0]);
  });

  it('gives angles that make the same matrix, gimbal lock included', () => {
    fc.assert(
      fc.property(fc.oneof(angles, fc.tuple(angle, fc.constantFrom(90, -90, 270), angle)), (given) => {
        const matrix = rotationMatrix(given);
        const again = rotationMatrix(rotationAngles(matrix));
        for (const row of [0, 1, 2] as const) {
          for (const column of [0, 1, 2] as const) expect(again[row][column]).toBeCloseTo(matrix[row][column], 7);
        }
      }),
    );
  });

  it('keeps lengths and is undone by the identity', () => {
    fc.assert(
      fc.property(angles, angles, (outer, inner) => {
        const both = multiply(rotationMatrix(outer), rotationMatrix(inner));
        expect(Math.hypot(...apply(both, [1, 2, 3]))).toBeCloseTo(Math.sqrt(14), 10);
        const unchanged = apply(multiply(both, IDENTITY), [1, 2, 3]);
        expect(Math.hypot(...unchanged.map((value, axis) => value - (apply(both, [1, 2, 3])[axis] ?? 0)))).toBe(0);
      }),
    );
  });
});
