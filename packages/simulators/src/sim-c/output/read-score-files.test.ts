import { describe, expect, it } from '@jest/globals';
import { fuzz } from '../../../test/output/mutate.js';
import { createOutputReport } from '../../output/output-report.js';
import { TextReader } from '../../output/text-reader.js';
import { readHistogram } from './read-histogram.js';
import { readScoreDump } from './read-score-dump.js';
import type { ScoreMeshes } from './read-score-meshes.js';

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
const readFile = (bytes: Uint8Array, meshes: ScoreMeshes = new Map()) =>
  readScoreDump(new TextReader(bytes, 'MyMesh_dose.txt'), {
    file: 'MyMesh_dose.txt',
    report: createOutputReport(),
    meshes,
  });
const read = (bytes: Uint8Array) => readFile(bytes).pages;

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

  it('has its factor before all quantities or in each, and may name other columns and units', () => {
    const columns = '# iZ, iETA, iL, total(value) [permm2], total(val^2), entry';
    const [page] = read(dump(HEAD[0] ?? '', '# multiplied factor : 2', HEAD[1] ?? '', columns, '0,0,0,1,1,1', '0,0,1,2,4,1')); // biome-ignore format: one line
    expect(page?.unit).toBe('/mm2');
    expect(page?.axes.map(({ name, bins }) => [name, bins])).toEqual([
      ['z', 1],
      ['eta', 1],
      ['l', 2],
    ]);
  });

  it('may be a sequence of cells, five a line, after which the next quantity follows without a line break', () => {
    const cells = ROWS.map((row) => row.split(',').slice(3).join(','));
    const sequence = [...HEAD, COLUMNS, '2 1 3', cells.slice(0, 5).join(' '), `${cells[5]} # primitive scorer name: b`];
    const pages = read(dump(...sequence, COLUMNS, '1 1 1', '7,49,1 '));
    expect(pages.map(({ item, moments }) => [item, moments])).toEqual([
      ['dose', read(box)[0]?.moments],
      ['b', [Float64Array.of(7), Float64Array.of(49)]],
    ]);
  });

  it.each([
    ['[Gy]', 'Gy'],
    ['none', '1'],
    ['', '1'],
  ])('of Geant4 before 10.3, in %j, has values alone', (said, unit) => {
    const rows = ['0,0,0,1', '0,0,1,2', '1,0,0,3', '1,0,1,4'];
    const { pages, hasSquares } = readFile(dump(...HEAD, `# unit: ${said}`, ...rows));
    expect(hasSquares).toBe(false);
    expect(pages).toMatchObject([{ unit, axes: [{ name: '' }, { name: '' }, { name: '' }] }]);
    expect(pages[0]?.moments[0]).toEqual(Float64Array.of(1, 3, 2, 4));
    const sequence = dump(...HEAD, `# unit: ${said}`, '2 1 2', '1 2 3 4 ');
    expect(readFile(sequence).pages).toEqual(pages);
  });

  it('of an old box has the axes of the macro', () => {
    const axes = ['x', 'y', 'z'].map((name) => ({ name, unit: 'cm', lower: 0, upper: 1, bins: 1, isLog: false }));
    const bytes = dump(...HEAD, '# unit: [Gy]', '0,0,0,1');
    expect(readFile(bytes, new Map([['MyMesh', axes]])).pages[0]?.axes).toEqual(axes);
  });

  it.each([
    ['a sequence that is cut', [...HEAD, COLUMNS, '1 1 2', '1,1,1'].join('\n')],
    ['a sequence of too many cells', [...HEAD, COLUMNS, '1 1 1', '1,1,1 2,2,2'].join('\n')],
    ['a sequence of no cells', [...HEAD, COLUMNS, '0 1 1', '1,1,1'].join('\n')],
    ['a sequence whose next quantity comes too early', [...HEAD, COLUMNS, '1 1 2', '1,1,1 # primitive'].join('\n')],
    ['a cell of one number', [...HEAD, COLUMNS, '1 1 1', '1'].join('\n')],
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

function readAll(bytes: Uint8Array, isFluence: boolean) {
  const report = createOutputReport();
  const reader = new TextReader(bytes, 'run_h1_s.csv');
  const { pages } = readHistogram(reader, { file: 'run_h1_s.csv', report, isFluence });
  return { pages, warnings: report.warnings() };
}
const readH = (bytes: Uint8Array) => readAll(bytes, true).pages[0];

describe('a CSV histogram', () => {
  it('is read without what lies below and above', () => {
    const page = readH(histogram('#axis fixed 2 0 10', ...H_ROWS));
    expect(page).toMatchObject({ item: 'spectrum', isIntegrated: true, differentialAxes: 1, unit: '/mm2' });
    expect(page?.axes).toEqual([{ name: 'E', unit: 'MeV', lower: 0, upper: 10, bins: 2, isLog: false }]);
    expect(page?.moments).toEqual([Float64Array.of(4, 6), Float64Array.of(10, 20)]);
  });

  it('may have logarithmic edges, and others', () => {
    expect(readH(histogram('#axis edges 1 10 100', ...H_ROWS))?.axes[0]).toMatchObject({
      lower: 1,
      upper: 100,
      isLog: true,
    });
    const unequal = histogram('#axis edges -1 0 3', ...H_ROWS);
    expect(readH(unequal)?.axes[0]).toMatchObject({ bins: 2, isLog: false, borders: [-1, 0, 3] });
  });

  it("of a user's own deck is contents of bins in a unit that nobody knows, on the axis that it names", () => {
    const { pages, warnings } = readAll(histogram('#axis fixed 2 0 10', ...H_ROWS), false);
    expect(pages).toMatchObject([{ unit: '1', differentialAxes: 0, isIntegrated: false }]);
    expect(pages[0]?.axes).toMatchObject([{ name: 'MeV', unit: '1' }]);
    expect(warnings).toMatchObject([{ code: 'OUTPUT_UNNAMED' }]);
  });

  it.each([
    ['energy [MeV]', 'energy', 'MeV'],
    [' [cm]', '', 'cm'],
    [' log10( [cm])', 'log10( [cm])', '1'],
    ['', '', '1'],
  ])('has the axis title %j as %j in %s', (title, name, unit) => {
    const bytes = encode(
      ['#class tools::histo::h1d', '#title a, b', '#axis fixed 2 0 4', `#annotation axis_x.title ${title}`].join('\n'),
    );
    const rest = encode(['', '#bin_number 4', 'entries,Sw,Sw2,Sxw0,Sx2w0', ...H_ROWS].join('\n'));
    const [page] = readAll(Buffer.concat([bytes, rest]), false).pages;
    expect(page).toMatchObject({ item: 'a, b', axes: [{ name, unit, lower: 0, upper: 4, bins: 2 }] });
  });

  it('of two dimensions has the first fastest, each without what lies below and above', () => {
    const head = ['#class tools::histo::h2d', '#title two', '#dimension 2', '#axis fixed 2 0 2', '#axis edges 0 1 4'];
    const more = ['#planes_Sxyw 1', '#bin_number 16', 'entries,Sw,Sw2,Sxw0,Sx2w0,Sxw1,Sx2w1'];
    const rows = Array.from({ length: 16 }, (_, at) => `1,${at},${at * at},0,0,0,0`);
    const [page] = readAll(encode([...head, ...more, ...rows].join('\n')), false).pages;
    expect(page?.axes).toMatchObject([{ bins: 2 }, { borders: [0, 1, 4] }]);
    expect(page?.moments).toEqual([Float64Array.of(5, 6, 9, 10), Float64Array.of(25, 36, 81, 100)]);
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
      expect(report.slowestMs).toBeLessThan(10_000); // hostile text takes hours where reading is quadratic
      expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
    },
    180_000,
  );
});
