import { describe, expect, it } from '@jest/globals';
import { fuzz } from '../../../test/output/mutate.js';
import { createOutputReport } from '../../output/output-report.js';
import { TextReader } from '../../output/text-reader.js';
import { readScorer } from './read-scorer.js';

const headOf = (version = '3.9') => [
  `# TOPAS Version: ${version}`,
  '# Parameter File: mine.txt',
  '# Results for scorer: Dose',
  '# Scored in component: Phantom',
];
const HEAD = headOf();
const axesOf = (nx: number, ny: number, nz: number) =>
  ['X', 'Y', 'Z'].map((axis, index) => `# ${axis} in ${[nx, ny, nz][index]} bins of ${index + 1} cm`);
const AXES = ['# X in 2 bins of 1 cm', '# Y in 1 bin  of 5 mm', '# Z in 3 bins of 2 cm'];
const COLUMNS = '# DoseToMedium ( Gy ) : Sum   Mean   Standard_Deviation   ';
const FLUENCE = '# Fluence ( /mm2 ) : Mean   Standard_Deviation   ';
const INCIDENT = '# Binned by incident track energy in 2 bins of 5 MeV from 0 MeV to 10 MeV';
/** Mean of a cell: 10·x + z, in a run of 4. */
const ROWS = [
  '0, 0, 0, 0, 0, 0',
  '0, 0, 1, 4, 1, 0.5',
  '0, 0, 2, 8, 2, 0',
  '1, 0, 0, 40, 10, 0',
  '1, 0, 1, 44, 11, 0',
  '1, 0, 2, 48, 12, 1e-1',
];
const IN_ORDER = Float64Array.of(0, 40, 4, 44, 8, 48);
const encode = (...lines: string[]) => new TextEncoder().encode([...lines, ''].join('\n'));
const mesh = encode(...HEAD, ...AXES, COLUMNS, ...ROWS);
const PRIMARIES = 4;

function readAll(bytes: Uint8Array) {
  const report = createOutputReport();
  const file = readScorer(new TextReader(bytes, 'Dose.csv'), {
    file: 'Dose.csv',
    primaries: PRIMARIES,
    events: PRIMARIES,
    report,
  });
  return { ...file, warnings: report.warnings() };
}
function read(bytes: Uint8Array) {
  const { pages, ...file } = readAll(bytes);
  const [page] = pages;
  if (page === undefined) throw new Error('no page');
  return { page, ...file };
}

describe('the CSV of a scorer', () => {
  it('is read by the names of its columns and brought into our order', () => {
    const { page, hasErrors, warnings } = read(mesh);
    expect(hasErrors).toBe(true);
    expect(warnings).toEqual([]);
    expect(page).toMatchObject({ item: 'Dose', title: 'DoseToMedium', unit: 'Gy', kind: 'linear' });
    expect(page.axes).toEqual([
      { name: 'x', unit: 'cm', lower: 0, upper: 2, bins: 2, isLog: false },
      { name: 'y', unit: 'cm', lower: 0, upper: 0.5, bins: 1, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 6, bins: 3, isLog: false },
    ]);
    expect(page.moments[0]).toEqual(IN_ORDER);
    expect(page.moments[1]?.[2]).toBeCloseTo(3 * 0.25 + 4 * 1, 12);
  });

  it.each([
    ['the last index fastest', ROWS],
    ['the first index fastest', [0, 3, 1, 4, 2, 5].map((row) => ROWS[row] ?? '')],
    ['no order at all', [5, 0, 3, 2, 4, 1].map((row) => ROWS[row] ?? '')],
  ])('has its rows placed by their indices: %s', (_, rows) => {
    expect(read(encode(...headOf('4.2'), ...AXES, COLUMNS, ...rows)).page.moments[0]).toEqual(IN_ORDER);
  });

  it('may have a single index', () => {
    const line = '# Using single index calculated as X * NY * NZ + Y * NZ + Z';
    const rows = ROWS.map((row, index) => row.replace(/^\d, \d, \d/, String(index)));
    expect(read(encode(...HEAD, ...AXES, COLUMNS, line, ...rows)).page.moments[0]).toEqual(IN_ORDER);
  });

  it('may leave out rows of zero, if it says so', () => {
    const line = '# Showing only rows that have sum > 0 Gy';
    const { page } = read(encode(...HEAD, ...AXES, COLUMNS, line, ROWS[4] ?? '', ROWS[1] ?? ''));
    expect(page.moments[0]).toEqual(Float64Array.of(0, 0, 4, 44, 0, 0));
    expect(read(encode(...HEAD, ...AXES, COLUMNS, line)).page.moments[0]).toEqual(new Float64Array(6));
  });

  it('without bins is one number', () => {
    const { page } = read(encode(...HEAD, FLUENCE, '0.5, 0.1'));
    expect(page).toMatchObject({ axes: [], unit: '/mm2' });
    expect(page.moments[0]).toEqual(Float64Array.of(2));
  });

  it('with sums alone has values without errors', () => {
    const { page, hasErrors } = read(encode(...HEAD, '# DoseToWater ( Gy ) : Sum', '12'));
    expect(hasErrors).toBe(false);
    expect(page.moments).toEqual([Float64Array.of(12), Float64Array.of(36)]);
  });

  it('of an average is no sum', () => {
    const { page } = read(encode(...HEAD, '# ProtonLET ( MeV/mm/(g/cm3) ) : Mean', '5'));
    expect(page).toMatchObject({ kind: 'average', isPerPrimary: false });
    expect(page.moments).toEqual([Float64Array.of(20), Float64Array.of(100)]);
  });
});

describe('spectra', () => {
  /** Rows of a mesh of 2 × 1 × 2 cells without indices: 10·x + z in the first bin, 1 more in the second. */
  const cells = (order: readonly (readonly [x: number, z: number])[], outside: number) =>
    order.map(([x, z]) => {
      const mean = 10 * x + z;
      return ['9, 9', `${mean}, 0`, `${mean + 1}, 0`, ...Array<string>(outside).fill('9, 9')].join(', ');
    });
  const lastFastest = [[0, 0], [0, 1], [1, 0], [1, 1]] as const; // biome-ignore format: one line
  const firstFastest = [[0, 0], [1, 0], [0, 1], [1, 1]] as const; // biome-ignore format: one line
  const sums = Float64Array.of(0, 40, 4, 44, 4, 44, 8, 48);

  it.each([
    ['3.9', lastFastest],
    ['3.6.1', lastFastest],
    ['4.0', firstFastest],
    ['4.2.p3', firstFastest],
  ])('of version %s have rows in its order, without indices', (version, order) => {
    const { page, warnings } = read(
      encode(...headOf(version), ...axesOf(2, 1, 2), FLUENCE, INCIDENT, ...cells(order, 2)),
    );
    expect(page.axes[3]).toEqual({ name: 'E', unit: 'MeV', lower: 0, upper: 10, bins: 2, isLog: false });
    expect(page).toMatchObject({ isIntegrated: true, differentialAxes: 1 });
    expect(page.moments[0]).toEqual(sums);
    expect(warnings).toEqual([]);
  });

  it('of a version that is not known say what was assumed', () => {
    const { page, warnings } = read(
      encode(...headOf('mine'), ...axesOf(2, 1, 2), FLUENCE, INCIDENT, ...cells(lastFastest, 2)),
    );
    expect(page.moments[0]).toEqual(sums);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED', message: expect.stringContaining('version') }]);
  });

  it.each([
    ['pre-step energy in 2 bins of 5 MeV from 0 MeV to 10 MeV', 1, { name: 'E', unit: 'MeV', upper: 10 }],
    ['energy deosited in step in 2 bins of 5 keV from 0 keV to 10 keV', 1, { name: 'E', unit: 'MeV', upper: 0.01 }],
    ['primary track energy in 2 bins of 5 MeV from 0 MeV to 10 MeV', 1, { name: 'E', unit: 'MeV', upper: 10 }],
    ['time in 2 bins of 5 ns from 0 ns to 10 ns', 1, { name: 'time', unit: 'ns', upper: 10 }],
    ['incident track energy in 2 bins of 5 MeV from 0 MeV to 10 MeV', 2, { name: 'E', unit: 'MeV', upper: 10 }],
  ])('by %s have %d groups behind the bins', (what, outside, axis) => {
    const { page } = read(encode(...HEAD, ...axesOf(2, 1, 2), FLUENCE, `# Binned by ${what}`, ...cells(lastFastest, outside))); // biome-ignore format: one line
    expect(page.axes[3]).toMatchObject(axis);
    expect(page.moments[0]).toEqual(sums);
  });

  it('on a logarithmic axis are known by the width of their bins', () => {
    const line = '# Binned by incident track energy in 2 bins of 1.5 MeV from 0.1 MeV to 100 MeV';
    const { page } = read(encode(...HEAD, FLUENCE, line, '9, 9, 1, 0, 2, 0, 9, 9, 9, 9'));
    expect(page.axes).toEqual([{ name: 'E', unit: 'MeV', lower: 0.1, upper: 100, bins: 2, isLog: true }]);
  });

  it('of no bins are single numbers', () => {
    const line = '# Binned by incident track energy in 0 bins of 0 MeV from 0 MeV to 0 MeV';
    expect(read(encode(...HEAD, FLUENCE, line, '0.5, 0.1')).page).toMatchObject({ axes: [], isIntegrated: false });
  });
});

describe('what else a scorer reports', () => {
  it.each([
    ['Variance', '0.25'],
    ['Second_Moment', '0.75'],
    ['Standard_Deviation', '0.5'],
  ])('%s gives errors', (name, value) => {
    const { page, hasErrors } = read(encode(...HEAD, `# DoseToWater ( Gy ) : Sum   ${name}`, `8, ${value}`));
    expect(hasErrors).toBe(true);
    expect(page.moments).toEqual([Float64Array.of(8), Float64Array.of(3 * 0.25 + 4 * 4)]);
  });

  it('the histories in which it was active make sums of means', () => {
    const columns = '# DoseToWater ( Gy ) : Mean   Histories_with_Scorer_Active   ';
    expect(read(encode(...HEAD, columns, '8, 3')).page.moments[0]).toEqual(Float64Array.of(24));
  });

  it('counts, least and most are pages of their own', () => {
    const columns = '# DoseToWater ( Gy ) : Sum   Count_in_Bin   Min   Max   ';
    const { pages, warnings } = readAll(
      encode(...HEAD, ...axesOf(2, 1, 1), columns, '0, 0, 0, 8, 3, 1, 4', '1, 0, 0, 0, 0, 9e+99, -9e+99'),
    );
    expect(pages.map(({ title, kind, unit, moments }) => [title, kind, unit, [...(moments[0] ?? [])]])).toEqual([
      ['DoseToWater', 'linear', 'Gy', [8, 0]],
      ['DoseToWater Count_in_Bin', 'counter', '1', [3, 0]],
      ['DoseToWater Min', 'map', 'Gy', [1, Number.NaN]],
      ['DoseToWater Max', 'map', 'Gy', [4, Number.NaN]],
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('Dose.csv: Min is that of the first task'),
      expect.stringContaining('Dose.csv: Max is that of the first task'),
    ]);
  });

  it('alone is shown too', () => {
    expect(read(encode(...HEAD, '# DoseToWater ( Gy ) : Max', '1')).page).toMatchObject({ kind: 'map', item: 'Dose Max' }); // biome-ignore format: one line
    expect(read(encode(...HEAD, '# DoseToWater ( Gy ) : Novelty', '1'))).toMatchObject({
      page: { kind: 'average', title: 'DoseToWater Novelty' },
      warnings: [{ code: 'OUTPUT_ASSUMED' }],
    });
  });

  it('of a quantity that is not known is taken as a sum, with a warning', () => {
    const { page, warnings } = read(encode(...HEAD, '# RBE_Special : Mean', '2'));
    expect(page).toMatchObject({ kind: 'linear', title: 'RBE_Special', unit: '1' });
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED', message: expect.stringContaining('"RBE_Special"') }]);
  });

  it('in warnings of the simulator is passed on', () => {
    const warning = '# Warning: Some steps were not scored.';
    expect(read(encode(...HEAD, warning, FLUENCE, '0.5, 0.1')).warnings).toEqual([
      { code: 'SIMULATOR_WARNING', message: 'Dose.csv: Some steps were not scored.' },
    ]);
  });

  it('as a histogram of volumes is a page over the quantity', () => {
    const { page, warnings } = read(
      encode(
        ...HEAD.map((line) => line.replace('scorer', 'Scorer')),
        '# Cumulative Volume Histogram over number of voxels: 8',
        '# BinNumber, LowerLimit of DoseToMedium ( Gy ), Value',
        '0, 0, 1',
        '1, 0.5, 0.25',
      ),
    );
    expect(page).toMatchObject({ title: 'DoseToMedium Cumulative volume histogram', kind: 'average', unit: '1' });
    expect(page.axes).toEqual([{ name: 'DoseToMedium', unit: 'Gy', lower: 0, upper: 1, bins: 2, isLog: false }]);
    expect(page.moments[0]).toEqual(Float64Array.of(4, 1));
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED' }]);
  });
});

describe('a file that no scorer writes', () => {
  it.each([
    ['nothing', [], 'line 0: is not "# TOPAS Version'],
    ['another text', ['x,y'], 'line 1: is not "# TOPAS Version'],
    ['a head alone', HEAD, 'line 4: ends the head, and there is no "# <quantity>'],
    ['two axes', [...HEAD, ...AXES.slice(1), COLUMNS, '0, 0, 1, 1, 1'], 'line 7: ends the head after 2 axes, not 3'],
    ['fewer rows than cells', [...HEAD, ...AXES, COLUMNS, ...ROWS.slice(1)], 'the last of 5 rows, and the head has 6'],
    ['more rows than cells', [...HEAD, ...AXES, COLUMNS, ...ROWS, ROWS[0] ?? ''], 'line 15: is one row more'],
    ['a cell twice', [...HEAD, ...AXES, COLUMNS, ...ROWS.slice(1), ROWS[2] ?? ''], 'had one before'],
    ['a cell that is not there', [...HEAD, ...AXES, COLUMNS, '2, 0, 0, 0, 0, 0'], 'line 9: is of a cell beyond'],
    ['a row that is cut', [...HEAD, ...AXES, COLUMNS, ...ROWS.slice(1), '0, 0, 0, 1'], 'line 14: has 4 columns, not 6'],
    ['a row of words', [...HEAD, ...AXES, COLUMNS, '0, 0, 0, a, b, c'], 'line 9: "a" is not a number'],
    ['cells that overflow', [...HEAD, ...AXES.map((axis) => axis.replace(/in \d/, 'in 999999999')), COLUMNS, ...ROWS]],
    ['more zeros than can be held', [...HEAD, ...axesOf(999, 999, 999), COLUMNS, '# Showing only rows that'], 'held'],
    [
      'bins of energy that are not there',
      [...HEAD, COLUMNS, '# Binned by energy in 999999999 bins of 1 MeV from 0 MeV to 1 MeV', '1'],
    ],
  ])('is refused: %s', (_, lines, message = '') => {
    expect(() => read(encode(...lines))).toThrow(
      expect.objectContaining({
        name: 'OutputError',
        reason: 'UNREADABLE',
        message: expect.stringContaining(message),
      }),
    );
  });

  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const before = process.memoryUsage().rss;
    const row = '0, 0, 1, 1, 2, 0, 0, 0, 0, 0';
    const spectrum = encode(...HEAD, ...axesOf(1, 1, 2), FLUENCE, INCIDENT, row, row);
    const report = fuzz([mesh, encode(...HEAD, FLUENCE, '0.5, 0.1'), spectrum], 100_000, read);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  });
});
