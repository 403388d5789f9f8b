import { describe, expect, it } from '@jest/globals';
import { axisTop, isCertain } from './axis-top.js';
import { inUnit, unitsLike } from './page-units.js';

describe('units of pages', () => {
  it('are told in another one of the same quantity, one primary or all', () => {
    expect(inUnit('MeV/cm', 'keV/um')).toEqual({ unit: 'keV/um', factor: 0.1 });
    expect(inUnit('keV/um', 'MeV/cm')).toEqual({ unit: 'MeV/cm', factor: 10 });
    expect(inUnit('MeV/g/prim', 'Gy')).toEqual({ unit: 'Gy/prim', factor: 1.602176634e-10 });
    expect(inUnit('Gy', 'Gy')).toEqual({ unit: 'Gy', factor: 1 });
  });

  it('stay where another one measures something else', () => {
    expect(inUnit('MeV/g/prim', 'keV/um')).toBeUndefined();
    expect(inUnit('/cm^2/prim', 'Gy')).toBeUndefined();
    expect(inUnit('constructor', 'Gy')).toBeUndefined();
    expect(unitsLike('MeV/cm')).toEqual(['keV/um', 'MeV/cm']);
    expect(unitsLike('MeV/prim')).toEqual([]);
  });
});

describe('the top of an axis', () => {
  it('is the largest certain value with its error, or the largest of all where none is certain', () => {
    expect(axisTop([1, 2, 90], [0.1, 0.2, 80])).toBeCloseTo(2.2, 12);
    expect(axisTop([1, 2, 90], [0.1, 0.2, null])).toBeCloseTo(2.2, 12);
    expect(axisTop(Float64Array.of(1, 2, 90), Float64Array.of(0.1, 0.2, Number.NaN))).toBeCloseTo(2.2, 12);
    expect(axisTop([1, 2, 90], [])).toBe(90);
    expect(axisTop([1, 2], [1, 2])).toBe(4);
    expect(axisTop([0, 0], [null, null])).toBe(0);
  });

  it('takes no value for certain whose error is unknown or above a fifth', () => {
    expect([isCertain(10, 2), isCertain(10, 2.1), isCertain(10, null), isCertain(10, Number.NaN)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
