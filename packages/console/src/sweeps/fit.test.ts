import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fit } from './fit.js';

const points = (xs: readonly number[], f: (x: number) => number, error: number | null = 0.1) =>
  xs.map((x) => ({ x, y: f(x), error }));

describe('a fit of a line', () => {
  it('agrees with weighted least squares by hand (Bevington and Robinson, Data Reduction, 6.3)', () => {
    const found = fit('line', [
      { x: 0, y: 1, error: 1 },
      { x: 1, y: 3, error: 1 },
      { x: 2, y: 4, error: 2 },
    ]);
    // sums of 1/σ²: S = 2.25, Sx = 1.5, Sy = 5, Sxx = 2, Sxy = 5; Δ = S Sxx − Sx² = 2.25
    expect(found?.parameters[0]).toBeCloseTo((2 * 5 - 1.5 * 5) / 2.25, 12);
    expect(found?.parameters[1]).toBeCloseTo((2.25 * 5 - 1.5 * 5) / 2.25, 12);
    expect(found?.errors[0]).toBeCloseTo(Math.sqrt(2 / 2.25), 12);
    expect(found?.errors[1]).toBeCloseTo(Math.sqrt(2.25 / 2.25), 12);
    expect(found?.degreesOfFreedom).toBe(1);
  });

  it('has errors from the scatter where those of points are not known, or too small for it', () => {
    const scattered = points([0, 1, 2, 3, 4], (x) => 2 * x + (x % 2 === 0 ? 0.5 : -0.5), null);
    const free = fit('line', scattered);
    expect(free?.isWeighted).toBe(false);
    const tight = fit(
      'line',
      scattered.map((point) => ({ ...point, error: 0.01 })),
    );
    expect(tight?.isWeighted).toBe(true);
    expect(tight?.errors[1]).toBeCloseTo(free?.errors[1] ?? 0, 12);
    const loose = fit(
      'line',
      scattered.map((point) => ({ ...point, error: 10 })),
    );
    expect(loose?.errors[1]).toBeCloseTo(10 / Math.sqrt(10), 12); // σ / √Σ(x − x̄)²
  });
});

describe('any fit', () => {
  it.each(['line', 'power'] as const)('of a %s is found whatever the points and errors', (kind) => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.double({ min: 1, max: 300, noNaN: true }), { minLength: 3, maxLength: 12 }),
        fc.array(fc.double({ min: 0.01, max: 40, noNaN: true }), { minLength: 12, maxLength: 12 }),
        fc.array(fc.double({ min: 1e-4, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
        (xs, ys, errors) => {
          fc.pre(Math.max(...xs) > 1.2 * Math.min(...xs));
          const found = fit(
            kind,
            xs.map((x, i) => ({ x, y: ys[i] ?? 1, error: errors[i] ?? 1 })),
          );
          expect(found?.parameters.every(Number.isFinite)).toBe(true);
        },
      ),
    );
  });
});

describe('a fit of a power law', () => {
  it('finds α and p of ranges by the Bragg-Kleeman rule', () => {
    const energies = [70, 100, 150, 200, 230];
    const found = fit(
      'power',
      points(energies, (energy) => 0.0022 * energy ** 1.77),
    );
    expect(found?.parameters[0]).toBeCloseTo(0.0022, 9);
    expect(found?.parameters[1]).toBeCloseTo(1.77, 6);
    expect(found?.at(100)).toBeCloseTo(0.0022 * 100 ** 1.77, 6);
  });

  it('holds its true parameters within its errors in about 68 % of cases', () => {
    const energies = [70, 90, 110, 130, 150, 170, 190, 210, 230];
    let [seed, held] = [12_345, 0];
    const random = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed + 0.5) / 2 ** 31;
    };
    const gauss = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const CASES = 400;
    for (let i = 0; i < CASES; i += 1) {
      const found = fit(
        'power',
        points(energies, (energy) => 0.0022 * energy ** 1.77 + 0.1 * gauss()),
      );
      if (found !== undefined && Math.abs(found.parameters[1] - 1.77) < found.errors[1]) held += 1;
    }
    expect(held / CASES).toBeGreaterThan(0.6);
    expect(held / CASES).toBeLessThan(0.82); // widened where χ² is large
  });

  it('is refused for too few points, and for values that no power gives', () => {
    expect(
      fit(
        'power',
        points([1, 2], (x) => x),
      ),
    ).toBeUndefined();
    expect(
      fit(
        'power',
        points([1, 2, 3], (x) => x - 2),
      ),
    ).toBeUndefined();
    expect(
      fit(
        'line',
        points([1, 1, 1], (x) => x),
      ),
    ).toBeUndefined();
  });
});
