import { describe, expect, it } from '@jest/globals';
import { findDriver, SIM_TYPES } from '../registry.js';

const EXECUTABLES = new Map(SIM_TYPES.map((simType) => [simType, '']));
const SIM_A = { 'beam.dat': 'NSTAT 10', 'mat.dat': '', 'geo.dat': '' };
const SIM_D = 'i:So/Demo/NumberOfHistoriesInRun = 10\n';

describe("users' own files", () => {
  it.each([
    ['simD', { 'main.txt': `${SIM_D}s:Sc/out/Quantity = "PhaseSpace" # all\n` }, '/main.txt', 'line 2'],
  ] as const)(
    'that ask for phase space of %s are refused before they run, with the line',
    (simType, files, path, line) => {
      expect(() => findDriver(simType, 'files', EXECUTABLES).adoptFiles(files)).toThrow(
        expect.objectContaining({
          reason: 'FILES_INVALID',
          items: [{ path, message: expect.stringContaining(`${line}: phase space`) }],
        }),
      );
    },
  );

  it.each([
    ['simA', { ...SIM_A, 'detect.dat': 'Output\n  Filename f.bdo\n  Quantity MCPL\n' }],
    [
      'simD',
      { 'main.txt': `${SIM_D}# s:Sc/out/Quantity = "PhaseSpace"\n`, 'notes.md': 's:Sc/out/Quantity = "PhaseSpace"' },
    ],
  ] as const)('of %s that only mention it, or whose phase space is read, are taken as they are', (simType, files) => {
    expect(findDriver(simType, 'files', EXECUTABLES).adoptFiles(files)).toMatchObject({ files, primaries: 10 });
  });
});
