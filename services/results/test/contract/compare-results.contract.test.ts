import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { results } from '@tally/contracts';
import type { Reading } from '@tally/merge';
import { findPythonTool } from '@tally/testkit';
import {
  asUser,
  collect,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  useResults,
} from '../results-suite.js';

const suite = useResults();
const python = findPythonTool('pymedphys')?.python;
const withPymedphys = python === undefined ? it.skip : it;
// oxlint-disable-next-line no-console -- who runs the tests learns what is not tried
if (python === undefined) console.log('no pymedphys from PyPI: gamma pass rates are not compared');

const GAMMA = { dosePercent: 2, distanceMm: 1, cutoffPercent: 10 };

async function compare(
  jobId: string,
  withJobId: string,
  request: Partial<results.CompareResultsRequest> = {},
  userId = OWNER,
) {
  const message = { jobId, withJobId, estimatorName: '', pages: [], gamma: GAMMA, ...request };
  const parts = await asUser(userId, () => collect(suite.gateway.compareResults(message)));
  const text = Buffer.concat(parts.flatMap(({ part }) => (part?.$case === 'chunk' ? [part.value] : []))).toString();
  return JSON.parse(text) as { name: string; pages: Record<string, unknown>[] }[];
}

const curve = pageHeader([60], {
  estimatorName: 'Curve',
  axes: [{ name: 'Z', unit: 'mm', centers: Array.from({ length: 60 }, (_, bin) => bin) }],
});
const peak = (range: number) =>
  curve.axes[0]?.centers.map((z) => (z < range ? 70 + z - range : Math.max(0, 70 * (1 - (z - range) / 4)))) ?? [];
/** A plane of squares of 1 mm, as pages of results have it. */
const PLANE = 40;
const plane = pageHeader([PLANE, PLANE], {
  estimatorIndex: 3,
  estimatorName: 'Plane',
  unit: 'Gy',
  axes: ['X', 'Z'].map((name) => ({ name, unit: 'cm', centers: Array.from({ length: PLANE }, (_, bin) => bin / 10) })),
});
const spot = (shift: number, factor: number) =>
  Array.from({ length: PLANE ** 2 }, (_, bin) => {
    const [x, z] = [(bin % PLANE) - 20 - shift, Math.floor(bin / PLANE) - 18];
    return factor * Math.exp(-(x * x) / 40 - (z * z) / 100);
  });
const SIZE = 12;
const grid = pageHeader([SIZE, SIZE, SIZE], { estimatorIndex: 1, estimatorName: 'Grid', unit: 'Gy' });
const dose = (shift: number, noise: number) =>
  Array.from({ length: SIZE ** 3 }, (_, bin) => {
    const [x, y, z] = [bin % SIZE, Math.floor(bin / SIZE) % SIZE, Math.floor(bin / SIZE / SIZE)].map((at) => at - 5);
    const [dx, dy, dz] = [(x ?? 0) - shift, y ?? 0, z ?? 0];
    return Math.exp(-(dx * dx + dy * dy + dz * dz) / 18) * (1 + noise * Math.sin(bin * 12.9898));
  });
const same = (numbers: readonly number[], error: number) => numbers.map(() => error);
let [a, b] = ['', ''];

async function put(pages: ReturnType<typeof finalPage>[]): Promise<string> {
  const jobId = await createJob(suite);
  await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
  return jobId;
}

beforeAll(async () => {
  const only = finalPage(pageHeader([1], { estimatorIndex: 2, estimatorName: 'Only' }), [1], [1]);
  const other = finalPage(
    pageHeader([2], { estimatorIndex: 2, estimatorName: 'Only', pageNumber: 2, pageName: 'Wide' }),
    [1, 1],
    [1, 1],
  );
  const wider = finalPage(
    pageHeader([3], { estimatorIndex: 2, estimatorName: 'Only', pageNumber: 2, pageName: 'Wide' }),
    [1, 1, 1],
    [1, 1, 1],
  );
  a = await put([
    finalPage(curve, peak(42), same(peak(42), 3)),
    finalPage(grid, dose(0.05, 0.03), same(dose(0, 0), 0.01)),
    only,
    other,
    finalPage(plane, spot(0.8, 1.01), same(spot(0, 1), 0.01)),
  ]);
  b = await put([
    finalPage(plane, spot(0, 1), same(spot(0, 1), 0)),
    finalPage(curve, peak(40), same(peak(40), 4)),
    finalPage(grid, dose(0, 0), same(dose(0, 0), 0)),
    wider,
  ]);
});

describe('CompareResults OK', () => {
  it('gives difference, ratio and χ² of each page, with errors', async () => {
    const [estimator] = await compare(b, a, { estimatorName: 'Curve' });
    const [page] = estimator?.pages ?? [];
    const differences = peak(42).map((value, bin) => value - (peak(40)[bin] ?? 0));
    expect(page).toMatchObject({
      page_number: 1,
      unit: 'MeV/g',
      degrees_of_freedom: 60,
      difference: { values: differences, errors: same(differences, 5) },
      dimensions: [curve.axes[0]?.centers],
      axes: [{ name: 'Z', unit: 'mm' }],
    });
    expect(page?.chi_square).toBeCloseTo(
      differences.reduce((sum, delta) => sum + delta ** 2 / 25, 0),
      9,
    );
    const ratio = page?.ratio as { values: (number | null)[] };
    expect(ratio.values.at(-1)).toBeNull(); // this job has nothing there
  });

  it('says how much further a depth curve goes', async () => {
    const [estimator] = await compare(b, a, { estimatorName: 'Curve' });
    const differences = estimator?.pages[0]?.reading_differences as Reading[];
    const [r80] = differences.filter(({ name }) => name === 'R80');
    expect(r80).toMatchObject({ unit: 'mm', definition: expect.stringContaining('the other less this one') });
    expect(r80?.value).toBeCloseTo(2, 9);
    expect(r80?.error).toBeGreaterThan(0);
    expect(differences.map(({ name }) => name)).toEqual(expect.arrayContaining(['R90', 'fall_off']));
  });

  it('says why a page is not compared', async () => {
    const [estimator] = await compare(a, b, { estimatorName: 'Only' });
    expect(estimator?.pages).toEqual([
      { page_number: 1, name: 'Dose', not_compared: 'the other job has no such page' },
      { page_number: 2, name: 'Wide', not_compared: 'the pages differ in axes' },
    ]);
  });

  it('pairs pages by name, whatever their numbers, and lists those that one job lacks', async () => {
    const photons = pageHeader([2], { estimatorName: 'Fluence', pageName: 'Photons' });
    const electrons = { ...photons, pageName: 'Electrons' };
    const numbered = (header: results.PageHeader, pageNumber: number, value: number) =>
      finalPage({ ...header, pageNumber }, [value, value], [1, 1]);
    const both = await put([numbered(photons, 1, 5), numbered(electrons, 2, 7)]);
    const one = await put([numbered(electrons, 1, 8)]);
    const pagesOf = async (job: string, other: string) => (await compare(job, other))[0]?.pages;
    const without = { name: 'Photons', not_compared: 'the other job has no such page', page_number: 1 };
    expect(await pagesOf(both, one)).toEqual([without, expect.objectContaining({ page_number: 2, difference_max: 1 })]);
    expect(await pagesOf(one, both)).toEqual([
      expect.objectContaining({ page_number: 1, name: 'Electrons', difference_max: 1 }),
      { name: 'Photons', not_compared: 'only the other job has this page' },
    ]);
    const twice = await put([numbered(electrons, 1, 8), numbered(electrons, 2, 9)]);
    expect((await pagesOf(one, twice))?.map((page) => page.not_compared)).toEqual([
      'this job has 1 pages of this name, the other 2',
    ]);
  });

  it('of a job with itself differs in nothing', async () => {
    for (const { pages } of await compare(a, a)) {
      for (const page of pages) expect(page).toMatchObject({ chi_square: 0, difference_max: 0 });
    }
  });

  withPymedphys.each([
    [2, 1],
    [1, 0.5],
    [3, 3],
  ])(
    'has the gamma pass rate of pymedphys, %d %%/%d mm',
    async (dosePercent, distanceMm) => {
      const gamma = { dosePercent, distanceMm, cutoffPercent: 10 };
      const [estimator] = await compare(b, a, { estimatorName: 'Grid', gamma });
      const ours = estimator?.pages[0]?.gamma as { pass_rate: number; bins: number };
      const script = `
import json, sys, numpy as np
from pymedphys import gamma
reference, evaluated = (np.array(dose).reshape(${SIZE}, ${SIZE}, ${SIZE}) for dose in json.load(sys.stdin))
axes = tuple((np.arange(${SIZE}) + 0.5) for _ in range(3))
g = gamma(axes, reference, axes, evaluated, ${dosePercent}, ${distanceMm}, lower_percent_dose_cutoff=10,
          interp_fraction=10, max_gamma=1.1, quiet=True)
known = g[~np.isnan(g)]
print(json.dumps([len(known), float(np.mean(known <= 1))]))`;
      const input = JSON.stringify([dose(0, 0), dose(0.05, 0.03)]);
      const said = execFileSync(python ?? '', ['-c', script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
      const [bins, rate = 0] = JSON.parse(said.trim().split('\n').at(-1) ?? '[]') as number[];
      expect(ours.bins).toBe(bins);
      expect(Math.abs(ours.pass_rate - rate)).toBeLessThan(0.005);
      expect(ours.pass_rate).toBeGreaterThan(0);
    },
    120_000,
  );
});

describe('CompareResults with γ of each bin', () => {
  const mapOf = async (gamma = GAMMA, wantsGammaMap = true) => {
    const [estimator] = await compare(b, a, { estimatorName: 'Plane', gamma, wantsGammaMap });
    const page = estimator?.pages[0] as
      | { gamma: { pass_rate: number; bins: number }; gamma_map?: { max: number; values: (number | null)[] } }
      | undefined;
    if (page === undefined) throw new Error('no page');
    return page;
  };

  it('has as many as the pass rate says, and the same pass rate as without; none unless they are wanted', async () => {
    const { gamma, gamma_map: map } = await mapOf();
    const values = map?.values ?? [];
    expect([map?.max, values.length]).toEqual([2, PLANE ** 2]);
    const known = values.filter((value) => value !== null);
    expect(known).toHaveLength(gamma.bins);
    expect(known.filter((value) => value <= 1).length / gamma.bins).toBeCloseTo(gamma.pass_rate, 12);
    expect(Math.max(...known)).toBeLessThanOrEqual(2);
    const without = await mapOf(GAMMA, false);
    expect(without.gamma).toEqual(gamma);
    expect(without.gamma_map).toBeUndefined();
  });

  it('says so where there are too many', async () => {
    const [estimator] = await compare(b, a, { estimatorName: 'Grid', wantsGammaMap: true });
    expect(estimator?.pages[0]).toMatchObject({ gamma_map_left_out: 'the page has too many bins' });
    expect(estimator?.pages[0]?.gamma).toBeDefined();
  });

  withPymedphys.each([
    [2, 1],
    [1, 0.5],
  ])(
    'has γ of pymedphys in every bin, %d %%/%d mm',
    async (dosePercent, distanceMm) => {
      const { gamma_map: map } = await mapOf({ dosePercent, distanceMm, cutoffPercent: 10 });
      const script = `
import json, sys, numpy as np
from pymedphys import gamma
reference, evaluated = (np.array(dose).reshape(${PLANE}, ${PLANE}) for dose in json.load(sys.stdin))
axes = (np.arange(${PLANE}) * 1.0, np.arange(${PLANE}) * 1.0)
g = gamma(axes, reference, axes, evaluated, ${dosePercent}, ${distanceMm}, lower_percent_dose_cutoff=10,
          interp_fraction=20, max_gamma=2, quiet=True)
print(json.dumps([None if np.isnan(x) else float(x) for x in g.ravel()]))`;
      const input = JSON.stringify([spot(0, 1), spot(0.8, 1.01)]);
      const said = execFileSync(python ?? '', ['-c', script], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
      const theirs = JSON.parse(said.trim().split('\n').at(-1) ?? '[]') as (number | null)[];
      const pairs = theirs.map((their, bin) => [their, map?.values[bin] ?? null] as const);
      expect(pairs.filter(([their, ours]) => (their === null) !== (ours === null))).toEqual([]);
      const apart = pairs.map(([their, ours]) => Math.abs((their ?? 0) - (ours ?? 0)));
      // places of theirs lie on circles a twentieth of the distance apart, ours on a grid of tenths: where the dose is steep, a step is much
      expect(Math.max(...apart)).toBeLessThan(0.15);
      expect(apart.reduce((sum, one) => sum + one, 0) / apart.length).toBeLessThan(0.02);
    },
    120_000,
  );
});

describe('CompareResults of what cannot be read', () => {
  it.each([
    ['NOT_FOUND: no such job', 'nothing', OWNER, 'JOB_NOT_FOUND'],
    ['PERMISSION_DENIED: a job of another user', '', OWNER + 1n, 'JOB_OF_ANOTHER_USER'],
  ])('%s', async (_name, other, userId, reason) => {
    await expect(compare(a, other || b, {}, userId)).rejects.toMatchObject({ reason });
    await expect(compare(other || b, a, {}, userId)).rejects.toMatchObject({ reason });
  });

  it('INVALID_ARGUMENT: without criteria', async () => {
    await expect(compare(a, b, { gamma: undefined })).rejects.toMatchObject({ reason: 'SELECTION_INVALID' });
  });
});
