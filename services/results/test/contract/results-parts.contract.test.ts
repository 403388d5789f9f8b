import { beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { mergePage, partOfSums } from '@tally/merge';
import { exportFile, selectAxis } from '../exports.js';
import { readResults } from '../read-results.js';
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

const suite = useResults({ mergedCacheBytesMax: 2_000 });
const [NX, NY, NZ] = [7, 5, 6] as const;
const grid = pageHeader([NX, NY, NZ], { scale: 2 });
const let_ = pageHeader([NX, NY, NZ], { pageNumber: 2, kind: results.PageKind.PAGE_KIND_RATIO });
const hits = pageHeader([NX], { pageNumber: 3, kind: results.PageKind.PAGE_KIND_COUNTER });
const material = pageHeader([NX], { pageNumber: 4, kind: results.PageKind.PAGE_KIND_MAP });
const TASKS = [1, 2, 3, 4, 5, 6];
const number = (task: number) => (array: number, bin: number) =>
  Math.abs(Math.sin(task * 31.7 + array * 3.1 + bin)) + 0.1;
const pagesOf = (task: number) => [grid, let_, hits, material].map((header) => taskPage(header, number(task)));
/** Merged already, and running. */
const jobs: Record<'final' | 'running', string> = { final: '', running: '' };

beforeAll(async () => {
  for (const kind of ['final', 'running'] as const) {
    jobs[kind] = await createJob(suite);
    for (const task of TASKS) {
      await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobs[kind], task, pagesOf(task))));
    }
  }
  await suite.jobs.mergeOutputs({
    jobId: jobs.final,
    taskIds: TASKS,
    isPartial: false,
    isStopped: false,
    mergeNumber: 1,
  });
});

const pageOf = async (jobId: string, pageNumber: number, axes: results.AxisSelection[] = []) =>
  (await readResults(suite, jobId, { pages: [{ first: pageNumber, last: pageNumber }], axes })).pages[0]?.shown.data;

/** Of the numbers of a whole page those at the bins that are wanted. */
const pick = <T>(numbers: readonly T[], isWanted: (x: number, y: number, z: number) => boolean) =>
  numbers.filter((_, bin) => isWanted(bin % NX, Math.floor(bin / NX) % NY, Math.floor(bin / NX / NY)));

describe.each(['final', 'running'] as const)('GetResults of a part of %s results', (kind) => {
  it.each([
    ['a plane across the slowest axis', [selectAxis(2, 'bin', 4)], (_x: number, _y: number, z: number) => z === 4],
    ['a plane across the fastest axis', [selectAxis(0, 'bin', 2)], (x: number) => x === 2],
    ['a line', [selectAxis(0, 'bin', 6), selectAxis(1, 'bin', 0)], (x: number, y: number) => x === 6 && y === 0],
    [
      'a box',
      [selectAxis(0, 'bins', 1, 3), selectAxis(1, 'bins', 2, 3), selectAxis(2, 'bins', 1, 99)],
      (x: number, y: number, z: number) => x >= 1 && x <= 3 && y >= 2 && y <= 3 && z >= 1,
    ],
    [
      'one bin',
      [0, 1, 2].map((axis) => selectAxis(axis, 'bin', 1)),
      (x: number, y: number, z: number) => x + y + z === 3 && x === 1 && y === 1,
    ],
  ] as const)('gives %s of the values and of the errors', async (_name, axes, isWanted) => {
    for (const pageNumber of [1, 2]) {
      const whole = await pageOf(jobs[kind], pageNumber);
      const part = await pageOf(jobs[kind], pageNumber, [...axes]);
      expect(part?.values).toEqual(pick(whole?.values ?? [], isWanted));
      expect(part?.errors).toEqual(pick(whole?.errors ?? [], isWanted));
      expect(part?.values.length).toBe(part?.dimensions.reduce((product, { length }) => product * length, 1));
    }
  });

  it('keeps names and bin centres of the axes that are left', async () => {
    const part = await pageOf(jobs[kind], 1, [selectAxis(1, 'bin', 0), selectAxis(2, 'bins', 1, 2)]);
    expect(part?.axes.map(({ name }) => name)).toEqual(['X', 'Z']);
    const whole = await pageOf(jobs[kind], 1);
    expect(part?.dimensions).toEqual([whole?.dimensions[0], whole?.dimensions[2]?.slice(1, 3)]);
  });

  it('adds up along axes; errors are those of the sums, from the scatter of the tasks', async () => {
    const part = await pageOf(jobs[kind], 1, [selectAxis(0, 'sum'), selectAxis(2, 'sum', 1, 3)]);
    const isWanted = (y: number) => (_x: number, row: number, z: number) => row === y && z >= 1 && z <= 3;
    for (let y = 0; y < NY; y += 1) {
      const sums = TASKS.map((task) => {
        const [moments] = [pagesOf(task)[0]?.moments[0] ?? []];
        return pick([...moments], isWanted(y)).reduce((sum, value) => sum + value, 0);
      });
      const parts = sums.map((sum) => partOfSums('linear', 1000, [Float64Array.of(sum)]));
      const expected = mergePage({ ...grid, kind: 'linear', axes: [], recordCount: undefined }, parts);
      expect(part?.values[y]).toBeCloseTo(expected.values[0] ?? 0, 12);
      expect(part?.errors[y]).toBeCloseTo(expected.errors[0] ?? 0, 12);
    }
    expect(part?.axes).toEqual([{ name: 'Y', unit: 'cm' }]);
    const whole = await pageOf(jobs[kind], 1);
    const plain = pick(whole?.values ?? [], isWanted(2)).reduce((sum, value) => sum + value, 0);
    expect(part?.values[2]).toBeCloseTo(plain, 12);
  });

  it('of a ratio gives the ratio of the sums, of a count the count without an error', async () => {
    const ratio = await pageOf(
      jobs[kind],
      2,
      [0, 1, 2].map((axis) => selectAxis(axis, 'sum')),
    );
    const total = (array: number) =>
      TASKS.flatMap((task) => [...(pagesOf(task)[1]?.moments[array] ?? [])]).reduce((sum, value) => sum + value, 0);
    expect(ratio?.values[0]).toBeCloseTo(total(0) / total(1), 12);
    expect(ratio?.errors[0]).toBeGreaterThan(0);
    const count = await pageOf(jobs[kind], 3, [selectAxis(0, 'sum')]);
    expect(count?.errors).toEqual([null]);
    expect(count?.values[0]).toBeCloseTo(
      TASKS.flatMap((task) => [...(pagesOf(task)[2]?.moments[0] ?? [])]).reduce((sum, value) => sum + value, 0),
      9,
    );
  });

  it('gives parts as files, too', async () => {
    const selection = { pages: [{ first: 1, last: 1 }], axes: [selectAxis(0, 'sum'), selectAxis(1, 'bin', 2)] };
    const { bytes } = await exportFile(suite, jobs[kind], 'csv', selection);
    const part = await pageOf(jobs[kind], 1, selection.axes);
    const rows = part?.values.map((value, bin) => `${part.dimensions[0]?.[bin]},${value},${part.errors[bin]}`);
    expect(bytes.toString().trim().split('\n').slice(1)).toEqual(rows);
  });

  it('refuses axes and bins that a page does not have, naming it', async () => {
    await expect(pageOf(jobs[kind], 1, [selectAxis(3, 'bin', 0)])).rejects.toMatchObject({
      reason: 'AXIS_INVALID',
      message: 'page 1 of estimator "Depth dose": axis 3 does not exist: the page has axes 0 to 2',
    });
    await expect(pageOf(jobs[kind], 1, [selectAxis(2, 'bin', 6)])).rejects.toMatchObject({ reason: 'AXIS_INVALID' });
    await expect(pageOf(jobs[kind], 3, [selectAxis(1, 'sum')])).rejects.toMatchObject({ reason: 'AXIS_INVALID' });
    const twice = [selectAxis(1, 'bin', 0), selectAxis(1, 'sum')];
    await expect(pageOf(jobs[kind], 1, twice)).rejects.toMatchObject({ reason: 'AXIS_INVALID' });
  });

  it('refuses sums of what is no sum', async () => {
    await expect(pageOf(jobs[kind], 4, [selectAxis(0, 'sum')])).rejects.toMatchObject({
      reason: 'SUM_UNAVAILABLE',
      message: expect.stringContaining('page 4 of estimator "Depth dose"'),
    });
  });
});

describe('GetResults FAILED_PRECONDITION', () => {
  it('gives no sums of results whose tasks have stored nothing: their error could not be known', async () => {
    const jobId = await createJob(suite);
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([2]), [1, 2], [1, 1])])));
    await expect(pageOf(jobId, 1, [selectAxis(0, 'sum')])).rejects.toMatchObject({ reason: 'SUM_UNAVAILABLE' });
    expect((await pageOf(jobId, 1, [selectAxis(0, 'bin', 1)]))?.values).toEqual([2]);
  });

  it('gives no sums where other outputs are stored than were merged', async () => {
    const jobId = await createJob(suite);
    for (const task of [1, 2])
      await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, task, pagesOf(task))));
    await suite.jobs.mergeOutputs({ jobId, taskIds: [1], isPartial: true, isStopped: false, mergeNumber: 1 });
    await expect(pageOf(jobId, 1, [selectAxis(0, 'sum')])).rejects.toMatchObject({ reason: 'SUM_UNAVAILABLE' });
  });
});
