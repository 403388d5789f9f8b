import { describe, expect, it } from '@jest/globals';
import { ConversionError } from './conversion-error.js';
import { describeSimulators, findDriver, isSimType, parseExecutables, SIM_TYPES } from './registry.js';

const EXECUTABLES = new Map(SIM_TYPES.map((simType, index) => [simType, `1.${index}`]));

describe('registry', () => {
  it('runs projects on the reference engine where there is no executable, and says so', () => {
    expect(describeSimulators()).toEqual(
      SIM_TYPES.map((simType) => ({
        sim_type: simType,
        available: true,
        engine: expect.stringMatching(/^reference \d+\.\d+\.\d+$/),
      })),
    );
  });

  it('runs projects and files on the executables that there are, and says so', () => {
    const engines = describeSimulators(new Map([['simB', '4.5'] as const])).map(({ engine }) => engine);
    expect(engines[1]).toBe('simB 4.5');
    expect(engines.filter((engine) => engine.startsWith('reference '))).toHaveLength(3);
    for (const [simType, version] of EXECUTABLES) {
      for (const inputType of ['editor', 'files'] as const) {
        expect(findDriver(simType, inputType, EXECUTABLES).engine).toBe(`${simType} ${version}`);
      }
    }
  });

  it('runs files of simA on the reference engine where there is no executable', () => {
    expect(findDriver('simA', 'files').engine).toMatch(/^reference /);
    expect(() => findDriver('simA', 'files').adoptFiles({})).toThrow(
      expect.objectContaining({ reason: 'FILES_INVALID' }),
    );
  });

  it.each(['simB', 'simC', 'simD'] as const)('refuses input files of %s where there is no executable', (simType) => {
    try {
      findDriver(simType, 'files', new Map([...EXECUTABLES].filter(([other]) => other !== simType)));
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

  it('reads lists of executables, with versions and without', () => {
    expect(parseExecutables('')).toEqual(new Map());
    expect(parseExecutables('simA=1.0.1, simD')).toEqual(
      new Map([
        ['simA', '1.0.1'],
        ['simD', ''],
      ]),
    );
    for (const faulty of ['simE', 'simA,simA', 'sima', 'simA=<b>']) expect(parseExecutables(faulty)).toBeUndefined();
  });
});
