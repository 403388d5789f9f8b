import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { folderOf } from '../../../test/output/output-folder.js';
import type { Manifest, PageSource } from '../../driver.js';
import { readOutputs } from './outputs.js';

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
    const { primaries, batches, pages } = await readOutputs(folderOf(files), 'c', 4);
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
      4,
    );
    expect(pages.map(({ unit }) => unit)).toEqual(['MeV cm^3/g/prim', 'Gy cm^3/prim']);
    expect(pages.map(({ scale }) => scale)).toEqual([6, expect.closeTo(1.602176634e-10 / 0.5, 20)]);
    expect(pages.map(({ moments }) => moments[0])).toEqual([Float64Array.of(8), Float64Array.of(8)]);
  });

  it('are missing without a file that the manifest names', async () => {
    const { 'run_h1_s.csv': _, ...rest } = files;
    await expect(readOutputs(folderOf(rest), 'c', 4)).rejects.toMatchObject({
      reason: 'MISSING',
      fileName: 'run_h1_s.csv',
    });
  });

  it("of users' own files are all dumps and histograms, whatever else has such a name", async () => {
    const { 'manifest.json': _, ...rest } = files;
    const { pages } = await readOutputs(folderOf({ ...rest, 'notes.txt': 'mine', 'table.csv': '1,2' }), 'c', 4);
    expect(pages.map(({ estimatorName, pageName }) => [estimatorName, pageName])).toEqual([
      ['MyMesh_dose.txt', 'dose'],
      ['run_h1_s.csv', 'spectrum'],
    ]);
  });

  it("of users' own files are left out where they are no histograms, and say so", async () => {
    const ntuple = '#class tools::wcsv::ntuple\n#title nt\n#separator 44\n#column double e\n1.5\n';
    const output = await readOutputs(folderOf({ 'run.mac': files['run.mac'], 'a.txt': box, 'nt.csv': ntuple }), 'c', 4);
    expect(output.pages).toHaveLength(1);
    const message = 'nt.csv: holds tools::wcsv::ntuple: only histograms are shown';
    expect(output.warnings).toEqual([{ code: 'OUTPUT_LEFT_OUT', message }]);
  });

  it('are one batch where a dump has no sums of squares', async () => {
    const old = dump(...HEAD, '# unit: [Gy]', '0,0,0,8');
    const own = folderOf({ 'run.mac': files['run.mac'], 'a.txt': box, 'b.txt': old });
    const { batches, pages } = await readOutputs(own, 'c', 4);
    expect(batches).toBe(1);
    expect(pages[1]?.moments).toEqual([Float64Array.of(8), Float64Array.of(16)]);
    expect(pages[0]?.moments[1]?.[1]).toBe(25);
  });

  it("of users' own meshes are where the macro puts them, if it has their bins", async () => {
    const mesh = [
      '/score/create/boxMesh MyMesh',
      '/score/mesh/boxSize 1 0.5 3 cm',
      '/score/mesh/translate/xyz 0 0 3 cm',
    ];
    const axesOf = async (bins: string) => {
      const macro = [...mesh, `/score/mesh/nBin ${bins}`, '/run/beamOn 4'].join('\n');
      return (await readOutputs(folderOf({ 'run.mac': macro, 'MyMesh_dose.txt': box }), 'c', 4)).pages[0]?.axes;
    };
    expect(await axesOf('2 1 3')).toEqual([
      { name: 'x', unit: 'cm', centers: [-0.5, 0.5] },
      { name: 'z', unit: 'cm', centers: [1, 3, 5] },
    ]);
    expect(await axesOf('2 1 4')).toMatchObject([{ unit: 'bin' }, { unit: 'bin' }]);
  });
});
