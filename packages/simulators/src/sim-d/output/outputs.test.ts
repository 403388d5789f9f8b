import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { folderOf } from '../../../test/output/output-folder.js';
import type { Manifest } from '../../driver.js';
import { readOutputs } from './outputs.js';

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

describe('outputs of a task', () => {
  const axis = (name: string, lower: number, upper: number, bins: number) => ({
    name,
    unit: 'cm',
    lower,
    upper,
    bins,
    isLog: false,
  });
  const manifestOf = (xBins: number): Manifest => ({
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
              axes: [axis('x', 5, 7, xBins), axis('y', 0, 0.5, 1), axis('z', -3, 3, 3)],
            },
          },
        ],
      },
    ],
  });
  const manifest = manifestOf(2);
  const files = { 'topas_config.txt': 's:So/A/Type = "Beam"\ni:So/A/NumberOfHistoriesInRun = 4\n', 'Dose.csv': mesh };

  it('have the positions of the deck, the unit of the quantity, and errors from single histories', async () => {
    const folder = folderOf({ ...files, 'manifest.json': JSON.stringify(manifest) });
    const { primaries, batches, pages, warnings } = await readOutputs(folder, 'd', 4);
    expect([primaries, batches, warnings]).toEqual([4, 4, undefined]);
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

  it('are per primary of all sources, though what the simulator calls a history has one of each', async () => {
    const deck = [
      's:So/A/Type = "Beam"',
      's:So/B/Type = "Beam"',
      'i:So/A/NumberOfHistoriesInRun = 2',
      'i:So/B/NumberOfHistoriesInRun = 1',
      'i:Tf/NumberOfSequentialTimes = 2',
    ].join('\n');
    const { primaries, batches, pages } = await readOutputs(folderOf({ ...files, 'topas_config.txt': deck }), 'd', 6);
    expect([primaries, batches]).toEqual([6, 4]);
    const [page] = pages;
    if (page === undefined) throw new Error('no page');
    const merged = mergePage(page, [{ primaries, batches, moments: page.moments }]);
    // the sum of the cell is 4, and its deviation that of the four events
    expect(merged.values[2]).toBeCloseTo(4 / 6, 12);
    expect(merged.errors[2]).toBeCloseTo((4 / 6) * (0.5 / 2), 12);
  });

  it('with other bins than the deck asks for are shown as they are', async () => {
    const folder = folderOf({ ...files, 'manifest.json': JSON.stringify(manifestOf(7)) });
    const { pages, warnings } = await readOutputs(folder, 'd', 4);
    expect(pages[0]?.axes.map(({ centers }) => centers)).toEqual([
      [0.5, 1.5],
      [1, 3, 5],
    ]);
    expect(warnings).toEqual([
      { code: 'OUTPUT_ASSUMED', message: expect.stringContaining('"Dose" has 2 × 3 bins, not 7 × 3') },
    ]);
  });

  it('are one batch where a scorer gives no deviations', async () => {
    const sums = encode(...HEAD.map((line) => line.replace('Dose', 'Other')), '# DoseToWater ( Gy ) : Sum', '12');
    const { batches, pages } = await readOutputs(folderOf({ ...files, 'Other.csv': sums, 'mine.csv': '1,2' }), 'd', 4);
    expect(batches).toBe(1);
    expect(pages.map(({ estimatorName, pageName }) => [estimatorName, pageName])).toEqual([
      ['Dose', 'DoseToMedium'],
      ['Other', 'DoseToWater'],
    ]);
    expect(pages[0]?.moments[1]?.[1]).toBe((40 * 40) / 4);
  });

  it('are read from binary files by their heads, first index fastest', async () => {
    const head = encode(...HEAD, ...AXES, COLUMNS, '# Binary file: out/Dose.bin');
    const numbers = [0, 1].flatMap((x) => [0, 1, 2].map((z) => ({ x, z })));
    const bytes = Buffer.alloc(6 * 3 * 8);
    for (const { x, z } of numbers) {
      for (const [column, value] of [4 * (10 * x + z), 10 * x + z, 0].entries()) {
        bytes.writeDoubleLE(value, ((x + 2 * z) * 3 + column) * 8);
      }
    }
    const { 'topas_config.txt': deck } = files;
    const folder = { 'topas_config.txt': deck, 'Dose.binheader': head, 'Dose.bin': bytes };
    const [page] = (await readOutputs(folderOf(folder), 'd', 4)).pages;
    expect(page?.estimatorName).toBe('Dose');
    expect(page?.moments[0]).toEqual(Float64Array.of(0, 40, 4, 44, 8, 48));
    const cut = { ...folder, 'Dose.bin': bytes.subarray(8) };
    await expect(readOutputs(folderOf(cut), 'd', 4)).rejects.toThrow('Dose.bin: has 136 bytes, not 144');
    const { 'Dose.bin': _, ...missing } = folder;
    await expect(readOutputs(folderOf(missing), 'd', 4)).rejects.toMatchObject({ reason: 'MISSING' });
  });

  it('are missing without the file that the manifest names', async () => {
    const { 'Dose.csv': _, ...rest } = files;
    const folder = folderOf({ ...rest, 'manifest.json': JSON.stringify(manifest) });
    await expect(readOutputs(folder, 'd', 4)).rejects.toMatchObject({ reason: 'MISSING', fileName: 'Dose.csv' });
  });
});
