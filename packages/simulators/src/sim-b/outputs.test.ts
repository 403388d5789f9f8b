import { describe, expect, it } from '@jest/globals';
import { BinaryWriter } from '../../test/output/binary-writer.js';
import { fuzz } from '../../test/output/mutate.js';
import { folderOf } from '../../test/output/output-folder.js';
import { writeUsrbdx, writeUsrbin, writeUsrHead, writeUsrtrack } from '../../test/output/usr-file.js';
import type { Manifest, PageSource } from '../driver.js';
import { readOutputs } from './outputs.js';
import { readUsr } from './read-usr.js';

const grid = (low: number, high: number, bins: number) => ({ low, high, bins });
const GRIDS = [grid(-5, 5, 4), grid(-0.1, 0.1, 1), grid(0, 5, 4)];
const DATA = Array.from({ length: 16 }, (_, i) => i / 8);
const head = (cases = 20) => writeUsrHead(new BinaryWriter(), cases);
const usrbin = (values: Partial<Parameters<typeof writeUsrbin>[1]> = {}, writer = head()) =>
  writeUsrbin(writer, { name: 'dose_xz', type: 10, quantity: 208, grids: GRIDS, data: DATA, ...values });
const read = (bytes: Uint8Array) => readUsr(bytes, 'fl_sim001_fort.21', '21');

describe('a USRBIN file', () => {
  it('has the 302 bytes of the sample and reads as the table of its fields says', () => {
    const bytes = usrbin().bytes();
    expect(bytes).toHaveLength(302);
    const { primaries, pages } = read(bytes);
    expect(primaries).toBe(20);
    expect(pages[0]).toMatchObject({ file: '21', item: 'dose_xz', title: 'ENERGY', kind: 'linear', unit: 'MeV/cm^3' });
    expect(pages[0]?.axes).toEqual([
      { name: 'x', unit: 'cm', lower: -5, upper: 5, bins: 4, isLog: false },
      { name: 'y', unit: 'cm', lower: -0.1, upper: 0.1, bins: 1, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 5, bins: 4, isLog: false },
    ]);
    // GeV/cm³ per primary, in a run of 20
    expect(pages[0]?.moments[0]).toEqual(Float64Array.from(DATA, (x) => 20 * 1000 * x));
    expect(pages[0]?.moments[1]).toEqual(Float64Array.from(DATA, (x) => 20 * (1000 * x) ** 2));
  });

  it.each([
    [228, 'DOSE', 'MeV/g', 1000],
    [201, 'FLUENCE ALL-PART', '/cm^2', 1],
    [8, 'FLUENCE NEUTRON', '/cm^2', 1],
    [-2, 'FLUENCE HEAVYION', '/cm^2', 1],
    [240, 'DOSE-EQ', 'pSv', 1],
  ])('of quantity %d is %s in %s', (quantity, title, unit, factor) => {
    const [page] = read(usrbin({ quantity, data: DATA.map(() => 0.5) }).bytes()).pages;
    expect(page).toMatchObject({ title, unit });
    expect(page?.moments[0]?.[3]).toBe(20 * 0.5 * factor);
  });

  it('reads cylinders with the angle all around, and regions without a volume', () => {
    const [cylinder, region] = [
      usrbin({ type: 11, grids: [grid(0, 2, 2), grid(7, 7, 1), grid(0, 8, 8)] }),
      usrbin({ type: 12, quantity: 228, grids: [grid(3, 4, 2), grid(0, 0, 1), grid(0, 0, 8)] }),
    ].map((writer) => read(writer.bytes()).pages[0]);
    expect(cylinder?.axes[1]).toMatchObject({ name: 'phi', lower: -Math.PI, upper: Math.PI, bins: 1 });
    expect(region).toMatchObject({ unit: 'MeV cm^3/g' });
    expect(region?.axes[0]).toMatchObject({ name: 'region', bins: 2 });
  });

  it('reads several detectors and counts of thousands of millions, and stops at merged statistics', () => {
    const writer = usrbin({ name: 'second' }, usrbin({}, head(2_000_000_005)));
    const bytes = writer.record((payload) => payload.text('STATISTICS', 14, ' ')).bytes();
    const { primaries, pages } = read(bytes);
    expect(primaries).toBe(2_000_000_005);
    expect(pages.map(({ item }) => item)).toEqual(['dose_xz', 'second']);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('1**** Cartesian binning ****\n')],
    ['a head alone', head().bytes()],
    ['a head without primaries', new BinaryWriter().record((p) => p.text('', 116, ' ')).bytes()],
    ['fewer numbers than bins', usrbin({ data: [1] }).bytes()],
    ['an axis of no bins', usrbin({ grids: [grid(0, 1, 0), grid(0, 1, 1), grid(0, 1, 1)], data: [] }).bytes()],
    [
      'axes of 2^93 bins',
      usrbin({ grids: [grid(0, 1, 2 ** 31 - 1), grid(0, 1, 2 ** 31 - 1), grid(0, 1, 2 ** 31 - 1)] }).bytes(),
    ],
  ])('refuses %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }));
  });

  it('refuses a file cut short at any byte', () => {
    const bytes = usrbin().bytes();
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ name: 'OutputError' }));
    }
  });

  it.each([
    ['a special binning', usrbin({ type: 8 }).bytes()],
    [
      'another estimator',
      head()
        .record((payload) => payload.text('resnuclei', 38, ' '))
        .bytes(),
    ],
  ])('refuses %s for good', (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ reason: 'UNSUPPORTED' }));
  });
});

describe('USRTRACK and USRBDX', () => {
  it('are per MeV, over energies in MeV', () => {
    const track = { name: 'track', type: -1, volume: 2, grid: grid(0.001, 1, 3), data: [1, 2, 4] };
    const [page] = read(writeUsrtrack(head(), track).bytes()).pages;
    expect(page).toMatchObject({ item: 'track', unit: '/cm^2', differentialAxes: 1 });
    expect(page?.axes).toEqual([{ name: 'E', unit: 'MeV', lower: 1, upper: 1000, bins: 3, isLog: true }]);
    expect(page?.moments[0]).toEqual(Float64Array.of(0.02, 0.04, 0.08));
  });

  it('have energies fastest and angles behind them', () => {
    const boundary = { name: 'bdx', type: 1, energy: grid(0, 0.2, 2), angle: grid(0, 6, 3), data: [1, 2, 3, 4, 5, 6] };
    const [page] = read(writeUsrbdx(head(), boundary).bytes()).pages;
    expect(page?.axes.map(({ name, unit, bins }) => [name, unit, bins])).toEqual([
      ['E', 'MeV', 2],
      ['ANGLE', 'sr', 3],
    ]);
  });
});

describe('groups of low-energy neutrons', () => {
  // three groups: 1e-11 to 1e-6, to 0.001, to 0.02 GeV; bins of 10 MeV, of which two lie below the upper limit
  const GROUPS = [0.02, 0.001, 1e-6, 1e-11];
  const energy = grid(0, 0.04, 4);
  const near = (numbers: readonly number[]) => numbers.map((number) => expect.closeTo(number, 6));

  it('are the lower part of a spectrum of neutrons: the groups from the lowest on, then the bins above them', () => {
    const track = { name: 'n', type: 1, volume: 2, particle: 8, groups: GROUPS, grid: energy };
    const [page, ...others] = read(writeUsrtrack(head(), { ...track, data: [0, 0, 3, 4, 10, 20, 30] }).bytes()).pages;
    expect(others).toEqual([]);
    expect(page).toMatchObject({ item: 'n', title: 'FLUENCE NEUTRON', unit: '/cm^2', differentialAxes: 1 });
    expect(page?.axes[0]).toMatchObject({
      name: 'E',
      unit: 'MeV',
      bins: 5,
      borders: near([1e-8, 1e-3, 1, 20, 30, 40]),
    });
    expect([...(page?.moments[0] ?? [])]).toEqual(near([30, 20, 10, 3, 4].map((value) => (20 * value) / 1000)));
  });

  it('begin a bin where they end when it straddles their limit, and leave bins below it out', () => {
    const track = { name: 'n', type: 1, volume: 1, particle: 8, groups: GROUPS, grid: grid(0, 0.045, 3) };
    const [page] = read(writeUsrtrack(head(), { ...track, data: [9, 2, 3, 10, 20, 30] }).bytes()).pages;
    expect(page?.axes[0]).toMatchObject({ bins: 5, borders: near([1e-8, 1e-3, 1, 20, 30, 45]) });
    expect([...(page?.moments[0] ?? [])]).toEqual(near([30, 20, 10, 2, 3].map((value) => (20 * value) / 1000)));
  });

  it('are a page beside that of the other particles where those are scored with them', () => {
    const track = { name: 'all', type: 1, volume: 2, groups: GROUPS, grid: energy, data: [1, 2, 3, 4, 10, 20, 30] };
    const { pages } = read(writeUsrtrack(head(), track).bytes());
    expect(pages.map(({ item, title }) => [item, title])).toEqual([
      ['all', 'FLUENCE ALL-PART without neutrons below 20 MeV'],
      ['all neutrons', 'FLUENCE NEUTRON below 20 MeV'],
    ]);
    expect(pages.map(({ axes }) => axes[0]?.bins)).toEqual([4, 3]);
    expect([...(pages[0]?.moments[0] ?? [])]).toEqual(near([1, 2, 3, 4].map((value) => value / 50)));
    expect([...(pages[1]?.moments[0] ?? [])]).toEqual(near([30, 20, 10].map((value) => value / 50)));
  });

  it('are there for every angle of a boundary', () => {
    const boundary = { name: 'bdx', type: 1, groups: [0.02, 1e-11], energy, angle: grid(0, 6, 2) };
    const [page] = read(writeUsrbdx(head(), { ...boundary, data: [0, 0, 3, 4, 10, 0, 0, 5, 6, 20] }).bytes()).pages;
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['E', 3],
      ['ANGLE', 2],
    ]);
    expect([...(page?.moments[0] ?? [])]).toEqual(near([10, 3, 4, 20, 5, 6].map((value) => value / 50)));
  });

  it.each([
    ['in a wrong order', [0.001, 0.02, 1e-11], [1, 2, 3, 4, 5, 6]],
    ['below zero', [0.02, -1], [1, 2, 3, 4, 5]],
    ['of no number', [0.02], [1, 2, 3, 4]],
    ['with too few numbers behind them', [0.02, 1e-11], [1, 2, 3, 4]],
  ])('are refused %s', (_, groups, data) => {
    const track = { name: 'n', type: 1, volume: 1, particle: 8, groups, grid: energy, data };
    expect(() => read(writeUsrtrack(head(), track).bytes())).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
  });
});

describe('any of these files', () => {
  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const writer = writeUsrbdx(usrbin(), {
      name: 'b',
      type: -2,
      energy: grid(0.1, 1, 2),
      angle: grid(1, 2, 2),
      data: [1, 2, 3, 4],
    });
    const groups = [0.02, 0.001, 1e-11];
    const seeds = [
      usrbin().bytes(),
      writeUsrtrack(head(), {
        name: 'n',
        type: 1,
        volume: 1,
        particle: 8,
        groups,
        grid: grid(0, 1, 2),
        data: [1, 2, 3, 4],
      }).bytes(),
      writeUsrtrack(writer, { name: 't', type: -1, volume: 1, grid: grid(0.1, 1, 2), data: [1, 2] }).bytes(),
    ];
    const before = process.memoryUsage().rss;
    const report = fuzz(seeds, 100_000, read);
    expect(Math.min(report.read, report.refused)).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  }, 180_000);
});

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
        async (keyword) => (await readOutputs(folder(manifestOf({ keyword }, 3), bytes), 'b')).pages[0],
      ),
    );
    expect(mev).toMatchObject({ estimatorName: 'Box', pageName: 'mine', unit: 'MeV/g/prim', scale: 3 });
    expect(gray?.unit).toBe('Gy/prim');
    expect(gray?.scale).toBeCloseTo(3 * 1.602176634e-10, 20);
  });

  it('are energies in bins, not densities, where energy was asked for', async () => {
    const output = await readOutputs(folder(manifestOf({ keyword: 'Energy' }), usrbin().bytes()), 'b');
    const volume = 2.5 * 0.2 * 1.25;
    expect(output.pages[0]?.unit).toBe('MeV/prim');
    expect(output.pages[0]?.moments[0]?.[8]).toBeCloseTo(20 * 1000 * 1 * volume, 6);
    expect(output.pages[0]?.moments[1]?.[8]).toBeCloseTo(20 * (1000 * volume) ** 2, 0);
  });

  it('are multiplied by the volume that stands for everywhere', async () => {
    const bytes = usrbin({ quantity: 201, grids: [grid(0, 1, 1), grid(0, 1, 1), grid(0, 1, 1)], data: [0.5] }).bytes();
    const [page] = (await readOutputs(folder(manifestOf({ keyword: 'Fluence', binVolumeCm3: 8 }), bytes), 'b')).pages;
    expect(page).toMatchObject({ unit: 'cm/prim', scale: 8, axes: [] });
  });

  it('have the axes of the file where the bins are not those of the deck, and say so', async () => {
    const axes = [{ name: 'x', unit: 'cm', lower: 0, upper: 1, bins: 5, isLog: false }];
    const { pages, warnings } = await readOutputs(folder(manifestOf({ keyword: 'Dose', axes }), usrbin().bytes()), 'b');
    expect(pages[0]?.axes.map(({ centers }) => centers.length)).toEqual([4, 4]);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_ASSUMED', message: expect.stringContaining('4 × 4 bins, not 5') }]);
  });

  it('are missing without a file', async () => {
    await expect(readOutputs(folderOf({ 'fl_sim001.out': '' }), 'b')).rejects.toMatchObject({ reason: 'MISSING' });
  });
});
