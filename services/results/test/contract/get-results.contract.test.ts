import { beforeAll, describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { createPageMerger } from '@tally/merge';
import { newJobId } from '@tally/service-kit';
import { readResults } from '../read-results.js';
import {
  asUser,
  collect,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  taskOutputMessages,
  taskPage,
  useResults,
} from '../results-suite.js';

const suite = useResults();
const final = newJobId(new Date());
const numbersOf = (read: { pages: { estimatorName: string; pageNumber: number }[] }) =>
  read.pages.map(({ estimatorName, pageNumber }) => `${estimatorName} ${pageNumber}`);

beforeAll(async () => {
  await createJob(suite, final);
  const page = (estimatorIndex: number, estimatorName: string, pageNumber: number) =>
    finalPage(pageHeader([1], { estimatorIndex, estimatorName, pageNumber }), [pageNumber], [0]);
  const pages = [page(1, 'A', 2), page(0, 'Z', 3), page(0, 'Z', 1), page(1, 'A', 1), page(0, 'Z', 2)];
  await suite.gateway.putResults(streamOf(resultsMessages(final, pages)));
});

describe('GetResults OK: final results', () => {
  it("come in the project's order of estimators, then by page number", async () => {
    const read = await readResults(suite, final);
    expect(numbersOf(read)).toEqual(['Z 1', 'Z 2', 'Z 3', 'A 1', 'A 2']);
    expect(read.header.pageCount).toBe(5);
  });

  it('come for one estimator, for ranges of pages, or both; what does not exist is left out', async () => {
    const select = async (selection: Partial<results.GetResultsRequest>) =>
      numbersOf(await readResults(suite, final, selection));
    expect(await select({ estimatorName: 'A' })).toEqual(['A 1', 'A 2']);
    expect(await select({ pages: [{ first: 2, last: 2 }] })).toEqual(['Z 2', 'A 2']);
    expect(
      await select({
        pages: [
          { first: 3, last: 2_147_483_647 },
          { first: 1, last: 1 },
        ],
      }),
    ).toEqual(['Z 1', 'Z 3', 'A 1']);
    expect(await select({ estimatorName: 'Z', pages: [{ first: -5, last: 2 }] })).toEqual(['Z 1', 'Z 2']);
    expect(await select({ estimatorName: 'A', pages: [{ first: 9, last: 9 }] })).toEqual([]);
    expect(await select({ pages: [{ first: 5, last: 1 }] })).toEqual([]);
  });

  it('answers the widest ranges as fast as a narrow one: ranges are compared, never expanded', async () => {
    const pages = Array.from({ length: 1000 }, () => ({ first: 1, last: 2_147_483_647 }));
    expect((await readResults(suite, final, { pages })).pages).toHaveLength(5);
  });

  it('leave in chunks of at most 256 KiB, however large the page', async () => {
    const jobId = await createJob(suite);
    const values = Array.from({ length: 100_000 }, (_, bin) => Math.sin(bin) / 3);
    await suite.gateway.putResults(
      streamOf(resultsMessages(jobId, [finalPage(pageHeader([100_000]), values, values)])),
    );
    const { chunkBytes, pages } = await readResults(suite, jobId);
    expect(chunkBytes.length).toBeGreaterThan(3);
    expect(Math.max(...chunkBytes)).toBeLessThanOrEqual(256 * 1024);
    expect(pages[0]?.shown.data.values).toEqual(values);
  });
});

describe('GetResults OK: partial results', () => {
  const header = pageHeader([6], { scale: 2, kind: results.PageKind.PAGE_KIND_LINEAR });
  const share = (taskId: number) =>
    taskPage(header, (array, bin) => (array === 0 ? taskId + bin : (taskId + bin) ** 2));
  const put = (jobId: string, taskId: number) =>
    suite.runner.putTaskOutput(
      streamOf(taskOutputMessages(jobId, taskId, [share(taskId)], { primaries: BigInt(100 * taskId), batches: 10 })),
    );

  it('are what merging the stored task outputs gives, and say so', async () => {
    const jobId = await createJob(suite);
    for (const taskId of [3, 1, 2]) await put(jobId, taskId);
    const merger = createPageMerger({ ...header, kind: 'linear', recordCount: undefined });
    for (const taskId of [1, 2, 3]) {
      merger.add({ primaries: 100 * taskId, batches: 10, moments: share(taskId).moments });
    }
    const { values, errors } = merger.finish();
    const { header: about, pages } = await readResults(suite, jobId);
    expect(about).toMatchObject({ isPartial: true, taskCount: 3, primaries: 600n, engine: 'reference 0.1.0' });
    expect(pages[0]?.shown).toMatchObject({
      page_number: 1,
      name: 'Dose',
      data: { values: [...values], errors: [...errors], unit: 'MeV/g' },
    });
  });

  it('change their version when a task delivers, and only then', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1);
    const one = (await readResults(suite, jobId)).header.version;
    expect((await readResults(suite, jobId)).header.version).toBe(one);
    await put(jobId, 2);
    expect((await readResults(suite, jobId)).header.version).not.toBe(one);
  });

  it('are the same for readers who ask at the same time', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => readResults(suite, jobId)));
    expect(new Set(answers.map(({ pages }) => pages[0]?.json)).size).toBe(1);
  });

  it('give way to the final results', async () => {
    const jobId = await createJob(suite);
    await put(jobId, 1);
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([1]), [42], [1])])));
    const { header: about, pages } = await readResults(suite, jobId);
    expect(about.isPartial).toBe(false);
    expect(pages[0]?.shown.data.values).toEqual([42]);
  });

  it('count only the tasks that gave a page', async () => {
    const jobId = await createJob(suite);
    const flat = (pageNumber: number) =>
      taskPage(pageHeader([1], { pageNumber, kind: results.PageKind.PAGE_KIND_COUNTER }), () => 5);
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [flat(1), flat(2)])));
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 2, [flat(1)])));
    const { pages } = await readResults(suite, jobId);
    expect(pages.map(({ shown }) => shown.data.values)).toEqual([[10], [5]]);
  });
});

describe('GetResults OK: long lists', () => {
  it('come as numbers, or as how many nulls they are', async () => {
    const jobId = await createJob(suite);
    const noise = Array.from({ length: 40_000 }, (_, bin) => (bin % 7 === 0 ? Number.NaN : Math.sin(bin)));
    const put = async (errors: readonly number[]) => {
      const pages = [
        finalPage(pageHeader([200, 200]), noise, errors),
        finalPage(pageHeader([1], { pageNumber: 2 }), [1], [2]),
      ];
      await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
      const read = await readResults(suite, jobId);
      const { values, errors: shown } = read.pages[0]?.shown.data ?? {};
      expect(values).toEqual(noise.map((value) => (Number.isNaN(value) ? 0 : value)));
      expect(shown).toEqual(noise.map((value, bin) => (Number.isNaN(value + (errors[bin] ?? 0)) ? null : errors[bin])));
      return read.cases;
    };
    expect(await put(noise)).toEqual(new Set(['chunk', 'numbers', 'numbersOrNulls']));
    expect(await put(noise.map(() => Number.NaN))).toEqual(new Set(['chunk', 'numbers', 'nullCount']));
  });

  it('are the same of partial results, and of the final ones', async () => {
    const jobId = await createJob(suite);
    const noise = Array.from({ length: 40_000 }, (_, bin) => Math.sin(bin));
    const counter = taskPage(
      pageHeader([200, 200], { kind: results.PageKind.PAGE_KIND_COUNTER }),
      (_, bin) => noise[bin] ?? 0,
    );
    await suite.runner.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [counter])));
    expect((await readResults(suite, jobId)).pages[0]?.shown.data).toMatchObject({ values: noise });
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, [finalPage(pageHeader([200, 200]), noise, noise)])));
    expect((await readResults(suite, jobId)).pages[0]?.shown.data).toMatchObject({ values: noise, errors: noise });
  });

  it('that only number bins come as a count', async () => {
    const jobId = await createJob(suite);
    const noise = Array.from({ length: 40_000 }, (_, bin) => Math.sin(bin));
    const pages = [40_000, 4].map((numbered, index) => {
      const sizes = [40_000 / numbered];
      return finalPage(pageHeader(sizes, { pageNumber: index + 1, numberedBins: BigInt(numbered) }), noise, noise);
    });
    await suite.gateway.putResults(streamOf(resultsMessages(jobId, pages)));
    const read = await readResults(suite, jobId);
    expect(read.pages.map((page) => page.shown.data.dimensions[1])).toEqual(
      [40_000, 4].map((numbered) => Array.from({ length: numbered }, (_, bin) => bin + 1)),
    );
    expect(read.counted).toEqual([{ first: 1, count: 40_000 }]); // four are written with the text
  });
});

describe('GetResults NOT_FOUND', () => {
  it('has no results before a task has delivered', async () => {
    const jobId = await createJob(suite);
    await expect(readResults(suite, jobId)).rejects.toMatchObject({
      status: 'NOT_FOUND',
      reason: 'RESULTS_UNAVAILABLE',
      message: 'Results are unavailable',
    });
  });

  it('knows no other job', async () => {
    await expect(readResults(suite, 'a\0b')).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });

  it('knows no other estimator, whatever the pages asked for', async () => {
    for (const estimatorName of ['B', 'a', "A' OR 'a'='a", 'A\0', '%']) {
      for (const pages of [[], [{ first: 1, last: 1 }]]) {
        await expect(readResults(suite, final, { estimatorName, pages })).rejects.toMatchObject({
          status: 'NOT_FOUND',
          reason: 'ESTIMATOR_NOT_FOUND',
        });
      }
    }
  });
});

describe('GetResults PERMISSION_DENIED', () => {
  it("refuses another user's job", async () => {
    await expect(readResults(suite, final, {}, OWNER + 1n)).rejects.toMatchObject({
      status: 'PERMISSION_DENIED',
      reason: 'JOB_OF_ANOTHER_USER',
    });
  });

  it('refuses callers other than the gateway', async () => {
    const request = { jobId: final, estimatorName: '', pages: [], axes: [] };
    await expect(collect(suite.runner.getResults(request))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('GetResults UNAUTHENTICATED', () => {
  it('needs a user', async () => {
    const request = { jobId: final, estimatorName: '', pages: [], axes: [] };
    await expect(collect(suite.gateway.getResults(request))).rejects.toMatchObject({ reason: 'USER_REQUIRED' });
  });
});

describe('GetResults INVALID_ARGUMENT', () => {
  it('refuses more than 1000 ranges', async () => {
    const pages = Array.from({ length: 1001 }, () => ({ first: 1, last: 1 }));
    await expect(readResults(suite, final, { pages })).rejects.toMatchObject({
      status: 'INVALID_ARGUMENT',
      reason: 'SELECTION_INVALID',
    });
  });
});

describe('GetResults ABORTED', () => {
  it('never mixes two results: it breaks off when they are replaced while they are read', async () => {
    const jobId = await createJob(suite);
    // 17 MB: about twice what the streams on both sides take in while nobody reads
    const noise = Array.from({ length: 1_000_000 }, () => Math.random());
    const put = (page: ReturnType<typeof finalPage>) =>
      suite.gateway.putResults(streamOf(resultsMessages(jobId, [page])));
    await put(finalPage(pageHeader([1000, 1000]), noise, noise.toReversed()));
    const read = async () => {
      let isReplaced = false;
      const stream = suite.gateway.getResults({ jobId, estimatorName: '', pages: [], axes: [] });
      for await (const { part } of stream) {
        if (part?.$case !== 'chunk' || isReplaced) continue;
        await put(finalPage(pageHeader([1]), [1], [1]));
        isReplaced = true;
      }
    };
    await expect(asUser(OWNER, read)).rejects.toMatchObject({ status: 'ABORTED', reason: 'CHANGED_WHILE_READ' });
  });
});
