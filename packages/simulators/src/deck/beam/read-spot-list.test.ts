import { describe, expect, it } from '@jest/globals';
import type { Project } from '../../project/project.js';
import { createConversionReport } from '../conversion-report.js';
import { listBeams } from './list-beams.js';
import { fanOut, parseSpots, readSpotList } from './read-spot-list.js';

const PROTON = { name: 'proton', z: 1, a: 1 };
const FWHM_PER_SIGMA = 2.354820045;

/** Spots, and what is said of the text. */
function parse(text: string, nucleons = 1) {
  const faults: string[] = [];
  const source = { text, nucleons, energySpreadMev: 1.5, divergenceMrad: { x: 2, y: 3 } };
  const spots = parseSpots(source, (message, line) => faults.push(`${line ?? ''}: ${message}`));
  return { spots, faults };
}

describe('a spot list', () => {
  it.each([
    ['0.15 1 2 1.0 7', 1.5, 1, 2],
    ['0.15 1 2 1.0 2.0 7', 1.5, 2, 2],
    ['0.15 0.0005 1 2 1.0 2.0 7', 0.5, 2, 2],
    ['0.15 0.0005 1 2 1.0 2.0 4 5 7', 0.5, 2, 4],
  ])('has lines of 5, 6, 7 or 9 numbers: %s', (text, spread, widthY, divergenceX) => {
    const { spots, faults } = parse(`*ENERGY(GEV) …\n\n${text}  ! the only one\r\n`);
    expect(faults).toEqual([]);
    expect(spots).toHaveLength(1);
    expect(spots[0]).toMatchObject({ xCm: 1, yCm: 2, weight: 7, divergenceXMrad: divergenceX });
    expect(spots[0]?.energyMev).toBeCloseTo(150, 9);
    expect(spots[0]?.energySpreadMev).toBeCloseTo(spread, 9);
    expect(spots[0]?.sigmaXCm).toBeCloseTo(1 / FWHM_PER_SIGMA, 8);
    expect(spots[0]?.sigmaYCm).toBeCloseTo(widthY / FWHM_PER_SIGMA, 8);
  });

  it('has energies per nucleon, Fortran’s exponents, and spots of no weight that are left out', () => {
    const { spots, faults } = parse('1.5D-1, 0 0 0.5 1E+09\n.2 0 0 .5 0\n', 12);
    expect(faults).toEqual([]);
    expect(spots.map(({ energyMev, weight }) => [energyMev, weight])).toEqual([[1800, 1e9]]);
  });

  it.each([
    ['', ['', ': must have a line with a weight above 0']],
    ['0.15 0 0 1 1 1 1 1', ['1', 'must have 5, 6, 7 or 9 numbers, not 8']],
    ['0.15 0 0 1 1\n0.15 0 0 1 1 1', ['2', 'must have 5 numbers like the lines before, not 6']],
    ['0.15 0 zero 1 1', ['1', '"zero" is not a number']],
    ['0 0 0 1 1', ['1', 'the energy must be more than 0']],
    ['0.15 -1 -1 1 -1', ['1', 'number 5 must not be negative']],
    ['0.15 0 0 1 1e999', ['1', '"1e999" is not a number']],
  ])('of a line that is not understood is a clear fault: %j', (text, [line = '', message = '']) => {
    expect(parse(text).faults).toEqual([expect.stringContaining(message)]);
    expect(parse(text).faults[0]?.startsWith(`${line}:`)).toBe(true);
  });

  it('tells the first faults of many, and counts the others', () => {
    const { faults } = parse(Array.from({ length: 1000 }, () => 'x').join('\n'));
    expect(faults).toHaveLength(6);
    expect(faults.at(-1)).toBe(': 995 more lines are not understood');
  });

  it('of a plan has thousands of spots', () => {
    const lines = Array.from({ length: 50_000 }, (_, i) => `0.1 0.0007 ${(i % 90) / 10} 0.0 0.9 0.6 1e7`);
    expect(parse(lines.join('\n')).spots).toHaveLength(50_000);
  });

  it('is in the plane of the isocentre: with a source-to-axis distance spots start nearer to the axis', () => {
    const { spots } = parse('0.15 5 -4 1 1');
    const start = { position: [0, 0, -50] as const, direction: [0, 0, 1] as const };
    const list = fanOut(spots, { x: 200, y: 250 }, start);
    expect(list?.sourceCm).toEqual({ x: 150, y: 200 });
    expect(list?.spots[0]?.xCm).toBeCloseTo(3.75, 12);
    expect(list?.spots[0]?.yCm).toBeCloseTo(-3.2, 12);
    expect(fanOut(spots, { x: 40, y: 250 }, start)).toBeUndefined();
  });
});

describe('beams of a spot list', () => {
  const BEAM: Project['beam'] = {
    position: [0, 0, -50],
    direction: [0, 0, 2],
    energyUnit: 'MeV',
    energy: 165,
    energySpread: 1,
    energyLowCutoff: 0,
    energyHighCutoff: 1000,
    sigma: { type: 'Flat square', x: 3, y: 3 },
    sad: { type: 'double', x: 200, y: 250 },
    divergence: { x: 0, y: 0, distanceToFocal: 0 },
    particle: { id: 2 },
    numberOfParticles: 1000,
    sourceType: 'file',
    sourceFile: { name: 'plan.dat', value: '0.15 5 -4 1 2\n0.1 0 0 1 3\n' },
  };

  it('go through their places in the plane of the isocentre', () => {
    const report = createConversionReport();
    const beams = listBeams(BEAM, PROTON, report);
    expect(report.items).toEqual([]);
    expect(beams.map(({ weight, beam }) => [weight, beam.energy, beam.sigma.type])).toEqual([
      [2, 150, 'Gaussian'],
      [3, 100, 'Gaussian'],
    ]);
    const [first] = beams;
    const [x = 0, y = 0, z = 0] = first?.beam.position ?? [];
    const [u = 0, v = 0, w = 1] = first?.beam.direction ?? [];
    expect(x - (z * u) / w).toBeCloseTo(5, 12);
    expect(y - (z * v) / w).toBeCloseTo(-4, 12);
    expect(beams[1]?.beam.direction).toEqual([0, 0, 1]);
  });

  it('are the one beam where its source is no file; a file that is not there is named', () => {
    const report = createConversionReport();
    const simple = { ...BEAM, sourceType: 'simple' as const };
    expect(listBeams(simple, PROTON, report)).toEqual([{ beam: simple, weight: 1 }]);
    expect(readSpotList({ ...BEAM, sourceFile: undefined }, PROTON, 1, report)).toBeUndefined();
    expect(report.items.map(({ path }) => path)).toEqual(['/beam/sourceFile']);
  });
});
