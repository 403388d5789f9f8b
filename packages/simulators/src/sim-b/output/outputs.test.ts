import { describe, expect, it } from '@jest/globals';
import { BinaryWriter } from '../../../test/output/binary-writer.js';
import { folderOf } from '../../../test/output/output-folder.js';
import { writeOldHead, writeUsrbin, writeUsrHead } from '../../../test/output/usr-file.js';
import type { Manifest, PageSource } from '../../driver.js';
import { readOutputs } from './outputs.js';

const grid = (low: number, high: number, bins: number) => ({ low, high, bins });
const GRIDS = [grid(-5, 5, 4), grid(-0.1, 0.1, 1), grid(0, 5, 4)];
const DATA = Array.from({ length: 16 }, (_, i) => i / 8);
const usrbin = (
  values: Partial<Parameters<typeof writeUsrbin>[1]> = {},
  writer = writeUsrHead(new BinaryWriter(), 20),
) => writeUsrbin(writer, { name: 'dose_xz', type: 10, quantity: 208, grids: GRIDS, data: DATA, ...values });

describe('outputs of a task', () => {
  const manifestOf = (source: Omit<PageSource, 'file' | 'item'>, scale = 1): Manifest => ({
    driver: 'simB',
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
            scale,
            source: { file: '21', item: 'dose_xz', ...source },
          },
        ],
      },
    ],
  });
  const folder = (manifest: Manifest, bytes: Uint8Array) =>
    folderOf({ 'fl_sim001_fort.21': bytes, 'fl_sim001.out': 'text', 'manifest.json': JSON.stringify(manifest) });

  it('are in the unit that the quantity is shown in', async () => {
    const bytes = usrbin({ quantity: 228 }).bytes();
    const [gray, mev] = await Promise.all(
      ['DoseGy', 'Dose'].map(
        async (keyword) => (await readOutputs(folder(manifestOf({ keyword }, 3), bytes), 'b', 50)).pages[0],
      ),
    );
    expect(mev).toMatchObject({ estimatorName: 'Box', pageName: 'mine', unit: 'MeV/g/prim', scale: 3 });
    expect(gray?.unit).toBe('Gy/prim');
    expect(gray?.scale).toBeCloseTo(3 * 1.602176634e-10, 20);
  });

  it('are energies in bins, not densities, where energy was asked for', async () => {
    const output = await readOutputs(folder(manifestOf({ keyword: 'Energy' }), usrbin().bytes()), 'b', 50);
    const volume = 2.5 * 0.2 * 1.25;
    expect(output.pages[0]?.unit).toBe('MeV/prim');
    expect(output.pages[0]?.moments[0]?.[8]).toBeCloseTo(20 * 1000 * 1 * volume, 6);
    expect(output.pages[0]?.moments[1]?.[8]).toBeCloseTo(20 * (1000 * volume) ** 2, 0);
  });

  it('are multiplied by the volume that stands for everywhere', async () => {
    const bytes = usrbin({ quantity: 201, grids: [grid(0, 1, 1), grid(0, 1, 1), grid(0, 1, 1)], data: [0.5] }).bytes();
    const [page] = (await readOutputs(folder(manifestOf({ keyword: 'Fluence', binVolumeCm3: 8 }), bytes), 'b', 50))
      .pages;
    expect(page).toMatchObject({ unit: 'cm/prim', scale: 8, axes: [] });
  });

  it('have the axes of the file where the bins are not those of the deck, and say so', async () => {
    const axes = [{ name: 'x', unit: 'cm', lower: 0, upper: 1, bins: 5, isLog: false }];
    const { pages, warnings } = await readOutputs(
      folder(manifestOf({ keyword: 'Dose', axes }), usrbin().bytes()),
      'b',
      50,
    );
    expect(pages[0]?.axes.map(({ centers }) => centers.length)).toEqual([4, 4]);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED', message: expect.stringContaining('4 × 4 bins, not 5') }]);
  });

  it('leave out files without detectors where there are others, and say so', async () => {
    const dump = new BinaryWriter().record((payload) => payload.i32(1, 2, 3, 4, 5)).bytes();
    const files = {
      'mine001_fort.21': usrbin().bytes(),
      'mine001_fort.49': dump,
      'mine001_fort.50': '     *****  a title  *****\n',
      'mine001_dose.bnn': usrbin({ name: 'named' }).bytes(),
      mine001_seeds: 'text',
    };
    const { pages, warnings } = await readOutputs(folderOf(files), 'b', 50);
    expect(pages.map(({ estimatorName }) => estimatorName)).toEqual(['dose.bnn', '21']);
    expect(warnings?.map(({ code, message }) => [code, message.slice(0, 15)])).toEqual([
      ['OUTPUT_LEFT_OUT', 'mine001_fort.49'],
      ['OUTPUT_LEFT_OUT', 'mine001_fort.50'],
    ]);
    await expect(readOutputs(folderOf({ 'mine001_fort.49': dump }), 'b', 50)).rejects.toMatchObject({
      reason: 'UNSUPPORTED',
    });
  });

  it('have no more pages than results take', async () => {
    let writer = writeUsrHead(new BinaryWriter(), 20);
    const small = { quantity: 1, grids: [grid(0, 1, 1), grid(0, 1, 1), grid(0, 1, 1)], data: [1] };
    for (let detector = 1; detector <= 1002; detector += 1) writer = usrbin({ ...small, name: `d${detector}` }, writer);
    const { pages, warnings } = await readOutputs(folderOf({ 'mine001_fort.21': writer.bytes() }), 'b', 50);
    expect(pages).toHaveLength(1000);
    expect(warnings).toMatchObject([
      { code: 'OUTPUT_LEFT_OUT', message: expect.stringContaining('2 of 1002 pages, is left out') },
    ]);
  });

  it('fail where a file is cut short, other files or not', async () => {
    const files = { 'mine001_fort.21': usrbin().bytes(), 'mine001_fort.22': usrbin().bytes().subarray(0, 50) };
    await expect(readOutputs(folderOf(files), 'b', 50)).rejects.toMatchObject({ reason: 'UNREADABLE' });
  });

  it('are of the histories of the task where the file does not count them', async () => {
    const files = {
      'mine001_fort.21': usrbin({}, writeOldHead(new BinaryWriter())).bytes(),
    };
    expect(await readOutputs(folderOf(files), 'b', 50)).toMatchObject({ primaries: 50 });
  });

  it('are missing without a file', async () => {
    await expect(readOutputs(folderOf({ 'fl_sim001.out': '' }), 'b', 50)).rejects.toMatchObject({ reason: 'MISSING' });
  });
});
