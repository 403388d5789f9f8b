import { beforeAll, describe, expect, it } from '@jest/globals';
import type { results } from '@tally/contracts';
import { exportFile, selectAxis } from '../exports.js';
import { type History, messagesOfHistories } from '../histories.js';
import { readResults } from '../read-results.js';
import { createJob, finalPage, pageHeader, resultsMessages, streamOf, useResults } from '../results-suite.js';

const suite = useResults();
const [NX, NZ, HISTORIES] = [3, 40, 2_000] as const;
const TASKS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const bins = Array.from({ length: NX * NZ }, (_, bin) => bin);

/** The same numbers in every run: a linear congruential generator (Park and Miller 1988). */
const random = (() => {
  let state = 20_261_123;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
})();

/** One history in three reaches a column of bins, and then gives to all of it: bins along Z are correlated. */
const histories = Array.from({ length: HISTORIES }, (): History => {
  const column = Math.floor(random() * NX * 3);
  const energy = random() ** 4;
  const shares = bins.map((bin) => (bin % NX === column ? energy * (1 + 0.2 * random()) : 0));
  return { shares, weights: shares.map((share, bin) => (bin % 5 === 0 ? share / 2 : Number(share > 0))) };
});
const perTask = HISTORIES / TASKS.length;
const jobs: Record<'final' | 'running', string> = { final: '', running: '' };

beforeAll(async () => {
  for (const kind of ['final', 'running'] as const) {
    jobs[kind] = await createJob(suite);
    for (const [index, task] of TASKS.entries()) {
      const own = histories.slice(index * perTask, (index + 1) * perTask);
      await suite.runner.putTaskOutput(streamOf(messagesOfHistories(jobs[kind], task, own, [NX, 1, NZ])));
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

const dataOf = async (jobId: string, pageNumber: number, request: Partial<results.GetResultsRequest> = {}) =>
  (await readResults(suite, jobId, { pages: [{ first: pageNumber, last: pageNumber }], ...request })).pages[0]?.shown
    .data;
const WITH = { hasEffectiveHistories: true };
const SUM = { axes: [selectAxis(2, 'sum')] };

/** (Σ s)²/Σ s² over histories. */
function effective(shares: readonly number[]): number {
  return shares.reduce((sum, share) => sum + share, 0) ** 2 / shares.reduce((sum, share) => sum + share ** 2, 0);
}

const standardDeviation = (numbers: readonly number[]) => {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return Math.sqrt(numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / (numbers.length - 1));
};

const relative = (numbers: readonly (number | null)[] | undefined, expected: readonly number[]) =>
  numbers?.map((number, bin) => (number ?? Number.NaN) / (expected[bin] ?? Number.NaN));
const closeToOne = (count: number): unknown[] => Array.from({ length: count }, () => expect.closeTo(1, 6));

describe.each(['final', 'running'] as const)('effective numbers of histories of %s results', (kind) => {
  it('are those of the shares that the histories gave', async () => {
    const data = await dataOf(jobs[kind], 1, WITH);
    const expected = bins.map((bin) => effective(histories.map(({ shares }) => shares[bin] ?? 0)));
    expect(relative(data?.effective_histories, expected)).toEqual(closeToOne(bins.length));
    expect(expected[0]).toBeLessThan(HISTORIES / 9);
    const { effective_histories: _, ...others } = data ?? {};
    expect(await dataOf(jobs[kind], 1)).toEqual(others);
  });

  it('of a ratio are those of its denominators', async () => {
    const expected = bins.map((bin) => effective(histories.map(({ weights }) => weights[bin] ?? 0)));
    const data = await dataOf(jobs[kind], 2, WITH);
    expect(relative(data?.effective_histories, expected)).toEqual(closeToOne(bins.length));
  });

  it('are given of a part', async () => {
    for (const pageNumber of [1, 2]) {
      const whole = await dataOf(jobs[kind], pageNumber, WITH);
      const part = await dataOf(jobs[kind], pageNumber, { ...WITH, axes: [selectAxis(2, 'bin', 7)] });
      expect(part?.effective_histories).toEqual(whole?.effective_histories?.slice(7 * NX, 8 * NX));
      const sum = await dataOf(jobs[kind], pageNumber, { ...WITH, ...SUM });
      expect(sum?.effective_histories).toHaveLength(NX);
    }
  });
});

describe('sums along axes of bins that the same histories reach', () => {
  it('have the error that the sums of the histories have, which the errors of the bins do not give', async () => {
    const { final: jobId } = jobs;
    const [whole, sum] = [await dataOf(jobId, 1), await dataOf(jobId, 1, SUM)];
    for (let x = 0; x < NX; x += 1) {
      const ofColumn = (numbers: readonly (number | null)[] = []) => numbers.filter((_, bin) => bin % NX === x);
      const sums = histories.map(
        ({ shares }) => 3 * ofColumn(shares).reduce((total: number, s) => total + (s ?? 0), 0),
      );
      const means = TASKS.map((_, index) => {
        return sums.slice(index * perTask, (index + 1) * perTask).reduce((total, s) => total + s, 0) / perTask;
      });
      expect(sum?.values[x]).toBeCloseTo(sums.reduce((total, s) => total + s, 0) / HISTORIES, 9);
      expect(sum?.errors[x]).toBeCloseTo(standardDeviation(means) / Math.sqrt(TASKS.length), 9);
      // of ten tasks it is known to about a quarter; twice that is three quarters
      const exact = standardDeviation(sums) / Math.sqrt(HISTORIES);
      const independent = Math.sqrt(ofColumn(whole?.errors).reduce((total: number, e) => total + (e ?? 0) ** 2, 0));
      expect(Math.abs((sum?.errors[x] ?? 0) / exact - 1)).toBeLessThan(0.75);
      expect(exact / independent).toBeGreaterThan(5);
    }
  });

  it('say of how many batches their errors are', async () => {
    expect(await dataOf(jobs.final, 1, SUM)).toMatchObject({ error_batches: TASKS.length });
    expect(await dataOf(jobs.final, 1)).not.toHaveProperty('error_batches');
  });
});

describe('effective numbers of histories in files', () => {
  const selection = { pages: [{ first: 1, last: 1 }], ...WITH };

  it('are the last column of CSV and the last array of float64', async () => {
    const data = await dataOf(jobs.final, 1, WITH);
    const [head, ...rows] = (await exportFile(suite, jobs.final, 'csv', selection)).bytes.toString().trim().split('\n');
    expect(head).toBe('X [cm],Y [cm],Z [cm],Dose [MeV/g],error [MeV/g],effective_histories');
    expect(rows.map((row) => Number(row.split(',')[5]))).toEqual(data?.effective_histories);
    const { header, bytes } = await exportFile(suite, jobs.final, 'float64', selection);
    expect(JSON.parse(header.pageJson)).toMatchObject({
      arrays: ['values', 'errors', 'effective_histories'],
      shape: [3, NZ, 1, NX],
    });
    const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
    expect([...numbers.subarray(2 * bins.length)]).toEqual(data?.effective_histories);
  });

  it('have no place in DICOM', async () => {
    await expect(exportFile(suite, jobs.final, 'dicom', selection)).rejects.toMatchObject({
      reason: 'FORMAT_UNSUITABLE',
      message: expect.stringContaining('effective numbers'),
    });
  });

  it('are left out of results that a worker merged itself', async () => {
    const jobId = await createJob(suite);
    const page = finalPage(pageHeader([2]), [1, 2], [1, 1]);
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [page])));
    const data = await dataOf(jobId, 1, WITH);
    expect(data).toMatchObject({ values: [1, 2], errors: [1, 1] });
    expect(data).not.toHaveProperty('effective_histories');
  });
});
