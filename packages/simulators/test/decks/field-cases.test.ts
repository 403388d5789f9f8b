import { describe, expect, it } from '@jest/globals';
import { ConversionError } from '../../src/conversion-error.js';
import type { DeckFiles } from '../../src/driver.js';
import { findDriver } from '../../src/registry.js';
import type { SimType } from '../../src/sim-type.js';

/** What users report publicly: small decks of our own that repeat the situation, and the numbers that the program itself would run. */
const GDML = { 'geometry.gdml': '<gdml/>' };
const SOURCE_OF_TOPAS = `s:So/Pencil/Type = "Beam"
s:So/Pencil/Component = "BeamPosition"
s:So/Pencil/BeamParticle = "proton"
d:So/Pencil/BeamEnergy = 100. MeV
`;
const SHIELDHIT = { 'mat.dat': '', 'geo.dat': '', 'detect.dat': '' };

function driverOf(simType: SimType) {
  return findDriver(simType, 'files', new Map([[simType, '']]));
}

const TAKEN: readonly (readonly [name: string, simType: SimType, files: DeckFiles, primaries: number])[] = [
  [
    'sequential times of TOPAS multiply the histories of a run',
    'simD',
    {
      'move.txt': `${SOURCE_OF_TOPAS}i:So/Pencil/NumberOfHistoriesInRun = 40
i:Tf/NumberOfSequentialTimes = 30
d:Tf/TimelineEnd = 30. s
s:Tf/Shift/Function = "Linear mm"
d:Tf/Shift/Rate = 1. mm/s
d:Tf/Shift/StartValue = 0. mm
`,
    },
    1200,
  ],
  [
    'the file of TOPAS that includes another overrides its histories, with a type',
    'simD',
    {
      'set-up.txt': `${SOURCE_OF_TOPAS}i:So/Pencil/NumberOfHistoriesInRun = 7\n`,
      'today.txt': 'includeFile = set-up.txt\ni:So/Pencil/NumberOfHistoriesInRun = 900\n',
    },
    900,
  ],
  [
    'the same without a type, and in other letters',
    'simD',
    {
      'set-up.txt': `${SOURCE_OF_TOPAS}i:So/Pencil/NumberOfHistoriesInRun = 7\n`,
      'today.txt': 'includeFile = set-up.txt\nSO/pencil/numberofhistoriesinrun = 900\n',
    },
    900,
  ],
  [
    'regions of FLUKA are called like cards',
    'simB',
    {
      'seed.inp': `TITLE
seed in a ball of water
BEAM          -0.001                                                  PHOTON
GEOBEGIN                                                              COMBNAME
    0    0
SPH seed       0.0 0.0 0.0 0.1
SPH ball       0.0 0.0 0.0 10.0
SPH end        0.0 0.0 0.0 500.0
END
START        5 +seed
OPEN         5 +ball -seed
SOURCE       5 +end -ball
END
GEOEND
ASSIGNMA        IRON     START
ASSIGNMA       WATER      OPEN
ASSIGNMA    BLCKHOLE    SOURCE
START          700.0
STOP
`,
    },
    700,
  ],
  [
    'a macro of Geant4 executes the one with the run, with its set-up',
    'simC',
    {
      ...GDML,
      'main.mac':
        '/run/initialize\n/gps/particle proton\n/control/execute go.mac\n/score/dumpAllQuantitiesToFile b o.txt\n',
      'go.mac': '/run/beamOn 300\n',
    },
    300,
  ],
  ['histories of SHIELD-HIT12A as 1e6', 'simA', { ...SHIELDHIT, 'beam.dat': 'NSTAT 1e6 -1\n' }, 1_000_000],
];

const HISTORIES = '/run/initialize\n/gps/particle proton\n';
const REFUSED: readonly (readonly [name: string, simType: SimType, files: DeckFiles, message: RegExp])[] = [
  [
    'a loop of runs, in which scores begin anew',
    'simC',
    {
      ...GDML,
      'all.mac': `${HISTORIES}/control/loop one.mac e 70 150 10\n`,
      'one.mac': '/gps/ene/mono {e} MeV\n/run/beamOn 10\n',
    },
    /^line \d+: .*beamOn/,
  ],
  ...['1E6', '1_000', '1000k', '1000;0'].map(
    (number) =>
      [
        `the number ${number} of histories in Geant4`,
        'simC' as const,
        { ...GDML, 'run.mac': `${HISTORIES}/run/beamOn ${number}\n` },
        /^line 3: /,
      ] as const,
  ),
  ...['1_000', '1000k', '1000;0'].map(
    (number) =>
      [
        `the number ${number} of histories in SHIELD-HIT12A`,
        'simA' as const,
        { ...SHIELDHIT, 'beam.dat': `JPART0 2\nNSTAT ${number} -1\n` },
        /^line 2: /,
      ] as const,
  ),
];

describe('a deck as users have it', () => {
  it.each(TAKEN)('is read as the program reads it: %s', (_name, simType, files, primaries) => {
    const driver = driverOf(simType);
    const adopted = driver.adoptFiles(files);
    expect(adopted.primaries).toBe(primaries);
    const share = Math.floor(primaries / 4);
    const deck = driver.apportion(adopted.files, { primaries: share, firstHistory: share, seed: '11' });
    expect(driver.adoptFiles(deck).primaries).toBe(share);
  });

  it.each(REFUSED)('is refused with its line: %s', (_name, simType, files, message) => {
    const refusal = (() => {
      try {
        driverOf(simType).adoptFiles(files);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(ConversionError);
    expect((refusal as ConversionError).items.map((item) => item.message)).toContainEqual(
      expect.stringMatching(message),
    );
  });

  it('means the same number with and without an executable', () => {
    const beam = 'JPART0 2\nTMAX0 150.0 1.5\nNSTAT 1e4 -1\n';
    const deck = {
      'beam.dat': beam,
      'mat.dat': 'MEDIUM 1\nICRU 276\nEND\n',
      'geo.dat': [
        '    0    0          tank',
        '  RCC    1       0.0       0.0       0.0       0.0       0.0      20.0',
        '                 5.0',
        '  RCC    2       0.0       0.0      -1.0       0.0       0.0      22.0',
        '                 6.0',
        '  END',
        '  001          +1',
        '  002          +2     -1',
        '  END',
        '    1    2',
        '    1    0',
        '',
      ].join('\n'),
      'detect.dat':
        'Geometry Cyl\n    Name depth\n    R 0 5 1\n    Z 0 20 100\n\nOutput\n    Filename depth.bdo\n    Geo depth\n    Quantity Dose\n',
    };
    expect(driverOf('simA').adoptFiles(deck).primaries).toBe(10_000);
    expect(findDriver('simA', 'files').adoptFiles(deck).primaries).toBe(10_000);
  });
});
