import { describe, expect, it } from '@jest/globals';
import type { MergedPage } from '@tally/merge';
import { buildProject, detector, geometry, type Json, output, quantity } from '../build-project.js';
import { momentsOf, runOnBoth, SKIPPED_WITHOUT_GEANT4, shapeOf } from './compare-pages.js';

const PRIMARIES = 2000;
/** Of a mean or a variance over the primaries, standard errors. */
const TOLERANCE = 5;

/** A beam in vacuum, which two planes of 20 cm by 20 cm at the depths in cm see; the phantom is out of its way. */
function inVacuum(beam: Json, depths: readonly [number, number], outputs?: Json[], detectors: Json[] = []): Json {
  const plane = (uuid: string, depth: number) =>
    detector(uuid, uuid, 'Mesh', [0, 0, depth], {
      width: 20,
      height: 20,
      depth: 0.1,
      xSegments: 200,
      ySegments: 200,
      zSegments: 1,
    });
  const planes = ['near', 'far'] as const;
  return buildProject({
    ...Object.fromEntries(Object.entries(beam).map(([name, value]) => [`/beam/${name}`, value])),
    '/beam/numberOfParticles': PRIMARIES,
    '/figureManager/figures/0/geometryData': geometry('BoxGeometry', [20, 20, 70], { width: 2, height: 2, depth: 2 }),
    '/zoneManager/worldZone/geometryData': geometry('BoxGeometry', [0, 0, 40], { width: 80, height: 80, depth: 100 }),
    '/detectorManager/detectors': [...planes.map((name, index) => plane(name, depths[index] ?? 0)), ...detectors],
    '/scoringManager/outputs':
      outputs ?? planes.map((name) => output(name, name, name, [quantity(name, 'Fluence', 'Fluence')])),
  });
}

const NO_DIVERGENCE = { x: 0, y: 0, distanceToFocal: 0 };
const CARBON = { particle: { id: 25, name: 'Heavy ions', a: 12, z: 6 }, energyUnit: 'MeV/nucl', energy: 270 };
const BEAMS: readonly (readonly [title: string, beam: Json, depths: readonly [number, number]])[] = [
  [
    'a Gaussian spot beside the axis',
    { position: [0.5, -1.5, 0], sigma: { type: 'Gaussian', x: 0.3, y: 0.8 } },
    [5, 35],
  ],
  [
    'a divergent rectangle',
    { sigma: { type: 'Flat square', x: 1.5, y: 3 }, divergence: { ...NO_DIVERGENCE, x: 30, y: 8 } },
    [5, 35],
  ],
  ['a disk of carbon', { ...CARBON, sigma: { type: 'Flat circular', x: 0, y: 2.5 } }, [5, 35]],
  [
    'an oblique spot',
    { position: [0, 0, 0], direction: [1, -2, 8], sigma: { type: 'Gaussian', x: 0.2, y: 1.5 } },
    [5, 25],
  ],
  [
    'an oblique, divergent spot that goes back',
    {
      position: [-6, 0.5, 30],
      direction: [3, 1, -5],
      sigma: { type: 'Gaussian', x: 0.1, y: 0.4 },
      divergence: { ...NO_DIVERGENCE, x: 40, y: 5 },
    },
    [25, 15],
  ],
];

/** Means, variances and covariance of two axes. */
function spotOf(page: MergedPage): number[] {
  const { means, covariances } = momentsOf(page);
  return [...means, covariances[0]?.[0] ?? 0, covariances[0]?.[1] ?? 0, covariances[1]?.[1] ?? 0];
}

/** What the numbers of a spot may differ by between two runs: means by σ/√N, (co)variances by the product of both σ. */
function spotErrors([, , xx = 0, , yy = 0]: readonly number[]): number[] {
  const [x, y] = [Math.sqrt(xx / PRIMARIES), Math.sqrt(yy / PRIMARIES)];
  const root = Math.sqrt(2 / PRIMARIES);
  return [x, y, xx * root, Math.sqrt(xx * yy) * root, yy * root];
}

const CUBE = detector('cube', 'Cube', 'Mesh', [0, 0, 10], {
  width: 4,
  height: 4,
  depth: 4,
  xSegments: 1,
  ySegments: 1,
  zSegments: 1,
});
const axis = (lowerLimit: number, upperLimit: number, binsNumber: number, isLog: boolean): Json => ({
  uuid: 'axis',
  diffType: 'E',
  lowerLimit,
  upperLimit,
  binsNumber,
  isLog,
});
const SPECTRA: readonly (readonly [title: string, beam: Json, modifier: Json])[] = [
  ['protons whose spread is cut', { energy: 140, energySpread: 20, energyLowCutoff: 130, energyHighCutoff: 155 }, axis(100, 180, 160, false)],
  ['carbon, of the whole ion', { ...CARBON, energySpread: 10, energyHighCutoff: 1e5 }, axis(2500, 4000, 300, false)],
  ['protons over a logarithmic axis', { energy: 20, energySpread: 2 }, axis(1, 200, 400, true)],
]; // biome-ignore format: one spectrum a line

(SKIPPED_WITHOUT_GEANT4 === '' ? describe : describe.skip)(`beams on a real Geant4${SKIPPED_WITHOUT_GEANT4}`, () => {
  it.each(BEAMS)('shoot %s as the engine does', async (_, beam, depths) => {
    const pairs = await runOnBoth(
      inVacuum({ energySpread: 0, sigma: { type: 'Gaussian', x: 0, y: 0 }, ...beam }, depths),
    );
    expect(pairs.map(({ title }) => title)).toEqual(['near/Fluence', 'far/Fluence']);
    for (const { title, real, engine } of pairs) {
      if (engine === undefined) throw new Error(`the engine has no ${title}`);
      expect(shapeOf(real)).toEqual(shapeOf(engine));
      const [found, wanted] = [spotOf(real), spotOf(engine)];
      const errors = spotErrors(wanted);
      const apart = found.map((value, index) => (value - (wanted[index] ?? 0)) / (Math.SQRT2 * (errors[index] ?? 0)));
      expect({ title, found, wanted, apart: apart.filter((sigmas) => Math.abs(sigmas) > TOLERANCE) }).toEqual({
        title,
        found,
        wanted,
        apart: [],
      });
    }
  });

  it.each(SPECTRA)('have the energies of %s', async (_, beam, modifier) => {
    const outputs = [output('o', 'cube', 'cube', [{ ...quantity('q', 'Spectrum', 'Fluence'), modifiers: [modifier] }])];
    const pencil = { sigma: { type: 'Gaussian', x: 0, y: 0 }, position: [0, 0, 0] };
    const [pair] = await runOnBoth(inVacuum({ ...pencil, ...beam }, [1, 2], outputs, [CUBE]));
    if (pair?.engine === undefined) throw new Error('the engine has no such page');
    const { real, engine } = pair;
    expect(shapeOf(real)).toEqual(shapeOf(engine));
    const [found, wanted] = [momentsOf(real), momentsOf(engine)];
    const [[mean = 0], [[variance = 0] = []]] = [wanted.means, wanted.covariances];
    const error = Math.sqrt((2 * variance) / PRIMARIES);
    expect(Math.abs((found.means[0] ?? 0) - mean) / error).toBeLessThan(TOLERANCE);
    expect((found.covariances[0]?.[0] ?? 0) / variance).toBeCloseTo(1, 0);
    // 4 cm in 64 cm³, per MeV
    const total = (page: MergedPage) =>
      page.values.reduce((sum, value, bin) => sum + value * widthAt(modifier, bin), 0);
    expect(total(real) / (4 / 64)).toBeCloseTo(1, 2);
    expect(total(engine) / (4 / 64)).toBeCloseTo(1, 2);
  });
});

/** Width of a bin, MeV. */
function widthAt({ lowerLimit, upperLimit, binsNumber, isLog }: Json, bin: number): number {
  const [low, high, bins] = [lowerLimit, upperLimit, binsNumber].map(Number) as [number, number, number];
  const edge = (at: number) => (isLog === true ? low * (high / low) ** (at / bins) : low + ((high - low) * at) / bins);
  return edge(bin + 1) - edge(bin);
}
