import { describe, expect, it } from '@jest/globals';
import { PROBLEMS } from './problems.mjs';
import { gammaRate, readDose } from './readings.mjs';

const [problem] = PROBLEMS;
const [nx, , nz] = problem.grid.bins;
const RANGE_CM = 15;
const SIGMA_CM = 0.6;

/** A plateau with a Gaussian peak at the range, and a Gaussian across. */
function doseAt(x, z, shiftCm) {
  const behind = z - RANGE_CM - shiftCm;
  const along = (behind < 0 ? 0.25 : 0) + Math.exp(-0.5 * (behind / 0.3) ** 2);
  return along * Math.exp(-0.5 * (x / SIGMA_CM) ** 2);
}

function map(shiftCm) {
  const { lower, upper } = problem.grid;
  return Float64Array.from({ length: nx * nz }, (_, bin) => {
    const x = lower[0] + (((bin % nx) + 0.5) * (upper[0] - lower[0])) / nx;
    const z = ((Math.floor(bin / nx) + 0.5) * upper[2]) / nz;
    return doseAt(x, z, shiftCm);
  });
}

describe('readings of a judge', () => {
  it('find range, peak and widths', () => {
    const { r80, r20, ratio, sigmas } = readDose(problem, { dose: map(0) });
    expect(r80).toBeGreaterThan(RANGE_CM);
    expect(r20).toBeGreaterThan(r80);
    expect(r20).toBeLessThan(RANGE_CM + 0.6);
    expect(ratio).toBeGreaterThan(3);
    for (const sigma of sigmas) expect(sigma).toBeCloseTo(10 * SIGMA_CM, 0);
  });

  it('agree with themselves, and not with a peak that is 3 mm deeper', () => {
    expect(gammaRate(problem, map(0), map(0))).toBe(100);
    expect(gammaRate(problem, map(0), map(0.3))).toBeLessThan(95);
    const [first, second] = [map(0), map(0.3)].map((dose) => readDose(problem, { dose }).r80);
    expect(second - first).toBeCloseTo(0.3, 1);
  });
});
