import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import type { Reading } from '@tally/merge';
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

const suite = useResults();
const BINS = 120;
const PRIMARIES = 1000;
/** The tank begins at z = -5 cm, the beam goes up the axis. */
const descriptionJson = JSON.stringify({
  title: 'Carbon',
  kind: 'ion',
  depth: { axis: 'Z', sign: 1, first_matter_cm: -5 },
});
const header = pageHeader([2, 1, BINS], {
  axes: [
    { name: 'X', unit: 'cm', centers: [-1, 1] },
    { name: 'Y', unit: 'cm', centers: [0] },
    { name: 'Z', unit: 'cm', centers: Array.from({ length: BINS }, (_, bin) => (bin + 0.5) / 10 - 5) },
  ],
});
const curve = { ...header, pageNumber: 2, axes: header.axes.slice(2) };
const ratio = { ...curve, pageNumber: 3, pageName: 'LET', unit: 'keV/um', kind: results.PageKind.PAGE_KIND_RATIO };
/** Each task's peak is somewhere else, and all its bins are known: only the tasks tell how uncertain the range is. */
const edgeOf = (taskId: number) => 6 + 0.1 * Math.sin(3 * taskId);
const doseOf = (taskId: number, z: number) => {
  const depth = z + 5;
  const end = edgeOf(taskId);
  return (1 + 2 * Math.exp(-(((depth - end) / 0.5) ** 2))) / (1 + Math.exp((depth - end - 0.3) / 0.15));
};
const at = (bin: number) => header.axes[2]?.centers[bin] ?? 0;

async function simulated(tasks: number): Promise<string> {
  const jobId = await createJob(suite, undefined, { descriptionJson });
  for (let taskId = 1; taskId <= tasks; taskId += 1) {
    const number = (array: number, z: number) =>
      array === 0 ? PRIMARIES * doseOf(taskId, z) : PRIMARIES * (doseOf(taskId, z) ** 2 + 1e-6);
    const pages = [
      taskPage(header, (array, bin) => number(array, at(Math.floor(bin / 2))) / 2 ** (array + 1)),
      taskPage(curve, (array, bin) => number(array, at(bin))),
      taskPage(ratio, (array, bin) => number(array % 2, at(bin))),
    ];
    await suite.runner.putTaskOutput(
      streamOf(taskOutputMessages(jobId, taskId, pages, { primaries: BigInt(PRIMARIES) })),
    );
  }
  return jobId;
}

const merge = (jobId: string, tasks: number) =>
  suite.jobs.mergeOutputs({
    jobId,
    taskIds: Array.from({ length: tasks }, (_, i) => i + 1),
    isPartial: false,
    isStopped: false,
    mergeNumber: 1,
  });
const readingsIn = async (jobId: string, request: Partial<results.GetResultsRequest> = {}) => {
  const { pages } = await readResults(suite, jobId, request);
  return pages.map(({ shown }) => (shown as { readings?: Reading[] }).readings ?? []);
};
const r80Of = (all: readonly Reading[] | undefined) => all?.find(({ name }) => name === 'R80');

describe('readings of results', () => {
  it('are the same before and after the merge, from the first matter, with the scatter of the tasks as error', async () => {
    const TASKS = 8;
    const jobId = await simulated(TASKS);
    const [plane, own, letd] = await readingsIn(jobId);
    expect([plane, letd]).toEqual([[], []]);
    const r80 = r80Of(own);
    const ends = Array.from({ length: TASKS }, (_, i) => edgeOf(i + 1));
    const mean = ends.reduce((sum, end) => sum + end, 0) / TASKS;
    const scatter = Math.sqrt(ends.reduce((sum, end) => sum + (end - mean) ** 2, 0) / (TASKS - 1) / TASKS);
    expect(r80?.value).toBeGreaterThan(mean);
    expect(r80?.value).toBeLessThan(mean + 0.3);
    expect(r80?.coordinate).toBeCloseTo((r80?.value ?? 0) - 5, 9);
    expect(r80?.error).toBeGreaterThan(0.7 * scatter);
    expect(r80?.error).toBeLessThan(1.4 * scatter);
    const sum = { axes: [{ axis: 0, first: 0, last: 1, take: results.AxisTake.AXIS_TAKE_SUM }] };
    const ofSum = async () => r80Of((await readingsIn(jobId, { ...sum, pages: [{ first: 1, last: 1 }] }))[0]);
    const summed = await ofSum();
    expect(summed?.value).toBeCloseTo(r80?.value ?? 0, 6);
    expect(summed?.error).toBeCloseTo(r80?.error ?? 0, 6);
    await merge(jobId, TASKS);
    expect((await readingsIn(jobId))[1]).toEqual(own);
    expect(await ofSum()).toEqual(summed);
    const withHistories = await readingsIn(jobId, { hasEffectiveHistories: true });
    expect(withHistories).toEqual([[], own, []]);
  });

  it('of more tasks than batches are made of all of them', async () => {
    const TASKS = 23;
    const jobId = await simulated(TASKS);
    await merge(jobId, TASKS);
    const [, own] = await readingsIn(jobId);
    expect(r80Of(own)?.error).toBeGreaterThan(0.005);
    expect(r80Of(own)?.error).toBeLessThan(0.03);
  });

  it('are there of results that a worker has merged, too', async () => {
    const jobId = await createJob(suite, undefined, { descriptionJson });
    const values = Array.from({ length: BINS }, (_, bin) => doseOf(1, at(bin)));
    const pages = [
      finalPage(
        curve,
        values,
        values.map(() => 0.01),
      ),
    ];
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
    const [own] = await readingsIn(jobId);
    expect(r80Of(own)?.value).toBeCloseTo(edgeOf(1) + 0.15, 0);
    expect(r80Of(own)?.error).toBeGreaterThan(0);
  });
});
