import { describe, expect, it } from '@jest/globals';
import { ConversionError } from './conversion-error.js';
import { describeSimulators, findDriver, isSimType, SIM_TYPES } from './registry.js';

describe('registry', () => {
  it('runs projects of every simulator on the reference engine, and says so', () => {
    expect(describeSimulators()).toEqual(
      SIM_TYPES.map((simType) => ({
        sim_type: simType,
        available: true,
        engine: expect.stringMatching(/^reference \d+\.\d+\.\d+$/),
      })),
    );
  });

  it.each(SIM_TYPES)('refuses input files of %s', (simType) => {
    try {
      findDriver(simType, 'files');
      throw new Error('files were taken');
    } catch (error) {
      expect(error).toBeInstanceOf(ConversionError);
      expect(error).toMatchObject({ reason: 'FILES_UNSUPPORTED' });
      expect((error as Error).message).toContain(simType);
    }
  });

  it('knows the four simulators and nothing else', () => {
    expect(SIM_TYPES.every(isSimType)).toBe(true);
    expect(['simE', 'SIMA', '', null, 0].some(isSimType)).toBe(false);
  });
});
