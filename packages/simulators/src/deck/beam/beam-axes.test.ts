import { describe, expect, it } from '@jest/globals';
import { apply, multiply, transpose } from '../geometry/rotation.js';
import { beamAxes, unitVector } from './beam-axes.js';

describe('beamAxes', () => {
  it.each([1, 1e-3, 1e-7, 5e-10, 1e-12, 1e-200, 0])('points a beam that is %s off the backward direction', (off) => {
    const axes = beamAxes([0, off, -1]);
    const length = Math.hypot(off, 1);
    expect(axes[2][1]).toBeCloseTo(off / length, 15);
    expect(axes[2][2]).toBeCloseTo(-1 / length, 15);
    for (const [row, line] of multiply(axes, transpose(axes)).entries()) {
      for (const [column, value] of line.entries()) expect(value).toBeCloseTo(row === column ? 1 : 0, 14);
    }
  });

  it('turns x and y by the shortest way: what is across both directions stays', () => {
    const axes = beamAxes([0, 3, -4]);
    expect(apply(axes, [1, 0, 0])[0]).toBe(1);
  });
});

describe('unitVector', () => {
  it.each([1e-323, 1e-200, 1, 1e300])('has the length one, of components of %s', (size) => {
    for (const component of unitVector([-size, size, size]))
      expect(Math.abs(component)).toBeCloseTo(1 / Math.sqrt(3), 14);
  });

  it('has no component of −0', () => {
    expect(unitVector([-0, 0, -2])).toEqual([0, 0, -1]);
  });
});
