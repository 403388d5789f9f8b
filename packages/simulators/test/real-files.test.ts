import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { TaskPage } from '@tally/merge';
import { createOutputReport } from '../src/output/output-report.js';
import { toTaskOutput } from '../src/output/task-pages.js';
import { TextReader } from '../src/output/text-reader.js';
import { readBdo } from '../src/sim-a/output/read-bdo.js';
import { readScorer } from '../src/sim-d/output/read-scorer.js';

/** Where files lie that the real programs wrote; they are not ours to give on. */
const FOLDER = process.env.TALLY_REAL_FILES;
const PRIMARIES = 1000;

function readPages(name: string) {
  const bytes = readFileSync(path.join(FOLDER ?? '', name));
  const report = createOutputReport();
  const isBdo = name.endsWith('.bdo');
  const { primaries = PRIMARIES, pages } = isBdo
    ? readBdo(bytes, { fileName: name, file: name, report })
    : {
        pages: readScorer(new TextReader(bytes, name), { file: name, primaries: PRIMARIES, events: PRIMARIES, report })
          .pages,
      };
  const output = toTaskOutput({ engine: '', primaries, batches: 1, pages, report }, undefined);
  return { primaries, pages: output.pages, warnings: output.warnings };
}

const NAMES = ['fluence_elin.bdo', 'fluence_elog.bdo', 'fluence_2d_lin.bdo', 'topas-3.9-energy-bins.csv', 'topas-3.9-time-bins.csv'] as const; // biome-ignore format: one line
const isThere = FOLDER !== undefined && NAMES.every((name) => existsSync(path.join(FOLDER, name)));
const reason = isThere ? '' : ` (skipped: TALLY_REAL_FILES is no folder with ${NAMES[0]} and its like)`;

(isThere ? describe : describe.skip)(`files that the real programs wrote${reason}`, () => {
  it.each([
    ['fluence_elin.bdo', '/cm^2/MeV/prim', [['E', 'MeV', 10, 5.0095, 95.0005]], 0.007942723588],
    ['fluence_elog.bdo', '/cm^2/MeV/prim', [['E', 'MeV', 10, 0.0158489319, 63.0957344448]], 0.191535625118],
    [
      'fluence_2d_lin.bdo',
      '/cm^2/MeV/deg/prim',
      [
        ['E', 'MeV', 10, 5.0095, 95.0005],
        ['ANGLE', 'deg', 5, 0.314, 2.826],
      ],
      1.43973e-7,
    ],
  ])('%s has the axes and values that its deck asks for', (name, unit, axes, first) => {
    const { primaries, pages, warnings } = readPages(name);
    expect([primaries, warnings]).toEqual([100, undefined]);
    expect(pages).toMatchObject([{ pageName: 'FLUENCE', kind: 'linear', unit }]);
    expect(pages[0]?.axes.map(describeAxis)).toEqual(axes.map(near));
    expect(pages[0]?.moments[0]?.[0]).toBeCloseTo(first, 11);
  });

  it.each([
    [
      'topas-3.9-energy-bins.csv',
      'Gy/prim/(MeV)',
      [
        ['x', 'cm', 4, 0.375, 2.625],
        ['y', 'cm', 4, 0.375, 2.625],
        ['E', 'MeV', 10, 5, 95],
      ],
      { cells: [4, 4], groups: 2, before: 1, widths: 10 },
    ],
    [
      'topas-3.9-time-bins.csv',
      '1/prim/(ns)',
      [
        ['r', 'cm', 2, 1.25, 3.75],
        ['phi', 'deg', 2, 25, 75],
        ['time', 'ns', 10, 5, 95],
      ],
      { cells: [2, 2], groups: 1, before: 1, widths: 10 },
    ],
  ])('%s has the axes and values that its head and rows say', (name, unit, axes, { cells, groups, before, widths }) => {
    const { pages, warnings } = readPages(name);
    expect(warnings).toBeUndefined();
    expect(pages).toMatchObject([{ kind: 'linear', unit }]);
    expect(pages[0]?.axes.map(describeAxis)).toEqual(axes.map(near));
    // rows have the last index fastest, and groups of columns before and behind the bins
    const rows = readFileSync(path.join(FOLDER ?? '', name), 'utf8')
      .split('\n')
      .filter((line) => /^\s*\d/.test(line));
    const [nx = 1, ny = 1] = cells;
    const expected = Array.from({ length: 10 * nx * ny }, (_, at) => {
      const [x, y, bin] = [at % nx, Math.floor(at / nx) % ny, Math.floor(at / (nx * ny))];
      const mean = Number(rows[y + ny * x]?.split(',')[(bin + before) * groups]);
      return (mean * PRIMARIES) / widths;
    });
    expect(expected.some((value) => value > 0)).toBe(true);
    expect([...(pages[0]?.moments[0] ?? [])]).toEqual(expected.map((value) => expect.closeTo(value, 20)));
  });
});

type Axis = readonly (string | number)[];

/** Name, unit, bins, and the middle of the first and of the last of them. */
function describeAxis({ name, unit, centers }: TaskPage['axes'][number]): Axis {
  return [name, unit, centers.length, centers[0] ?? Number.NaN, centers.at(-1) ?? Number.NaN];
}

function near(axis: Axis): unknown[] {
  return axis.map((value) => (typeof value === 'number' ? expect.closeTo(value, 8) : value));
}
