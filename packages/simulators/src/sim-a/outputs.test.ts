import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { type BdoFile, buildBdo } from '../../test/output/bdo-file.js';
import { fuzz } from '../../test/output/mutate.js';
import { folderOf } from '../../test/output/output-folder.js';
import type { Manifest } from '../driver.js';
import { readOutputs } from './outputs.js';
import { readBdo } from './read-bdo.js';

const MESH = { primaries: 200, geometry: 'MSH', start: [-1, -1, 0], stop: [1, 1, 6], bins: [1, 2, 3] };
const DATA = [1, 2, 3, 4, 5, 6];
const page = (values: Partial<BdoFile['pages'][number]> = {}) => ({
  type: 5,
  number: 0,
  normalisation: 2,
  unit: 'MeV/g',
  data: DATA,
  ...values,
});
const phaseSpace = (data: readonly number[]) => page({ type: 63, normalisation: 4, unit: '', data });
const fileOf = (...pages: BdoFile['pages']) => buildBdo({ ...MESH, pages });
const read = (bytes: Uint8Array) => readBdo(bytes, 'dose.bdo', 'dose');

describe('a BDO2019 file', () => {
  it('gives primaries, axes and numbers in their order, by the table of its items', () => {
    const { primaries, pages } = read(fileOf(page()));
    expect(primaries).toBe(200);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ file: 'dose', item: '0', title: 'DOSE', kind: 'linear', unit: 'MeV/g' });
    expect(pages[0]?.axes).toEqual([
      { name: 'x', unit: 'cm', lower: -1, upper: 1, bins: 1, isLog: false },
      { name: 'y', unit: 'cm', lower: -1, upper: 1, bins: 2, isLog: false },
      { name: 'z', unit: 'cm', lower: 0, upper: 6, bins: 3, isLog: false },
    ]);
    expect(pages[0]?.moments).toEqual([Float64Array.from(DATA), Float64Array.from(DATA, (x) => (x * x) / 200)]);
  });

  it('is the same to the byte as the layout says', () => {
    const bytes = buildBdo({ ...MESH, bins: [1, 1, 1], pages: [page({ data: [7] })] });
    expect(bytes.subarray(0, 24).toString('latin1')).toBe(`xSH12AII1.1${'\0'.repeat(13)}`);
    expect(bytes.subarray(-32).toString('hex')).toBe(
      ['bbdd000000000000', '3c66380000000000', '0100000000000000', '0000000000001c40'].join(''),
    );
  });

  it.each([
    [0, 'map'],
    [1, 'counter'],
    [2, 'linear'],
    [3, 'average'],
  ])('of normalisation %d combines as %s', (normalisation, kind) => {
    expect(read(fileOf(page({ normalisation }))).pages[0]?.kind).toBe(kind);
  });

  it('keeps the two differential axes behind the positions, linear and logarithmic', () => {
    const differential = [
      { type: 27, lower: 1, upper: 100, bins: 2, isLog: true },
      { type: 25, lower: 0, upper: 90, bins: 3, isLog: false },
    ];
    const data = Array.from({ length: 36 }, (_, i) => i);
    const { pages } = read(fileOf(page({ differential, units: [14, 70, 50], unit: '/cm^2/MeV/deg', data })));
    expect(pages[0]?.axes.slice(3)).toEqual([
      { name: 'E', unit: 'MeV', lower: 1, upper: 100, bins: 2, isLog: true },
      { name: 'ANGLE', unit: 'deg', lower: 0, upper: 90, bins: 3, isLog: false },
    ]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another file', Buffer.from('<html>not found</html>')],
    ['a file without pages', fileOf()],
    ['a file with fewer pages than it says', buildBdo({ ...MESH, pages: [page()], pageCount: 2 })],
    ['a file without primaries', buildBdo({ ...MESH, primaries: 0, pages: [page()] })],
    ['an older format', buildBdo({ ...MESH, format: 1, pages: [page()] })],
    ['data that do not fill the bins', fileOf(page({ data: [1] }))],
    ['bins that overflow', buildBdo({ ...MESH, bins: [2 ** 31, 2 ** 31, 2 ** 31], pages: [page()] })],
    ['an unknown normalisation', fileOf(page({ normalisation: 9 }))],
  ])('refuses %s', (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ name: 'OutputError', reason: 'UNREADABLE' }));
  });

  it('refuses a file cut short at any byte', () => {
    const bytes = fileOf(page(), page({ number: 1 }));
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ name: 'OutputError' }));
    }
  });

  it('gives phase space as particles of eight numbers, as many as there are, none too', () => {
    const data = Array.from({ length: 24 }, (_, index) => index / 7);
    const { pages } = read(fileOf(page(), phaseSpace(data), phaseSpace([])));
    expect(pages[1]).toMatchObject({ title: 'MCPL', kind: 'list', unit: '', recordCount: 3, isPerPrimary: false });
    expect(pages[1]?.axes).toMatchObject([{ name: 'column', bins: 8 }]);
    expect(pages[1]?.moments).toEqual([Float64Array.from(data)]);
    expect(pages[2]).toMatchObject({ kind: 'list', recordCount: 0, moments: [new Float64Array(0)] });
  });

  it.each([
    ['phase space of a broken particle', phaseSpace([1, 2, 3, 4, 5, 6, 7])],
    ['phase space that is averaged', { ...phaseSpace(Array(8).fill(1)), normalisation: 3 }],
  ])('refuses %s', (_, broken) => {
    expect(() => read(fileOf(broken))).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
  });

  it('refuses for good what is concatenated and no phase space', () => {
    const unsupported = expect.objectContaining({ reason: 'UNSUPPORTED' });
    expect(() => read(fileOf(page({ normalisation: 4 })))).toThrow(unsupported);
  });

  it('refuses phase space cut short at any byte, or of more particles than bytes', () => {
    const bytes = fileOf(phaseSpace(Array(16).fill(1)));
    for (let size = 0; size < bytes.length; size += 1) {
      expect(() => read(bytes.subarray(0, size))).toThrow(expect.objectContaining({ name: 'OutputError' }));
    }
    const countAt = bytes.length - 16 * 8 - 8;
    expect(bytes.readBigUInt64LE(countAt)).toBe(16n);
    bytes.writeBigUInt64LE(2n ** 40n, countAt);
    expect(() => read(bytes)).toThrow(expect.objectContaining({ reason: 'UNREADABLE' }));
  });

  it('survives 100 000 mutations without a crash, a hang or memory for what is not there', () => {
    const differential = [{ type: 27, lower: 1, upper: 100, bins: 2, isLog: true }];
    const seeds = [
      fileOf(page()),
      fileOf(page({ differential, data: [...DATA, ...DATA] }), page({ number: 1 })),
      fileOf(phaseSpace(DATA.concat(DATA, DATA, DATA))),
    ];
    const before = process.memoryUsage().rss;
    const report = fuzz(seeds, 100_000, read);
    expect(report.read).toBeGreaterThan(1000);
    expect(report.refused).toBeGreaterThan(1000);
    expect(report.slowestMs).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(500e6);
  }, 180_000);
});

describe('outputs of a task', () => {
  const manifest: Manifest = {
    driver: 'simA',
    estimators: [
      {
        name: 'Depth dose',
        outputUuid: 'o',
        pages: [
          {
            pageNumber: 1,
            name: 'LET',
            quantityUuid: 'q2',
            isAbsolute: false,
            source: { file: 'Depth_dose', item: '1', keyword: 'dLET' },
          },
          {
            pageNumber: 2,
            name: 'My dose',
            quantityUuid: 'q1',
            isAbsolute: true,
            source: { file: 'Depth_dose', item: '0', keyword: 'Dose' },
          },
        ],
      },
    ],
  };
  const pages = [page(), page({ number: 1, type: 6, normalisation: 3, unit: 'MeV/cm', data: DATA.map((x) => 10 * x) })];
  const folder = (name: string) => folderOf({ [name]: fileOf(...pages), 'manifest.json': JSON.stringify(manifest) });

  it.each(['Depth_dose.bdo', 'Depth_dose_0007.bdo'])('get the names of the project from %s', async (name) => {
    const output = await readOutputs(folder(name), 'simA 1.0');
    expect(output).toMatchObject({ engine: 'simA 1.0', primaries: 200, batches: 1 });
    expect(output.pages.map((p) => [p.estimatorName, p.pageNumber, p.pageName, p.kind, p.unit])).toEqual([
      ['Depth dose', 1, 'LET', 'average', 'MeV/cm'],
      ['Depth dose', 2, 'My dose', 'linear', 'MeV/g'],
    ]);
    expect(output.pages[1]?.axes.map(({ name: axis, centers }) => [axis, centers])).toEqual([
      ['y', [-0.5, 0.5]],
      ['z', [1, 3, 5]],
    ]);
  });

  it('merge over tasks by their normalisation', async () => {
    const tasks = await Promise.all(
      [100, 300].map((primaries) =>
        readOutputs(folderOf({ 'a.bdo': buildBdo({ ...MESH, primaries, pages }) }), 'simA'),
      ),
    );
    const merged = [0, 1].map((index) => {
      const [header] = tasks.map((task) => task.pages[index]);
      if (header === undefined) throw new Error('no page');
      return mergePage(
        header,
        tasks.map(({ primaries, batches, pages: all }) => ({ primaries, batches, moments: all[index]?.moments ?? [] })),
      );
    });
    expect([...(merged[0]?.values ?? [])]).toEqual(DATA.map((x) => (x + x) / 400));
    expect([...(merged[1]?.values ?? [])]).toEqual(DATA.map((x) => 10 * x));
    expect(merged[0]?.unit).toBe('MeV/g/prim');
  });

  it('concatenate phase space over tasks, whatever number of particles each has', async () => {
    const particles = (count: number, from: number) => Array.from({ length: 8 * count }, (_, index) => from + index);
    const tasks = await Promise.all(
      [particles(2, 0), [], particles(3, 100)].map((data) =>
        readOutputs(folderOf({ 'ps.bdo': fileOf(phaseSpace(data)) }), 'simA'),
      ),
    );
    const [header] = tasks[0]?.pages ?? [];
    if (header === undefined) throw new Error('no page');
    const merged = mergePage(
      header,
      tasks.map(({ primaries, batches, pages: all }) => ({ primaries, batches, moments: all[0]?.moments ?? [] })),
    );
    expect(merged).toMatchObject({ kind: 'list', recordCount: 5, unit: '', pageName: 'MCPL' });
    expect([...merged.values]).toEqual([...particles(2, 0), ...particles(3, 100)]);
    expect(merged.axes).toEqual([{ name: 'column', unit: '', centers: [1, 2, 3, 4, 5, 6, 7, 8] }]);
  });

  it("keep the simulator's names for users' own files", async () => {
    const output = await readOutputs(folderOf({ 'ex_0001.bdo': fileOf(...pages), 'manifest.json': '[]' }), 'simA');
    expect(output.pages.map((p) => [p.estimatorName, p.pageNumber, p.pageName])).toEqual([
      ['ex_0001', 1, 'DOSE'],
      ['ex_0001', 2, 'DLET'],
    ]);
  });

  it('are missing when there is no file, or not the page that was asked for', async () => {
    const missing = expect.objectContaining({ reason: 'MISSING' });
    await expect(readOutputs(folderOf({}), 'simA')).rejects.toEqual(missing);
    const files = { 'Depth_dose.bdo': fileOf(page()), 'manifest.json': JSON.stringify(manifest) };
    await expect(readOutputs(folderOf(files), 'simA')).rejects.toEqual(missing);
  });

  it('are refused when two files stand for different numbers of primaries', async () => {
    const files = { 'a.bdo': fileOf(page()), 'b.bdo': buildBdo({ ...MESH, primaries: 7, pages: [page()] }) };
    await expect(readOutputs(folderOf(files), 'simA')).rejects.toEqual(
      expect.objectContaining({ reason: 'UNREADABLE' }),
    );
  });
});
