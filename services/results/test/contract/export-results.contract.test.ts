import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { findPythonTool } from '@tally/testkit';
import { exportFile, type Format, selectAxis } from '../exports.js';
import { messagesOfHistories } from '../histories.js';
import { readResults, type ShownPage } from '../read-results.js';
import {
  createJob,
  finalPage,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const folder = mkdtempSync(path.join(tmpdir(), 'tally-export-'));
const workDir = path.join(folder, 'work');
const suite = useResults({ workDir, exportBytesMax: 3_000_000 });
const python = findPythonTool('readers')?.python;
const withReaders = python === undefined ? it.skip : it;
// oxlint-disable-next-line no-console -- who runs the tests learns what is not tried
if (python === undefined) console.log('no numpy, h5py, pandas and pydicom from PyPI: files are not read back');

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Shape of an array, and the hexadecimal text of its bytes. */
interface ReadArray {
  readonly shape: readonly number[];
  readonly hex: string;
}

/** What the reading script prints, as the format has it. */
interface ReadFile {
  readonly provenance: object;
  readonly pages: Readonly<Record<string, { readonly chunks?: readonly number[] }>>;
  readonly columns: readonly string[];
  readonly numbers: Readonly<Record<string, ReadArray>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly position: readonly number[];
  readonly spacing: readonly number[];
  readonly scaling: number;
  readonly values: ReadArray;
  readonly arrays: readonly ReadArray[];
}

/** What the programs of users find in a file. */
function readFile(format: Format, bytes: Uint8Array, ...args: string[]) {
  const file = path.join(folder, `file.${format}`);
  writeFileSync(file, bytes);
  const script = path.join(import.meta.dirname, '../fixtures/read_results.py');
  const options = { encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  return JSON.parse(execFileSync(python ?? '', [script, format, file, ...args], options)) as ReadFile;
}

const hex = (numbers: readonly (number | null)[]) =>
  Buffer.from(Float64Array.from(numbers, (number) => number ?? Number.NaN).buffer).toString('hex');
const array = (numbers: readonly (number | null)[], shape = [numbers.length]) => ({ shape, hex: hex(numbers) });

/** What a page of JSON says, as the reading script says it. */
function pageOf({ name, data }: ShownPage) {
  const shape = data.dimensions.map((centers) => centers.length);
  return {
    name,
    unit: data.unit,
    values: array(data.values, shape),
    errors: array(data.errors, shape),
    axes: data.axes.map((axis, index) => [axis.name, axis.unit, array(data.dimensions[index] ?? [])]),
  };
}

const noise = (count: number, seed: number) =>
  Array.from({ length: count }, (_, bin) => Math.abs(Math.sin((bin + 1) * seed)) ** 3);
let jobId = '';

beforeAll(async () => {
  jobId = await createJob(suite);
  const grid = pageHeader([7, 5, 3], { estimatorName: 'Grid: "a/b", µ', unit: 'MeV/g' });
  const values = noise(105, 12.9898);
  const errors = noise(105, 78.233);
  values[3] = Number.NaN;
  errors[4] = Number.NaN;
  const one = pageHeader([], { estimatorIndex: 1, estimatorName: 'One', unit: '' });
  const large = pageHeader([120, 110, 10], { estimatorIndex: 1, estimatorName: 'One', pageNumber: 2, unit: 'Gy' });
  const phaseSpace = pageHeader([8], {
    estimatorIndex: 2,
    estimatorName: '..',
    kind: results.PageKind.PAGE_KIND_LIST,
    unit: '',
    recordCount: 4n,
    axes: [{ name: 'column', unit: '', centers: [1, 2, 3, 4, 5, 6, 7, 8] }],
    hasNoErrors: true,
    metadataJson: '{"from":"µ test"}',
  });
  await suite.gateway.putResults(
    streamOf(
      resultsMessages(jobId, [
        finalPage(grid, values, errors),
        finalPage(one, [0.1], [0.01]),
        finalPage(large, noise(132_000, 3.7), noise(132_000, 9.1)),
        finalPage(phaseSpace, noise(32, 1.1), []),
      ]),
    ),
  );
});

describe('ExportResults OK', () => {
  it('says what the file is and where its numbers are from, and sends it in chunks of at most 256 KiB', async () => {
    const { header, chunkBytes } = await exportFile(suite, jobId, 'npz', { estimatorName: 'One' });
    expect(header).toMatchObject({ mediaType: 'application/zip', fileName: `${jobId}-One.npz`, pageJson: '' });
    expect(header.results).toMatchObject({ jobId, primaries: 3000n, pageCount: 2, isPartial: false });
    expect(Math.max(...chunkBytes)).toBeLessThanOrEqual(256 * 1024);
  });

  it('gives the same bytes for the same results, where the format has no clock', async () => {
    for (const format of ['csv', 'npz'] as const) {
      const [one, other] = [await exportFile(suite, jobId, format), await exportFile(suite, jobId, format)];
      expect(one.bytes.equals(other.bytes)).toBe(true);
    }
  });

  it('leaves no file behind', async () => {
    await exportFile(suite, jobId, 'hdf5');
    expect(readdirSync(workDir)).toEqual([]);
  });

  withReaders.each(['hdf5', 'npz'] as const)(
    'as %s holds what JSON shows, to the last bit',
    async (format) => {
      const { pages } = await readResults(suite, jobId);
      const read = readFile(format, (await exportFile(suite, jobId, format)).bytes);
      expect(read.provenance).toMatchObject({
        job_id: jobId,
        primaries: 3000,
        tasks_merged: 3,
        engine: 'reference 0.1.0',
      });
      const shown = pages.map(({ shown: page }) => pageOf(page));
      const [grid, one, large, list] = ['Grid_ _a_b_, µ/1', 'One/1', 'One/2', '_./1'].map((name) => read.pages[name]);
      expect(grid).toMatchObject(shown[0] ?? {});
      expect(one).toMatchObject(shown[1] ?? {});
      expect(large).toMatchObject(shown[2] ?? {});
      expect(list).toMatchObject({ ...shown[3], errors: null, metadata: '{"from":"µ test"}' });
      if (format === 'hdf5') expect(large?.chunks).toEqual([4, 110, 120]);
    },
    60_000,
  );

  withReaders.each(['hdf5', 'npz'] as const)('as %s holds effective histories, and batches of sums', async (format) => {
    const running = await createJob(suite);
    for (const task of [1, 2]) {
      const histories = [1, 2, 3].map((share) => ({ shares: [share, task, 0, 1], weights: [1, 1, share, task] }));
      await suite.runner.putTaskOutput(streamOf(messagesOfHistories(running, task, histories, [2, 2])));
    }
    const selection = { hasEffectiveHistories: true };
    const shown = (await readResults(suite, running, selection)).pages.map(({ shown: page }) => page.data);
    const { pages } = readFile(format, (await exportFile(suite, running, format, selection)).bytes);
    for (const [index, name] of ['Depth dose/1', 'Depth dose/2'].entries()) {
      expect(shown[index]?.effective_histories?.[0]).toBeGreaterThan(1);
      const histories = array(shown[index]?.effective_histories ?? [], [2, 2]);
      expect(pages[name]).toMatchObject({ histories, error_batches: 0 });
    }
    const sums = { axes: [selectAxis(0, 'sum')] };
    const summed = readFile(format, (await exportFile(suite, running, format, sums)).bytes);
    expect(summed.pages['Depth dose/1']).toMatchObject({ histories: null, error_batches: 2 });
  });

  withReaders('as CSV has a row a bin: bin centres, value, error', async () => {
    const grid = (await readResults(suite, jobId)).pages[0]?.shown;
    const selection = { estimatorName: 'Grid: "a/b", µ' };
    const read = readFile('csv', (await exportFile(suite, jobId, 'csv', selection)).bytes);
    expect(read.columns).toEqual(['X [cm]', 'Y [cm]', 'Z [cm]', 'Dose [MeV/g]', 'error [MeV/g]']);
    const [xs = [], ys = [], zs = []] = grid?.data.dimensions ?? [];
    const rows = zs.flatMap((z) => ys.flatMap((y) => xs.map((x) => [x, y, z])));
    expect(read.numbers).toEqual({
      'X [cm]': array(rows.map(([x]) => x ?? 0)),
      'Y [cm]': array(rows.map(([, y]) => y ?? 0)),
      'Z [cm]': array(rows.map(([, , z]) => z ?? 0)),
      'Dose [MeV/g]': array(grid?.data.values ?? []),
      'error [MeV/g]': array(grid?.data.errors ?? []),
    });
  });

  withReaders('as CSV of several pages has a column for each axis, and says the page', async () => {
    const { pages } = await readResults(suite, jobId);
    const read = readFile('csv', (await exportFile(suite, jobId, 'csv')).bytes);
    expect(read.columns).toEqual([
      'estimator',
      'page_number',
      'page',
      'unit',
      'X [cm]',
      'Y [cm]',
      'Z [cm]',
      'column',
      'particle',
      'value',
      'error',
    ]);
    expect(read.texts.estimator).toEqual(['..', 'Grid: "a/b", µ', 'One']);
    expect(read.numbers.value).toEqual(array(pages.flatMap(({ shown }) => shown.data.values)));
    expect(read.numbers.error).toEqual(array(pages.flatMap(({ shown }) => shown.data.errors)));
  });

  withReaders('as DICOM holds the dose in Gy to 2⁻³² of the largest', async () => {
    const grid = (await readResults(suite, jobId)).pages[0]?.shown;
    const selection = { estimatorName: 'Grid: "a/b", µ', pages: [{ first: 1, last: 1 }] };
    const read = readFile('dicom', (await exportFile(suite, jobId, 'dicom', selection)).bytes);
    expect(read).toMatchObject({ class: 'RT Dose Storage', units: 'GY', offsets: [0, 1, 2] });
    expect(read.position).toEqual([0.5, 0.5, 0.5]);
    expect(read.spacing).toEqual([1, 1]);
    expect(read.values.shape).toEqual([7, 5, 3]);
    const doses = new Float64Array(Uint8Array.from(Buffer.from(read.values.hex, 'hex')).buffer);
    const expected = (grid?.data.values ?? []).map((value) => value * 1.602176634e-10);
    const worst = Math.max(...expected.map((dose, bin) => Math.abs(dose - (doses[bin] ?? 0))));
    expect(worst).toBeLessThanOrEqual(read.scaling * 0.501);
    expect(read.scaling / (Math.max(...expected) / (2 ** 32 - 1))).toBeCloseTo(1, 8);
  });

  withReaders('as float64 is values and errors, their shape in the header', async () => {
    const grid = (await readResults(suite, jobId)).pages[0]?.shown;
    const selection = { estimatorName: 'Grid: "a/b", µ', axes: [selectAxis(2, 'bin', 1)] };
    const { header, bytes } = await exportFile(suite, jobId, 'float64', selection);
    const about = JSON.parse(header.pageJson) as { readonly shape: readonly number[] };
    expect(about).toMatchObject({ shape: [2, 5, 7], unit: 'MeV/g', axes: [{ name: 'X' }, { name: 'Y' }] });
    const { arrays } = readFile('float64', bytes, JSON.stringify(about.shape));
    const plane = (numbers: readonly (number | null)[] = []) => array(numbers.slice(35, 70), [7, 5]);
    expect(arrays).toEqual([plane(grid?.data.values), plane(grid?.data.errors)]);
  });

  it('gives names that spreadsheets take for formulas as text, and cuts those that no file system takes', async () => {
    const named = await createJob(suite);
    const long = 'x'.repeat(256);
    const names = ['=HYPERLINK("x")', '-2', '@a', ...['a', 'b'].map((end) => `${'µ'.repeat(255)}${end}`), long];
    const pages = names.map((estimatorName, estimatorIndex) =>
      pageHeader([], { estimatorName, estimatorIndex, unit: '+1' }),
    );
    await suite.gateway.putResults(
      streamOf(
        resultsMessages(
          named,
          pages.map((page) => finalPage(page, [1], [2])),
        ),
      ),
    );
    const rows = (await exportFile(suite, named, 'csv')).bytes.toString().split('\n').slice(1, 4);
    const begins = [`"'=HYPERLINK(""x"")",1,`, '-2,1,', `'@a,1,`];
    expect(rows.map((row, at) => row.startsWith(begins[at] ?? '-'))).toEqual([true, true, true]);
    const archive = (await exportFile(suite, named, 'npz')).bytes.toString();
    expect([...archive.matchAll(/µ+[^/]*(?=\/1\/values)/g)].map(([name]) => name).slice(0, 2)).toEqual([
      'µ'.repeat(120),
      `${'µ'.repeat(120)} (2)`,
    ]);
    const { header } = await exportFile(suite, named, 'csv', { estimatorName: long });
    expect(header.fileName.length).toBeLessThanOrEqual(255);
  });

  it('gives what tasks have delivered so far', async () => {
    const running = await createJob(suite);
    const page = taskPage(pageHeader([4]), (kind, bin) => (kind === 0 ? bin : bin ** 2));
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(running, 1, [page])));
    const { bytes, header } = await exportFile(suite, running, 'csv');
    expect(header.results?.isPartial).toBe(true);
    const shown = (await readResults(suite, running)).pages[0]?.shown.data;
    const rows = shown?.values.map(
      (value, bin) => `${shown.dimensions[0]?.[bin]},${value},${shown.errors[bin] ?? ''}\n`,
    );
    expect(bytes.toString()).toBe(`X [cm],Dose [MeV/g],error [MeV/g]\n${rows?.join('')}`);
  });
});

describe('a description in CSV', () => {
  const warnings = [{ code: 'FIGURE_UNUSED', message: 'figure "A", -1 is in no zone' }];
  const descriptionJson = JSON.stringify({
    title: 'One\nmore,=HYPERLINK("x")',
    beam: 'proton, 150 MeV',
    seed: '7',
    requested_primaries: 200,
    water_ionisation_ev: null,
    energy_mev: { min: 150, max: 150, count: 1 },
  });
  let described = '';
  beforeAll(async () => {
    described = await createJob(suite, undefined, { warnings, descriptionJson });
    const page = taskPage(pageHeader([2]), (kind, bin) => (kind === 0 ? bin : bin ** 2));
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(described, 1, [page])));
  });
  const textOf = async (selection: Partial<results.ExportResultsRequest> = {}) =>
    (await exportFile(suite, described, 'csv', selection)).bytes.toString();

  it('stands before the header where it is asked for, a fact a line, and none of it is a formula', async () => {
    const plain = await textOf();
    const told = await textOf({ hasDescription: true });
    expect(told.endsWith(plain)).toBe(true);
    const lines = told.slice(0, -plain.length).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `# job_id: ${described}`,
        `# title: One more,'=HYPERLINK("x")`,
        '# beam: proton, 150 MeV',
        '# seed: 7',
        '# requested_primaries: 200',
        '# energy_mev: {"min":150,"max":150,"count":1}',
        '# partial: true',
        `# warning: FIGURE_UNUSED figure "A", '-1 is in no zone`,
      ]),
    );
    expect(lines.filter((line) => !line.startsWith('# '))).toEqual(['']);
    expect(told).not.toContain('water_ionisation_ev');
  });

  withReaders('is skipped by what reads tables', async () => {
    const bytes = Buffer.from(await textOf({ hasDescription: true }));
    expect(readFile('csv', bytes, '#').columns).toEqual(['X [cm]', 'Dose [MeV/g]', 'error [MeV/g]']);
  });
});

describe('ExportResults INVALID_ARGUMENT', () => {
  const refused = (format: Format, selection: Partial<results.ExportResultsRequest> = {}) =>
    expect(exportFile(suite, jobId, format, selection)).rejects;

  it.each(['dicom', 'float64'] as const)('%s is of one page', async (format) => {
    await refused(format).toMatchObject({
      reason: 'FORMAT_UNSUITABLE',
      message: expect.stringContaining('4 are selected'),
    });
  });

  it.each(['dicom', 'float64'] as const)('%s has no place for a description', async (format) => {
    await refused(format, { estimatorName: 'One', pages: [{ first: 1, last: 1 }], hasDescription: true }).toMatchObject(
      {
        reason: 'FORMAT_UNSUITABLE',
        message: expect.stringContaining('description'),
      },
    );
  });

  it('DICOM takes doses on a grid of three axes only', async () => {
    const page = (number: number) => ({ estimatorName: 'One', pages: [{ first: number, last: number }] });
    await refused('dicom', page(1)).toMatchObject({
      reason: 'FORMAT_UNSUITABLE',
      message: expect.stringContaining('page 1 of estimator "One": DICOM takes a page of 3 axes'),
    });
    const length = await createJob(suite);
    const fluence = pageHeader([2, 2, 2], { unit: '/cm^2' });
    await suite.gateway.putResults(streamOf(resultsMessages(length, [finalPage(fluence, noise(8, 2), noise(8, 3))])));
    await expect(exportFile(suite, length, 'dicom')).rejects.toMatchObject({
      message: expect.stringContaining('"/cm^2"'),
    });
  });

  it('an HDF5 file has a largest size', async () => {
    const large = await createJob(suite);
    const page = finalPage(pageHeader([500, 500]), noise(250_000, 2), noise(250_000, 3));
    await suite.gateway.putResults(streamOf(resultsMessages(large, [page])));
    await expect(exportFile(suite, large, 'hdf5')).rejects.toMatchObject({ reason: 'FORMAT_UNSUITABLE' });
  });
});
