import { describe, expect, it } from '@jest/globals';
import { readDepthDose } from './depth-dose.js';

describe('readDepthDose', () => {
  const depths = [0, 1, 2, 3, 4, 5];
  const doses = [2, 2, 4, 10, 5, 0];

  it('reads depths behind the peak between bins', () => {
    const read = readDepthDose(depths, doses, [0.1, 0.1, null, 0.5, 0.5, 0], 1.5);
    expect(read?.peakDepth).toBe(3);
    expect(read?.r90).toBeCloseTo(3.2, 12);
    expect(read?.r80).toBeCloseTo(3.4, 12);
    expect(read?.fallOff).toBeCloseTo(4.6 - 3.4, 12);
    expect(read?.peakToEntrance).toBe(5);
    expect(read?.relativeError).toBeCloseTo(0.05, 12);
  });

  it('takes arrays of doubles, NaN for an error that is not known, and a curve that ends at the level', () => {
    const read = readDepthDose(
      Float64Array.of(0, 1, 2),
      Float64Array.of(50, 100, 20),
      Float64Array.of(1, Number.NaN, 1),
    );
    expect(read).toMatchObject({ r80: 1.25, fallOff: 0.75, relativeError: undefined });
  });

  it('says what the curve does not show, and reads nothing off a curve of nothing', () => {
    expect(readDepthDose([0, 1], [1, 3])).toMatchObject({
      r80: undefined,
      fallOff: undefined,
      relativeError: undefined,
    });
    expect(readDepthDose([0, 1], [0, 0])).toBeUndefined();
    expect(readDepthDose([], [])).toBeUndefined();
  });
});
