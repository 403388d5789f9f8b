import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { fuzz } from '../../test/output/mutate.js';
import { folderOf } from '../../test/output/output-folder.js';
import type { Manifest } from '../driver.js';
import { TextReader } from '../output/text-reader.js';
import { readOutputs } from './outputs.js';
import { readScorer } from './read-csv.js';

const HEAD = [
  '# TOPAS Version: 3.9',
  '# Parameter File: topas_config.txt',
  '# Results for scorer: Dose',
  '# Scored in component: Phantom',
];
const AXES = ['# X in 2 bins of 1 cm', '# Y in 1 bin  of 5 mm', '# Z in 3 bins of 2 cm'];
const COLUMNS = '# DoseToMedium ( Gy ) : Sum   Mean   Standard_Deviation';
/** Mean of a cell: 10·x + z, in a run of 4. */
const ROWS = [
  '0, 0, 0, 0, 0, 0',
  '0, 0, 1, 4, 1, 0.5',
  '0, 0, 2, 8, 2, 0',
  '1, 0, 0, 40, 10, 0',
  '1, 0, 1, 44, 11, 0',
  '1, 0, 2, 48, 12, 1e-1',
];
const encode = (...lines: string[]) => new TextEncoder().encode([...lines, ''].join('\n'));
const mesh = encode(...HEAD, ...AXES, COLUMNS, ...ROWS);
const read = (bytes: Uint8Array) => readScorer(new TextReader(bytes, 'Dose.csv'), 'Dose.csv', 4);

describe('the CSV of a scorer', () => {
  it('is read by the names of its columns and brought into our order', () => {
    const { page, hasErrors } = read(mesh);
    expect(hasErrors).toBe(true);
    expect(page).toMatchObject({ item: 'Dose', title: 'DoseToMedium', unit: 'Gy', kind: 'linear' });
    expect(page.axes).toEqual([
      { name: 'x', unit: 'cm', lower: 0, upper: 2, bins: 2, isLog: false },
      { name: 'y', unit: 'cm', lower: 0, upper: 0.5, bins: 1, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 6, bins: 3, isLog: false },
    ]);
    expect(page.moments[0]).toEqual(Float64Array.of(0, 40, 4, 44, 8, 48));
    expect(page.moments[1]?.[2]).toBeCloseTo(3 * 0.25 + 4 * 1, 12);
  });

  it('without bins is one number', () => {
    const { page } = read(encode(...HEAD, '# Fluence ( /mm2 ) : Mean   Standard_Deviation', '0.5, 0.1'));
    expect(page).toMatchObject({ axes: [], unit: '/mm2' });
    expect(page.moments[0]).toEqual(Float64Array.of(2));
  });

  it('with bins of energy leaves out what lies below, above and without a track', () => {
    const binned = '# Binned by incident track energy in 2 bins of 5 MeV from 0 MeV to 10 MeV';
    const columns = '# Fluence ( /mm2 ) : Mean   Standard_Deviation';
    const cells = (z: number) => `0, 0, ${z}, 9, 9, ${z + 1}, 0, ${z + 3}, 0, 9, 9, 9, 9`;
    const axes = ['# X in 1 bin  of 1 cm', '# Y in 1 bin  of 1 cm', '# Z in 2 bins of 1 cm'];
    const { page } = read(encode(...HEAD, ...axes, columns, binned, cells(0), cells(1)));
    expect(page.axes[3]).toEqual({ name: 'E', unit: 'MeV', lower: 0, upper: 10, bins: 2, isLog: false });
    expect(page).toMatchObject({ isIntegrated: true, differentialAxes: 1 });
    expect(page.moments[0]).toEqual(Float64Array.of(4, 8, 12, 16));
  });

  it('with sums alone has values without errors', () => {
    const { page, hasErrors } = read(encode(...HEAD, '# DoseToWater ( Gy ) : Sum', '12'));
    expect(hasErrors).toBe(false);
    expect(page.moments).toEqual([Float64Array.of(12), Float64Array.of(36)]);
  });

  it('of an average is no sum', () => {
    const { page } = read(encode(...HEAD, '# ProtonLET ( MeV/mm/(g/cm3) ) : Sum', '5'));
    expect(page).toMatchObject({ kind: 'average', isPerPrimary: false });
    expect(page.moments).toEqual([Float64Array.of(20), Float64Array.of(100)]);
  });

  it.each([
    ['nothing', []],
    ['another text', ['x,y']],
    ['a head alone', [...HEAD]],
    ['no column that is read', [...HEAD, '# Dose : Max', '1']],
    ['two axes', [...HEAD, ...AXES.slice(1), COLUMNS, '0, 0, 1, 1, 1']],
    ['fewer rows than cells', [...HEAD, ...AXES, COLUMNS, ...ROWS.slice(1)]],
    ['more rows than cells', [...HEAD, ...AXES, COLUMNS, ...ROWS, ROWS[0] ?? '']],
    ['rows out of order', [...HEAD, ...AXES, COLUMNS, ...ROWS.toReversed()]],
    ['a row that is cut', [...HEAD, ...AXES, COLUMNS, '0, 0, 0, 1']],
    ['cells that overflow', [...HEAD, ...AXES.map((axis) => axis.replace(/in \d/, 'in 999999999')), COLUMNS, ...ROWS]],
    [
      'bins of energy that are not there',
      [...HEAD, COLUMNS, '# Binned by energy in 999999999 bins of 1 MeV from 0 MeV to 1 MeV', '1'],
    ],
  ])('refuses %s', (_, lines) => {
    expect(() => read(encode(...lines))).toThrow(
      expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }),
    );
  });

  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const before = process.memoryUsage().rss;
    const report = fuzz(
      [mesh, encode(...HEAD, '# Fluence ( /mm2 ) : Mean   Standard_Deviation', '0.5, 0.1')],
      100_000,
      read,
    );
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  }, 180_000);
});

describe('outputs of a task', () => {
  const axis = (name: string, lower: number, upper: number, bins: number) => ({
    name,
    unit: 'cm',
    lower,
    upper,
    bins,
    isLog: false,
  });
  const manifest: Manifest = {
    driver: 'simD',
    estimators: [
      {
        name: 'Box',
        outputUuid: 'o',
        pages: [
          {
            pageNumber: 1,
            name: 'mine',
            quantityUuid: 'q',
            isAbsolute: false,
            source: {
              file: 'Dose.csv',
              item: 'Dose',
              keyword: 'Dose',
              axes: [axis('x', 5, 7, 2), axis('y', 0, 0.5, 1), axis('z', -3, 3, 3)],
            },
          },
        ],
      },
    ],
  };
  const files = { 'topas_config.txt': 'i:So/A/NumberOfHistoriesInRun = 4\n', 'Dose.csv': mesh };

  it('have the positions of the deck, the unit of the quantity, and errors from single histories', async () => {
    const folder = folderOf({ ...files, 'manifest.json': JSON.stringify(manifest) });
    const { primaries, batches, pages } = await readOutputs(folder, 'd');
    expect([primaries, batches]).toEqual([4, 4]);
    const [page] = pages;
    if (page === undefined) throw new Error('no page');
    expect(page).toMatchObject({ estimatorName: 'Box', pageName: 'mine', unit: 'MeV/g/prim' });
    expect(page.axes.map(({ centers }) => centers)).toEqual([
      [5.5, 6.5],
      [-2, 0, 2],
    ]);
    const merged = mergePage(page, [{ primaries, batches, moments: page.moments }]);
    const mevPerGray = 1 / 1.602176634e-10;
    expect((merged.values[2] ?? 0) / mevPerGray).toBeCloseTo(1, 12);
    // the standard deviation of histories, over the root of their number
    expect((merged.errors[2] ?? 0) / mevPerGray).toBeCloseTo(0.5 / 2, 12);
  });

  it('are one batch where a scorer gives no deviations', async () => {
    const sums = encode(...HEAD.map((line) => line.replace('Dose', 'Other')), '# DoseToWater ( Gy ) : Sum', '12');
    const { batches, pages } = await readOutputs(folderOf({ ...files, 'Other.csv': sums, 'mine.csv': '1,2' }), 'd');
    expect(batches).toBe(1);
    expect(pages.map(({ estimatorName, pageName }) => [estimatorName, pageName])).toEqual([
      ['Dose', 'DoseToMedium'],
      ['Other', 'DoseToWater'],
    ]);
    expect(pages[0]?.moments[1]?.[1]).toBe((40 * 40) / 4);
  });

  it('are missing without the file that the manifest names', async () => {
    const { 'Dose.csv': _, ...rest } = files;
    const folder = folderOf({ ...rest, 'manifest.json': JSON.stringify(manifest) });
    await expect(readOutputs(folder, 'd')).rejects.toMatchObject({ reason: 'MISSING', fileName: 'Dose.csv' });
  });
});
