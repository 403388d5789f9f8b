import { describe, expect, it } from '@jest/globals';
import { buildProject } from '../test/build-project.js';
import { ConversionError } from './conversion-error.js';
import { readProject } from './project/read-project.js';
import { describeSimulators, findDeckDriver, findDriver } from './registry.js';
import { isSimType, SIM_TYPES } from './sim-type.js';

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

  it('runs a deck on what it was made for, whatever executables have come since', () => {
    const reference = findDriver('simB', 'editor').convert(readProject(buildProject())).files;
    expect(findDeckDriver('simB', reference, EXECUTABLES)).toMatchObject({
      isOwn: false,
      driver: { engine: expect.stringMatching(/^reference /) },
    });
    const own = findDriver('simB', 'editor', EXECUTABLES).convert(readProject(buildProject())).files;
    expect(findDeckDriver('simB', own, EXECUTABLES)).toMatchObject({ isOwn: true, driver: { engine: 'simB 1.1' } });
    expect(() => findDeckDriver('simB', own, new Map())).toThrow(
      expect.objectContaining({ reason: 'FILES_UNSUPPORTED', message: expect.stringContaining('simB') }),
    );
  });

  it("does not take users' own files for a deck of the reference engine because of a name", () => {
    for (const manifest of ['{"driver":"simB"}', 'mine', 'null', '[]']) {
      const files = { 'mine.inp': 'STOP', 'problem.json': '{}', 'manifest.json': manifest };
      expect(findDeckDriver('simB', files, EXECUTABLES).isOwn).toBe(true);
    }
    const files = { 'mine.inp': 'STOP', 'manifest.json': '{"driver":"reference"}' };
    expect(findDeckDriver('simB', files, EXECUTABLES).isOwn).toBe(true);
  });

  it('knows the four simulators and nothing else', () => {
    expect(SIM_TYPES.every(isSimType)).toBe(true);
    expect(['simE', 'SIMA', '', null, 0].some(isSimType)).toBe(false);
  });
});
