import { describe, expect, it } from '@jest/globals';
import { findDriver } from '../registry.js';
import { SIM_TYPES } from '../sim-type.js';

const EXECUTABLES = new Map(SIM_TYPES.map((simType) => [simType, '']));
const SIM_A = { 'beam.dat': 'NSTAT 10', 'mat.dat': '', 'geo.dat': '' };
const SIM_D = 'i:So/Demo/NumberOfHistoriesInRun = 10\n';

describe("users' own files", () => {
  it.each([
    [
      'simD',
      { 'main.txt': `${SIM_D}s:Sc/out/Quantity = "PhaseSpace" # all\n` },
      '/main.txt',
      'line 2: Sc/out/Quantity asks for a phase space',
    ],
    [
      'simD',
      { 'main.txt': `${SIM_D}s:Sc/out/OutputType = "Root"\n` },
      '/main.txt',
      'line 2: Sc/out/OutputType must be csv',
    ],
    ['simA', { ...SIM_A, 'detect.dat': 'Output\n  Fileformat ASCII\n' }, '/detect.dat', 'line 2: only the formats'],
  ] as const)(
    'of %s that ask for outputs that are not read are refused before they run',
    (simType, files, path, line) => {
      expect(() => findDriver(simType, 'files', EXECUTABLES).adoptFiles(files)).toThrow(
        expect.objectContaining({
          reason: 'FILES_INVALID',
          items: [{ path, message: expect.stringContaining(line) }],
        }),
      );
    },
  );

  it.each([
    ['simA', { ...SIM_A, 'detect.dat': 'Output\n  Filename f.bdo\n  Fileformat BDO2016\n  Quantity MCPL\n' }],
    ['simD', { 'main.txt': `${SIM_D}s:Sc/out/OutputType = "Binary"\n` }],
    [
      'simD',
      { 'main.txt': `${SIM_D}# s:Sc/out/Quantity = "PhaseSpace"\n`, 'notes.md': 's:Sc/out/Quantity = "PhaseSpace"' },
    ],
  ] as const)('of %s that only mention it, or whose phase space is read, are taken as they are', (simType, files) => {
    expect(findDriver(simType, 'files', EXECUTABLES).adoptFiles(files)).toMatchObject({ files, primaries: 10 });
  });
});
