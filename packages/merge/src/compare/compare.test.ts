import { describe, expect, it } from '@jest/globals';
import { compareBins } from './compare-bins.js';
import { type DoseGrid, type GammaCriteria, gammaIndex } from './gamma.js';

const numbers = (...all: number[]) => Float64Array.from(all);

describe('compareBins', () => {
  it('gives difference, ratio and χ² with errors', () => {
    const a = { values: numbers(10, 5, 1, 0), errors: numbers(3, 1, Number.NaN, 0) };
    const b = { values: numbers(5, 5, 0, 0), errors: numbers(4, 0, 1, 0) };
    const { difference, ratio, chiSquare, degreesOfFreedom, differenceMax } = compareBins(a, b);
    expect([...difference.values]).toEqual([5, 0, 1, 0]);
    expect([...difference.errors]).toEqual([5, 1, Number.NaN, 0]);
    expect([...ratio.values]).toEqual([2, 1, Number.NaN, Number.NaN]);
    expect(ratio.errors[0]).toBeCloseTo(Math.sqrt(9 + 4 * 16) / 5, 12);
    expect([chiSquare, degreesOfFreedom, differenceMax]).toEqual([1, 2, 5]);
  });
});

describe('gammaIndex', () => {
  const criteria: GammaCriteria = { dosePercent: 2, distance: 1, cutoffPercent: 10 };
  function rate(reference: DoseGrid, evaluated: DoseGrid, gammaMax?: number) {
    const work = gammaIndex(reference, evaluated, criteria, gammaMax);
    for (let next = work.next(); ; next = work.next()) if (next.done) return next.value;
  }
  const line = (count: number, dose: (x: number) => number): DoseGrid => {
    const centers = Float64Array.from({ length: count }, (_, bin) => bin / 2);
    return { centers: [centers], values: centers.map(dose) };
  };

  it('passes what is the same, or within the dose', () => {
    const reference = line(20, (x) => 50 + x);
    expect(rate(reference, reference)).toEqual({ evaluated: 20, passed: 20 });
    const largest = 59.5;
    const off = (percent: number) => ({
      ...reference,
      values: reference.values.map((value) => value + (percent / 100) * largest),
    });
    // a slope of 1 a mm gives a little of distance, too: at the end it does not
    expect(
      rate(
        line(20, () => 50),
        line(20, () => 50.99),
      ),
    ).toEqual({ evaluated: 20, passed: 20 });
    expect(
      rate(
        line(20, () => 50),
        line(20, () => 51.01),
      ),
    ).toEqual({ evaluated: 20, passed: 0 });
    expect(rate(reference, off(10)).passed).toBe(0);
  });

  it('passes a steep edge that is moved by less than the distance', () => {
    const edge = (place: number) => line(40, (x) => 100 / (1 + Math.exp((x - place) * 8)));
    expect(rate(edge(10), edge(10.5))).toMatchObject({ passed: rate(edge(10), edge(10)).passed });
    const { evaluated, passed } = rate(edge(10), edge(12));
    expect(passed).toBeLessThan(evaluated);
  });

  it('gives γ of each bin: of a flat dose by the difference, of an edge by how far it is moved, and no more than the largest', () => {
    const gammaOf = (reference: DoseGrid, evaluated: DoseGrid) => {
      const result = rate(reference, evaluated, 2);
      expect(result).toMatchObject(rate(reference, evaluated) ?? {});
      return [...(result?.values ?? [])];
    };
    const flat = line(6, () => 50);
    for (const [dose, gamma] of [
      [50, 0],
      [50.5, 0.5],
      [51.2, 1.2],
      [60, 2],
    ] as const) {
      for (const value of gammaOf(
        flat,
        line(6, () => dose),
      ))
        expect(value).toBeCloseTo(gamma, 12);
    }
    const steep = (place: number) => line(60, (x) => 1000 * Math.max(0, x - place));
    const moved = gammaOf(steep(10), steep(10.4));
    expect(moved[0]).toBeNaN(); // below the cutoff
    // 1000 a mm, 2 % of 19 500 are 390: γ is the distance of a point to a line, 0.4·s/√(1 + s²) with s = 1000/390 in units of both
    expect(moved[40]).toBeCloseTo((0.4 * (1000 / 390)) / Math.hypot(1, 1000 / 390), 1);
  });

  it('looks at no bin below the cutoff, and at none of a dose of zero', () => {
    expect(
      rate(
        line(4, (x) => (x < 1 ? 100 : 9)),
        line(4, () => 100),
      ),
    ).toEqual({ evaluated: 2, passed: 2 });
    expect(
      rate(
        line(4, () => 0),
        line(4, () => 0),
      ).evaluated,
    ).toBe(0);
  });
});
