import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { fuzz } from '../../test/output/mutate.js';
import { folderOf } from '../../test/output/output-folder.js';
import type { Manifest, PageSource } from '../driver.js';
import { TextReader } from '../output/text-reader.js';
import { readOutputs } from './outputs.js';
import { readHistogram } from './read-histogram.js';
import { readScoreDump } from './read-score-dump.js';

const encode = (text: string) => new TextEncoder().encode(text);
const HEAD = ['# mesh name: MyMesh', '# primitive scorer name: dose'];
const COLUMNS = '# iX, iY, iZ, total(value) [Gy], total(val^2), entry';
/** A box of 2 × 1 × 3 cells: value 10·x + z. */
const ROWS = [
  '0,0,0,0,0,0',
  '0,0,1,1,1.5,2',
  '0,0,2,2e+00,4,3',
  '1,0,0,10,100.5,1',
  '1,0,1,11,121,1',
  '1,0,2,1.2e1,144,1',
];
const dump = (...lines: string[]) => encode([...lines, ''].join('\n'));
const box = dump(...HEAD, COLUMNS, ...ROWS);
const read = (bytes: Uint8Array) => readScoreDump(new TextReader(bytes, 'MyMesh_dose.txt'), 'MyMesh_dose.txt');

describe('a score dump', () => {
  it('is read cell by cell and brought into our order, first axis fastest', () => {
    const [page] = read(box);
    expect(page).toMatchObject({ item: 'dose', kind: 'linear', unit: 'Gy' });
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['x', 2],
      ['y', 1],
      ['z', 3],
    ]);
    expect(page?.moments).toEqual([Float64Array.of(0, 10, 1, 11, 2, 12), Float64Array.of(0, 100.5, 1.5, 121, 4, 144)]);
  });

  it('of a cylinder comes as Z, PHI, R and is read as r, phi, z', () => {
    const columns = '# iZ, iPHI, iR, total(value) [percm2], total(val^2), entry';
    const [page] = read(
      dump(...HEAD, '# multiplied factor : 2', columns, '0,0,0,1,1,1', '0,0,1,2,4,1', '1,0,0,3,9,1', '1,0,1,4,16,1'),
    );
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['r', 2],
      ['phi', 1],
      ['z', 2],
    ]);
    expect(page?.moments[0]).toEqual(Float64Array.of(1, 2, 3, 4));
    expect(page?.unit).toBe('/cm^2');
  });

  it('of a volume has copies and no axes by name', () => {
    const columns = '# i, i, i, total(value) [MeV], total(val^2), entry';
    const [page] = read(dump(...HEAD, columns, '0,0,0,3,9,1'));
    expect(page).toMatchObject({ unit: 'MeV', moments: [Float64Array.of(3), Float64Array.of(9)] });
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['copy', 1],
      ['copy2', 1],
      ['copy3', 1],
    ]);
  });

  it('may hold several quantities', () => {
    expect(
      read(dump(...HEAD, COLUMNS, ...ROWS, '# primitive scorer name: other', COLUMNS, '0,0,0,5,25,1')),
    ).toMatchObject([{ item: 'dose' }, { item: 'other', unit: 'Gy' }]);
  });

  it.each([
    ['nothing', ''],
    ['another text', 'hello\n'],
    ['a mesh without scorers', `${HEAD[0]}\n`],
    ['a scorer without cells', [...HEAD, COLUMNS].join('\n')],
    ['a cell that is left out', [...HEAD, COLUMNS, ROWS[0], ROWS[2]].join('\n')],
    ['cells that do not fill the mesh', [...HEAD, COLUMNS, ...ROWS.slice(0, 5)].join('\n')],
    ['a hostile index', [...HEAD, COLUMNS, '999999999,999999999,999999999,1,1,1'].join('\n')],
    [
      'rows of growing length',
      [...HEAD, COLUMNS, '0,0,0,1,1,1', '0,1,0,1,1,1', '0,1,1,1,1,1', '0,2,0,1,1,1', '0,2,1,1,1,1'].join('\n'),
    ],
    ['a row that is cut', [...HEAD, COLUMNS, '0,0,0,1,1'].join('\n')],
    ['a word for a number', [...HEAD, COLUMNS, '0,0,0,much,1,1'].join('\n')],
    ['a line of five megabytes', [...HEAD, COLUMNS, '1'.repeat(5e6)].join('\n')],
  ])('refuses %s', (_, text) => {
    expect(() => read(encode(text))).toThrow(expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }));
  });

  it('keeps numbers that are not finite as such', () => {
    expect(read(dump(...HEAD, COLUMNS, '0,0,0,nan,-inf,1'))[0]?.moments[0]).toEqual(Float64Array.of(Number.NaN));
  });
});

const histogram = (axis: string, ...rows: string[]) =>
  encode(
    [
      '#class tools::histo::h1d',
      '#title spectrum',
      '#dimension 1',
      axis,
      '#annotation axis_x.title MeV',
      '#bin_number 4',
      'entries,Sw,Sw2,Sxw0,Sx2w0',
      ...rows,
      '',
    ].join('\n'),
  );
const H_ROWS = ['9,9,9,0,0', '1,4,10,0,0', '2,6,20,0,0', '9,9,9,0,0'];
const readH = (bytes: Uint8Array) => readHistogram(new TextReader(bytes, 'run_h1_s.csv'), 'run_h1_s.csv');

describe('a CSV histogram', () => {
  it('is read without what lies below and above', () => {
    const page = readH(histogram('#axis fixed 2 0 10', ...H_ROWS));
    expect(page).toMatchObject({ item: 'spectrum', isIntegrated: true, differentialAxes: 1, unit: '/mm2' });
    expect(page.axes).toEqual([{ name: 'E', unit: 'MeV', lower: 0, upper: 10, bins: 2, isLog: false }]);
    expect(page.moments).toEqual([Float64Array.of(4, 6), Float64Array.of(10, 20)]);
  });

  it('may have logarithmic edges, and others', async () => {
    expect(readH(histogram('#axis edges 1 10 100', ...H_ROWS)).axes[0]).toMatchObject({
      lower: 1,
      upper: 100,
      isLog: true,
    });
    const unequal = histogram('#axis edges -1 0 3', ...H_ROWS);
    expect(readH(unequal).axes[0]).toMatchObject({ bins: 2, isLog: false, borders: [-1, 0, 3] });
    const { pages } = await readOutputs(folderOf({ 'run.mac': '/run/beamOn 4', 'run_h1_s.csv': unequal }), 'c');
    expect(pages[0]?.axes[0]?.centers).toEqual([-0.5, 1.5]);
    expect(pages[0]?.moments[0]).toEqual(Float64Array.of(4, 2)); // over the widths of the bins
  });

  it.each([
    ['no axis', '', ...H_ROWS],
    ['two axes', '#axis fixed 2 0 1\n#axis fixed 2 0 1', ...H_ROWS],
    ['an axis backwards', '#axis fixed 2 1 0', ...H_ROWS],
    ['edges backwards', '#axis edges 1 3 2', ...H_ROWS],
    ['an edge twice', '#axis edges 1 1 2', ...H_ROWS],
    ['an edge that is not finite', '#axis edges 1 2 inf', ...H_ROWS],
    ['bins that are not there', '#axis fixed 999999999 0 1', ...H_ROWS],
    ['a cut row', '#axis fixed 2 0 1', ...H_ROWS.slice(0, 3), '9,9'],
  ])('refuses %s', (_, axis, ...rows) => {
    expect(() => readH(histogram(axis, ...rows))).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
  });
});

describe('any of these files', () => {
  it.each([
    ['dumps', [box, dump(...HEAD, COLUMNS, '0,0,0,1,1,1', ...HEAD.slice(1), COLUMNS, ...ROWS)], read],
    ['histograms', [histogram('#axis fixed 2 0 10', ...H_ROWS), histogram('#axis edges 1 10 100', ...H_ROWS)], readH],
  ])(
    '%s survive 100 000 mutations without a crash, a hang or memory for what is not there',
    (_, seeds, reader) => {
      const before = process.memoryUsage().rss;
      const report = fuzz(seeds, 100_000, reader);
      expect(Math.min(report.read, report.refused)).toBeGreaterThan(500);
      expect(report.slowestMs).toBeLessThan(1000);
      expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
    },
    180_000,
  );
});

describe('outputs of a task', () => {
  const page = (pageNumber: number, source: PageSource, scale?: number) => ({
    pageNumber,
    name: `page ${pageNumber}`,
    quantityUuid: `q${pageNumber}`,
    isAbsolute: false,
    source,
    ...(scale === undefined ? {} : { scale }),
  });
  const axis = (name: string, lower: number, upper: number, bins: number, unit = 'cm') => ({
    name,
    unit,
    lower,
    upper,
    bins,
    isLog: false,
  });
  const axes = [axis('x', -1, 1, 2), axis('y', 0, 1, 1), axis('z', 0, 6, 3)];
  const manifest: Manifest = {
    driver: 'simC',
    estimators: [
      {
        name: 'Box',
        outputUuid: 'o',
        pages: [
          page(1, { file: 'MyMesh_dose.txt', item: 'dose', keyword: 'DoseGy', axes }, 2),
          page(2, {
            file: 'run_h1_s.csv',
            item: 'spectrum',
            keyword: 'KineticEnergySpectrum',
            axes: [axis('E', 0, 10, 2, 'MeV')],
          }),
        ],
      },
    ],
  };
  const files = {
    'run.mac': '/run/beamOn 4',
    'MyMesh_dose.txt': box,
    'run_h1_s.csv': histogram('#axis fixed 2 0 10', ...H_ROWS),
    'manifest.json': JSON.stringify(manifest),
  };

  it('have the positions of the deck, densities of spectra, and errors from single histories', async () => {
    const { primaries, batches, pages } = await readOutputs(folderOf(files), 'c');
    expect([primaries, batches]).toEqual([4, 4]);
    expect(pages[0]?.axes).toEqual([
      { name: 'x', unit: 'cm', centers: [-0.5, 0.5] },
      { name: 'z', unit: 'cm', centers: [1, 3, 5] },
    ]);
    expect(pages.map(({ unit }) => unit)).toEqual(['Gy/prim', '/cm^2/prim/(MeV)']);
    // per mm² in the file
    expect(pages.map(({ scale }) => scale)).toEqual([2, 100]);
    expect(pages[1]?.moments).toEqual([Float64Array.of(0.8, 1.2), Float64Array.of(10 / 25, 20 / 25)]);
    const [first] = pages;
    if (first === undefined) throw new Error('no page');
    const merged = mergePage(first, [{ primaries, batches, moments: first.moments }]);
    expect(merged.values[2]).toBe((2 * 1) / 4);
    // (Σv²/N − mean²)/(N − 1), and the scale
    expect(merged.errors[2]).toBeCloseTo(2 * Math.sqrt((1.5 / 4 - 0.25 ** 2) / 3), 12);
  });

  it('give the dose of a zone as its energy over its density', async () => {
    const source = { file: 'logicWater_dose.txt', item: 'dose', axes: [], densityGcm3: 0.5 };
    const estimator = {
      name: 'Zone',
      outputUuid: 'o',
      pages: [page(1, { ...source, keyword: 'Dose' }, 3), page(2, { ...source, keyword: 'DoseGy' })],
    };
    const dump = [
      '# mesh name: logicWater',
      '# primitive scorer name: dose',
      '# iX, iY, iZ, total(value) [MeV], total(val^2), entry',
      '0,0,0,8,20,4',
      '',
    ].join('\n');
    const { pages } = await readOutputs(
      folderOf({
        'run.mac': '/run/beamOn 4',
        'logicWater_dose.txt': encode(dump),
        'manifest.json': JSON.stringify({ driver: 'simC', estimators: [estimator] }),
      }),
      'c',
    );
    expect(pages.map(({ unit }) => unit)).toEqual(['MeV cm^3/g/prim', 'Gy cm^3/prim']);
    expect(pages.map(({ scale }) => scale)).toEqual([6, expect.closeTo(1.602176634e-10 / 0.5, 20)]);
    expect(pages.map(({ moments }) => moments[0])).toEqual([Float64Array.of(8), Float64Array.of(8)]);
  });

  it('are missing without a file that the manifest names', async () => {
    const { 'run_h1_s.csv': _, ...rest } = files;
    await expect(readOutputs(folderOf(rest), 'c')).rejects.toMatchObject({
      reason: 'MISSING',
      fileName: 'run_h1_s.csv',
    });
  });

  it("of users' own files are all dumps and histograms, whatever else has such a name", async () => {
    const { 'manifest.json': _, ...rest } = files;
    const { pages } = await readOutputs(folderOf({ ...rest, 'notes.txt': 'mine', 'table.csv': '1,2' }), 'c');
    expect(pages.map(({ estimatorName, pageName }) => [estimatorName, pageName])).toEqual([
      ['MyMesh_dose.txt', 'dose'],
      ['run_h1_s.csv', 'spectrum'],
    ]);
  });

  it("of users' own meshes are where the macro puts them, if it has their bins", async () => {
    const mesh = [
      '/score/create/boxMesh MyMesh',
      '/score/mesh/boxSize 1 0.5 3 cm',
      '/score/mesh/translate/xyz 0 0 3 cm',
    ];
    const axesOf = async (bins: string) => {
      const macro = [...mesh, `/score/mesh/nBin ${bins}`, '/run/beamOn 4'].join('\n');
      return (await readOutputs(folderOf({ 'run.mac': macro, 'MyMesh_dose.txt': box }), 'c')).pages[0]?.axes;
    };
    expect(await axesOf('2 1 3')).toEqual([
      { name: 'x', unit: 'cm', centers: [-0.5, 0.5] },
      { name: 'z', unit: 'cm', centers: [1, 3, 5] },
    ]);
    expect(await axesOf('2 1 4')).toMatchObject([{ unit: 'bin' }, { unit: 'bin' }]);
  });
});
