import { describe, expect, it } from '@jest/globals';
import { convergencePlot, logTicks } from './convergence.js';

describe('the plot of a convergence', () => {
  it('has all points, the target and the prediction in it, and errors that fall as 1/√n on a straight line', () => {
    const points = [1e4, 4e4, 16e4].map((primaries) => ({ primaries, relativeError: 8 / Math.sqrt(primaries) }));
    const { x, y } = convergencePlot(points, 0.01, 64e4);
    const [a, b, c] = points.map(({ primaries, relativeError }) => [x(primaries), y(relativeError)]);
    expect(((c?.[1] ?? 0) - (b?.[1] ?? 0)) / ((c?.[0] ?? 0) - (b?.[0] ?? 0))).toBeCloseTo(
      ((b?.[1] ?? 0) - (a?.[1] ?? 0)) / ((b?.[0] ?? 0) - (a?.[0] ?? 0)),
      12,
    );
    for (const place of [x(1e4), x(64e4), y(0.08), y(0.01)]) {
      expect(place).toBeGreaterThan(0);
      expect(place).toBeLessThan(1);
    }
  });

  it('is there from the first point on, however close it is to the target', () => {
    const { x, y } = convergencePlot([{ primaries: 1000, relativeError: 0.02 }], 0.02, undefined);
    expect([x(1000), y(0.02)]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0.5, 12)]);
  });

  it('has ticks at 1, 2 and 5 of few decades, at 1 of many', () => {
    expect(logTicks(-2, -0.9)).toEqual([0.01, 0.02, 0.05, 0.1]);
    expect(logTicks(3, 8)).toEqual([1e3, 1e4, 1e5, 1e6, 1e7, 1e8]);
  });
});
