import { describe, expect, it } from '@jest/globals';
import { mergePage } from '@tally/merge';
import { type BdoFile, buildBdo } from '../../../test/output/bdo-file.js';
import { folderOf } from '../../../test/output/output-folder.js';
import type { Manifest } from '../../driver.js';
import { readOutputs } from './outputs.js';

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
    const output = await readOutputs(folder(name), 'simA 1.0', 200);
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
        readOutputs(folderOf({ 'a.bdo': buildBdo({ ...MESH, primaries, pages }) }), 'simA', 200),
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
        readOutputs(folderOf({ 'ps.bdo': fileOf(phaseSpace(data)) }), 'simA', 200),
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
    const output = await readOutputs(folderOf({ 'ex_0001.bdo': fileOf(...pages), 'manifest.json': '[]' }), 'simA', 200);
    expect(output.pages.map((p) => [p.estimatorName, p.pageNumber, p.pageName])).toEqual([
      ['ex_0001', 1, 'DOSE'],
      ['ex_0001', 2, 'DLET'],
    ]);
  });

  it('have maps of files for which nothing is simulated, beside the others and alone', async () => {
    const mapOf = (primaries: number) =>
      buildBdo({ ...MESH, primaries, pages: [page({ type: 20, normalisation: 0 })] });
    const files = { 'map.bdo': mapOf(0), 'map1.bdo': mapOf(1) };
    expect(await readOutputs(folderOf({ ...files, 'dose.bdo': fileOf(page()) }), 'simA', 200)).toMatchObject({
      primaries: 200,
      pages: [{ estimatorName: 'dose' }, { estimatorName: 'map', kind: 'map' }, { estimatorName: 'map1' }],
    });
    expect(await readOutputs(folderOf(files), 'simA', 200)).toMatchObject({
      primaries: 200,
      pages: [{ kind: 'map' }, { kind: 'map' }],
    });
  });

  it('name in a warning what the file does not', async () => {
    const axis = { unit: '', lower: 1, upper: 4, bins: 2, isLog: false };
    const differential = [
      { ...axis, type: 27, unit: 'MeV' },
      { ...axis, type: 50 },
    ];
    const data = Array.from({ length: 24 }, (_, index) => index);
    const output = await readOutputs(folderOf({ 'a.bdo': fileOf(page({ differential, data })) }), 'simA', 200);
    expect(output.pages[0]?.axes.map(({ name, unit }) => [name, unit])).toEqual([
      ['y', 'cm'],
      ['z', 'cm'],
      ['E', 'MeV'],
      ['axis 5', '1'],
    ]);
    expect(output.warnings).toEqual([{ code: 'OUTPUT_UNNAMED', message: 'a: "DOSE" does not name its axis 5' }]);
  });

  it('are found by what they are where their names do not say it', async () => {
    const folder = folderOf({ mine: fileOf(page()), 'beam.dat': 'NSTAT 200 0\n' });
    expect((await readOutputs(folder, 'simA', 200)).pages).toMatchObject([{ estimatorName: 'mine' }]);
    expect((await readOutputs(folderOf({ 'm.bdox': fileOf(page()) }), 'simA', 200)).pages).toMatchObject([{ estimatorName: 'm' }]); // biome-ignore format: one line
  });

  it('are missing when there is no file, or not the page that was asked for', async () => {
    const missing = expect.objectContaining({ reason: 'MISSING' });
    await expect(readOutputs(folderOf({}), 'simA', 200)).rejects.toEqual(missing);
    const files = { 'Depth_dose.bdo': fileOf(page()), 'manifest.json': JSON.stringify(manifest) };
    await expect(readOutputs(folderOf(files), 'simA', 200)).rejects.toEqual(missing);
  });

  it('are refused when two files stand for different numbers of primaries', async () => {
    const files = { 'a.bdo': fileOf(page()), 'b.bdo': buildBdo({ ...MESH, primaries: 7, pages: [page()] }) };
    await expect(readOutputs(folderOf(files), 'simA', 200)).rejects.toEqual(
      expect.objectContaining({ reason: 'UNREADABLE' }),
    );
  });
});
