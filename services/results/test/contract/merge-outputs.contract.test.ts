import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createPageMerger, type PageKind } from '@tally/merge';
import { runStatement } from '@tally/testkit';
import { readResults } from '../read-results.js';
import {
  createJob,
  pageHeader,
  streamOf,
  taskOutputMessages,
  taskPage,
  type UploadedPage,
  useResults,
} from '../results-suite.js';

// 4 KB in a row: what is merged here is small and large
const suite = useResults({ rowBytesMax: 4_096 });
const put = (
  jobId: string,
  taskId: number,
  pages: readonly UploadedPage[],
  more: Partial<results.TaskOutputHeader> = {},
) =>
  suite.runner.putTaskOutput(
    streamOf(taskOutputMessages(jobId, taskId, pages, { primaries: BigInt(100 * taskId), ...more })),
  );
const merge = (jobId: string, taskIds: number[], more: Partial<results.MergeOutputsRequest> = {}) =>
  suite.jobs.mergeOutputs({ jobId, taskIds, isPartial: false, isStopped: false, mergeNumber: 1, ...more });

const KINDS: [PageKind, results.PageKind][] = [
  ['linear', results.PageKind.PAGE_KIND_LINEAR],
  ['ratio', results.PageKind.PAGE_KIND_RATIO],
  ['average', results.PageKind.PAGE_KIND_AVERAGE],
  ['counter', results.PageKind.PAGE_KIND_COUNTER],
  ['map', results.PageKind.PAGE_KIND_MAP],
];
/** Numbers as a task has them; a few of them are not finite. */
const number = (taskId: number) => (array: number, bin: number) =>
  bin % 997 === 13 && taskId === 2 ? Number.NaN : (1 + array) * Math.abs(Math.sin(bin * taskId + array)) + 1;

describe('MergeOutputs OK', () => {
  it('tells the mean relative error above half of the maximum, of a page or the largest of all', async () => {
    const jobId = await createJob(suite);
    const pages = [1, 2].map((pageNumber) => taskPage({ ...pageHeader([40, 10]), pageNumber }, number(pageNumber)));
    for (const taskId of [1, 2]) await put(jobId, taskId, pages);
    const ask = async (pageNumber?: number) =>
      (await merge(jobId, [1, 2], { errorPages: { estimatorName: pageHeader([1]).estimatorName, pageNumber } }))
        .relativeError;
    const expected = (await readResults(suite, jobId)).pages.map(({ shown: { data } }) => {
      const most = Math.max(...data.values);
      const ratios = data.values.flatMap((value, i) =>
        value > most / 2 ? (data.errors?.[i] ?? Number.NaN) / value : [],
      );
      return ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    });
    for (const [i, error] of expected.entries()) expect(await ask(i + 1)).toBeCloseTo(error, 12);
    expect(await ask()).toBeCloseTo(Math.max(...expected), 12);
    expect(await ask(3)).toBeUndefined();
  });

  it.each([
    ['small', [3, 2]],
    ['large', [30, 25]],
  ])('does not replace the results of a later merge: %s', async (_, sizes) => {
    const jobId = await createJob(suite);
    for (const taskId of [1, 2]) await put(jobId, taskId, [taskPage(pageHeader(sizes), () => taskId)]);
    await merge(jobId, [1], { mergeNumber: 1 });
    await merge(jobId, [1, 2], { mergeNumber: 2 });
    await expect(merge(jobId, [1], { mergeNumber: 1 })).rejects.toMatchObject({ reason: 'MERGE_REPLACED' });
    expect((await readResults(suite, jobId)).header).toMatchObject({ primaries: 300n, taskCount: 2 });
    await merge(jobId, [2], { mergeNumber: 2 });
    expect((await readResults(suite, jobId)).header).toMatchObject({ primaries: 200n });
  });

  for (const [what, sizes, isAtOnce] of [
    ['in one message', [3, 2], true],
    ['small', [3, 2], false],
    ['large', [300, 250], false],
  ] as const) {
    it(`adds what float64 leaves of sums, where tasks know it: ${what}`, async () => {
      const jobId = await createJob(suite);
      const sums = taskPage(pageHeader(sizes), () => 1);
      const remainders = taskPage(pageHeader(sizes), (array, bin) => (array === 0 ? (bin + 9) * 2 ** -55 : 0)).bytes;
      const taskIds = Array.from({ length: 64 }, (_, index) => index + 1);
      for (const taskId of taskIds) {
        const messages = taskOutputMessages(jobId, taskId, [sums], { primaries: 1n });
        const [first] = messages;
        if (isAtOnce && first?.part?.$case === 'header') {
          const whole = { pages: [sums.header], content: sums.bytes, remainders };
          const value = { ...first.part.value, whole };
          await suite.runner.putTaskOutput(streamOf([{ part: { $case: 'header', value } }]));
          continue;
        }
        const behind = [remainders.subarray(0, 5), remainders.subarray(5)].map((bytes) => ({ remainders: bytes }));
        await suite.runner.putTaskOutput(streamOf([...messages, ...behind]));
      }
      const expected = (bin: number) => 1 + (bin + 9) * 2 ** -55;
      for (const isFinal of [false, true]) {
        if (isFinal) await merge(jobId, taskIds);
        const [page] = (await readResults(suite, jobId)).pages;
        for (const [bin, value] of (page?.shown.data.values ?? []).entries()) {
          if (bin < 6 || bin % 64 === 31) expect([bin, value]).toEqual([bin, expected(bin)]);
        }
      }
    });
  }

  for (const [what, sizes] of [
    ['small', [3, 2]],
    // more bins than are merged at once
    ['large', [300, 250]],
  ] as const) {
    it(`gives what merging the outputs gives, pages of every kind: ${what}`, async () => {
      const jobId = await createJob(suite);
      const pagesOf = (taskId: number) =>
        KINDS.map(([, kind], index) =>
          taskPage(pageHeader(sizes, { kind, pageNumber: index + 1, scale: -2 }), number(taskId)),
        );
      const taskIds = [1, 2, 5];
      for (const taskId of taskIds.toReversed()) await put(jobId, taskId, pagesOf(taskId));
      expect(await merge(jobId, taskIds, { isPartial: true })).toEqual({});
      const { header, pages } = await readResults(suite, jobId);
      expect(header).toMatchObject({
        primaries: 800n,
        taskCount: 3,
        isPartial: true,
        engine: 'reference 0.1.0',
        pageCount: 5,
      });
      for (const [index, [kind]] of KINDS.entries()) {
        const described = { ...pageHeader(sizes), kind, scale: -2, recordCount: undefined };
        const merger = createPageMerger(described);
        for (const taskId of taskIds) {
          merger.add({ primaries: 100 * taskId, batches: 10, moments: pagesOf(taskId)[index]?.moments ?? [] });
        }
        const { values, errors, nonFinite } = merger.finish();
        const { shown } = pages[index] ?? {};
        expect([kind, shown?.data.values]).toEqual([kind, [...values]]);
        expect(shown?.data.errors).toEqual(Array.from(errors, (error) => (Number.isFinite(error) ? error : null)));
        expect(shown?.data.dimensions).toEqual(described.axes.map(({ centers }) => centers));
        expect((shown as { non_finite_count?: number }).non_finite_count ?? 0).toBe(nonFinite);
      }
    });
  }

  it('puts the records of lists one after the other', async () => {
    const jobId = await createJob(suite);
    const list = (taskId: number, records: number) => {
      const fields = { kind: results.PageKind.PAGE_KIND_LIST, recordCount: BigInt(records) };
      return taskPage(pageHeader([2], fields), (_, bin) => 100_000 * taskId + bin);
    };
    const counts = [3, 0, 40_000];
    for (const [index, count] of counts.entries()) await put(jobId, index + 1, [list(index + 1, count)]);
    await merge(jobId, [1, 2, 3]);
    const { data } = (await readResults(suite, jobId)).pages[0]?.shown ?? {};
    const expected = counts.flatMap((count, index) =>
      Array.from({ length: 2 * count }, (_, bin) => 100_000 * (index + 1) + bin),
    );
    expect(data?.values).toEqual(expected);
    expect(data?.dimensions.map(({ length }) => length)).toEqual([2, 40_003]);
  });

  it('replaces earlier results; the same outputs give the same version', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [1, 2]) await put(jobId, taskId, [taskPage(pageHeader([50, 50]), number(taskId))]);
    const versions: string[] = [];
    for (const taskIds of [[1, 2], [1], [1, 2]]) {
      await merge(jobId, taskIds);
      versions.push((await readResults(suite, jobId)).header.version);
    }
    expect(versions[2]).toBe(versions[0]);
    expect(versions[1]).not.toBe(versions[0]);
    const blobs = await runStatement(
      suite.databaseUrl,
      'SELECT 1 FROM blobs LEFT JOIN task_outputs USING (blob_id) WHERE blobs.job_id = $1 AND output_id IS NULL',
      [jobId],
    );
    expect(blobs).toHaveLength(1);
  });
});

describe('MergeOutputs FAILED_PRECONDITION', () => {
  it('merges nothing when a task or one of its pages is missing', async () => {
    const jobId = await createJob(suite);
    const page = (pageNumber: number) => taskPage(pageHeader([2], { pageNumber }), number(1));
    await put(jobId, 1, [page(1), page(2)]);
    await put(jobId, 2, [page(1)]);
    const refused = { status: 'FAILED_PRECONDITION', reason: 'OUTPUTS_INCOMPLETE' };
    for (const taskIds of [[1, 3], [1, 2], []]) await expect(merge(jobId, taskIds)).rejects.toMatchObject(refused);
    await expect(readResults(suite, jobId)).resolves.toMatchObject({ header: { isPartial: true } });
  });
});

describe('MergeOutputs NOT_FOUND', () => {
  it('knows no job that is not there', async () => {
    await expect(merge('20260101-000000-gone', [1])).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
  });
});

describe('MergeOutputs PERMISSION_DENIED', () => {
  it('refuses callers that do not decide when a job is done', async () => {
    const call = suite.gateway.mergeOutputs({
      jobId: 'j',
      taskIds: [1],
      isPartial: false,
      isStopped: false,
      mergeNumber: 1,
    });
    await expect(call).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
