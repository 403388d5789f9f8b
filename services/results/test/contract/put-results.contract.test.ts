import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { runStatement } from '@tally/testkit';
import { selectAxis } from '../exports.js';
import { readResults } from '../read-results.js';
import {
  asUser,
  createJob,
  finalPage,
  OWNER,
  pageHeader,
  resultsMessages,
  streamOf,
  useResults,
} from '../results-suite.js';

const suite = useResults({
  pagesMax: 5,
  pageBinsMax: 1000,
  axisCentersMax: 1500,
  uploadBytesMax: 40_000,
  rowBytesMax: 30_000,
});
const put = (messages: results.PutResultsRequest[]) => suite.gateway.putResults(streamOf(messages));
const page = (fields: Partial<results.PageHeader> = {}) =>
  finalPage(pageHeader([2, 2], fields), [1, 2.5, -3e-9, 0], [0.1, Number.NaN, 1e-12, 0]);

describe('PutResults OK', () => {
  it('shows each page as the public API does', async () => {
    const jobId = await createJob(suite);
    const warnings = [{ code: 'AXIS_UNNAMED', message: 'a.bdo: an axis has no name' }];
    await put(resultsMessages(jobId, [page({ pageName: 'Dose "per" primary\u2028' })], { pageCount: 1, warnings }));
    const { pages, header } = await readResults(suite, jobId);
    expect(header).toMatchObject({ primaries: 3000n, taskCount: 3, isPartial: false, engine: 'reference 0.1.0', warnings }); // biome-ignore format: one line
    expect(pages.map(({ json }) => json)).toEqual([
      '{"page_number":1,"name":"Dose \\"per\\" primary\u2028","data":{"values":[1,2.5,-3e-9,0],' +
        '"dimensions":[[0.05,0.15],[0.05,0.15]],"unit":"MeV/g","errors":[0.1,null,1e-12,0],' +
        '"axes":[{"name":"X","unit":"cm"},{"name":"Y","unit":"cm"}]}}',
    ]);
  });

  it('keeps every finite number exactly', async () => {
    const jobId = await createJob(suite);
    const values = [
      5e-324,
      Number.MIN_VALUE,
      2.2250738585072014e-308,
      Number.MAX_VALUE,
      -0,
      1 / 3,
      0.1 + 0.2,
      1e21,
      123456789012345680000,
      -1e-7,
    ];
    const errors = values.map((value) => Math.abs(value) / 7);
    await put(resultsMessages(jobId, [finalPage(pageHeader([values.length]), values, errors)]));
    const { shown } = (await readResults(suite, jobId)).pages[0] ?? {};
    for (const [index, value] of values.entries()) expect(shown?.data.values[index]).toBe(value);
    expect(shown?.data.errors).toEqual(errors);
  });

  it('shows numbers that are not finite as 0 with unknown error, and counts them', async () => {
    const jobId = await createJob(suite);
    const values = [1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2];
    const errors = [0.5, 0.5, 0.5, 0.5, Number.POSITIVE_INFINITY];
    await put(
      resultsMessages(jobId, [finalPage(pageHeader([5]), values, errors), page({ pageNumber: 2, nonFiniteCount: 4 })]),
    );
    const { data } = (await readResults(suite, jobId)).pages[0]?.shown ?? {};
    expect(data).toMatchObject({ values: [1, 0, 0, 0, 2], errors: [0.5, null, null, null, null] });
    const listed = await asUser(OWNER, () => suite.gateway.listEstimators({ jobId }));
    expect(listed.estimators[0]?.pages.map(({ nonFiniteCount }) => nonFiniteCount)).toEqual([3, 4]);
  });

  it('keeps what the sender says of a page, and says how many of its numbers were not finite', async () => {
    const jobId = await createJob(suite);
    const header = pageHeader([2], { pageNumber: 0, metadataJson: '{ "detector": "Dose", "n": [1, null] }' });
    const pages = [finalPage(header, [1, Number.NaN], [0.5, 0.5]), page({ pageNumber: 1 })];
    await put(resultsMessages(jobId, pages, { taskCount: 0, isPartial: true }));
    const read = await readResults(suite, jobId);
    expect(read.header).toMatchObject({ taskCount: 0, isPartial: true });
    const [first, second] = read.pages.map(({ shown }) => shown);
    expect(first).toMatchObject({
      page_number: 0,
      non_finite_count: 1,
      metadata: { detector: 'Dose', n: [1, null] },
    });
    expect(Object.keys(second ?? {})).toEqual(['page_number', 'name', 'data']);
  });

  it('replaces earlier results whole; the version tells content apart, and only that', async () => {
    const jobId = await createJob(suite);
    const versionOf = async (messages: results.PutResultsRequest[]) => {
      await put(messages);
      return (await readResults(suite, jobId)).header.version;
    };
    const both = [page(), page({ pageNumber: 2 })];
    const first = await versionOf(resultsMessages(jobId, both));
    expect(await versionOf(resultsMessages(jobId, both))).toBe(first);
    const others = [
      await versionOf(resultsMessages(jobId, both, { isPartial: true })),
      await versionOf(resultsMessages(jobId, both, { primaries: 1n })),
      await versionOf(
        resultsMessages(jobId, [page({ estimatorName: 'Other' }), page({ estimatorName: 'Other', pageNumber: 2 })]),
      ),
      await versionOf(resultsMessages(jobId, [page()])),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
    expect((await readResults(suite, jobId)).pages).toHaveLength(1);
  });

  it('takes the same results many times at once and stores them once', async () => {
    const jobId = await createJob(suite);
    await Promise.all(Array.from({ length: 6 }, () => put(resultsMessages(jobId, [page()], { pageCount: 1 }))));
    expect((await readResults(suite, jobId)).pages).toHaveLength(1);
    expect(
      await runStatement(suite.databaseUrl, 'SELECT 1 FROM final_results WHERE job_id = $1', [jobId]),
    ).toHaveLength(1);
  });

  it('takes pages without errors, and says of their errors that they are unknown', async () => {
    const jobId = await createJob(suite);
    const values = [1, Number.NaN, 3, 4];
    const whole = finalPage(pageHeader([4], { hasNoErrors: true }), values, []);
    const known = page({ pageNumber: 2 });
    await put(resultsMessages(jobId, [whole, known]));
    const [first, second] = (await readResults(suite, jobId)).pages.map(({ shown }) => shown.data);
    expect(first).toMatchObject({ values: [1, 0, 3, 4], errors: [null, null, null, null] });
    expect(second?.errors).toEqual([0.1, null, 1e-12, 0]);
    const short = finalPage(pageHeader([2, 2]), values, []);
    await expect(put(resultsMessages(jobId, [short]))).rejects.toMatchObject({ reason: 'PAGE_SHAPE' });
  });

  it.each([
    ['no axis', []],
    ['an axis of one bin', [1]],
    ['an axis of two bins', [2]],
  ])('numbers bins of a page with %s, however many, without their centres', async (_, sizes) => {
    const jobId = await createJob(suite);
    const rest = 800 / (sizes[0] ?? 1);
    const values = Array.from({ length: 800 }, (__, bin) => bin / 7);
    const numbered = { ...pageHeader(sizes), numberedBins: BigInt(rest) };
    const second = { ...numbered, pageNumber: 2, hasNoErrors: true, metadataJson: '{"a":1}' };
    const errors = values.map((value) => value / 9);
    const part = { estimatorName: 'Depth dose', pages: [{ first: 2, last: 2 }], axes: [selectAxis(sizes.length, 'bins', 3, 5)] }; // biome-ignore format: one line
    await put(resultsMessages(jobId, [finalPage(numbered, values, errors), finalPage(second, values, [])]));
    const shown = (await readResults(suite, jobId)).pages.map((read) => read.shown);
    const bins = Array.from({ length: rest }, (__, bin) => bin + 1);
    expect(shown[0]?.data.dimensions.at(-1)).toEqual(bins);
    expect(shown[0]?.data).toMatchObject({ values, errors });
    expect(shown[1]).toMatchObject({ data: { values, dimensions: shown[0]?.data.dimensions }, metadata: { a: 1 } });
    expect(shown[1]?.data.axes).toEqual([...sizes.map(() => ({ name: 'X', unit: 'cm' })), { name: 'bin', unit: '' }]);
    const { data } = (await readResults(suite, jobId, part)).pages[0]?.shown ?? {};
    expect(data?.dimensions.at(-1)).toEqual([4, 5, 6]);
    expect(data?.values).toEqual(values.slice(3 * (sizes[0] ?? 1), 6 * (sizes[0] ?? 1)));
    const listed = await asUser(OWNER, () => suite.gateway.listEstimators({ jobId }));
    expect(listed.estimators[0]?.pages[0]?.sizes).toEqual([...sizes, rest]);
  });

  it('keeps errors of which the first ones are unknown, in a row and in blocks', async () => {
    const jobId = await createJob(suite);
    const values = Array.from({ length: 1000 }, (_, bin) => bin);
    const errors = values.map((bin) => (bin < 900 ? Number.NaN : bin / 7));
    const sparse = (pageNumber: number) => finalPage(pageHeader([100, 10], { pageNumber }), values, errors);
    for (const pages of [[sparse(1)], [sparse(1), sparse(2)]]) {
      await put(resultsMessages(jobId, pages));
      for (const { shown } of (await readResults(suite, jobId)).pages) {
        expect(shown.data).toMatchObject({ values, errors: errors.map((error) => (error > 0 ? error : null)) });
      }
    }
  });
});

describe('PutResults NOT_FOUND', () => {
  it('refuses results of a job that is not there', async () => {
    await expect(put(resultsMessages('none', [page()]))).rejects.toMatchObject({
      status: 'NOT_FOUND',
      reason: 'JOB_NOT_FOUND',
    });
  });
});

describe('PutResults INVALID_ARGUMENT', () => {
  const valid = (jobId: string) => resultsMessages(jobId, [page()], { pageCount: 1 });
  const more = (bytes: number): results.PutResultsRequest => ({ part: { $case: 'chunk', value: Buffer.alloc(bytes) } });
  const hostile: [string, string, (jobId: string) => results.PutResultsRequest[]][] = [
    ['no message', 'UPLOAD_INVALID', () => []],
    ['no header', 'UPLOAD_INVALID', (jobId) => valid(jobId).slice(1)],
    ['an empty message', 'UPLOAD_INVALID', (jobId) => [...valid(jobId), {}]],
    ['bytes before a page', 'UPLOAD_INVALID', (jobId) => [...valid(jobId).slice(0, 1), more(8)]],
    ['no page: nothing was computed', 'UPLOAD_INVALID', (jobId) => valid(jobId).slice(0, 1)],
    ['values without errors', 'PAGE_SHAPE', (jobId) => [...valid(jobId).slice(0, 2), more(32)]],
    ['more numbers than bins', 'PAGE_SHAPE', (jobId) => [...valid(jobId), more(1)]],
    ['fewer pages than announced', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page()], { pageCount: 2 })],
    ['the same page twice', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page(), page()])],
    [
      'one name for two estimators',
      'UPLOAD_INVALID',
      (jobId) => resultsMessages(jobId, [page(), page({ estimatorIndex: 1 })]),
    ],
    ['fewer tasks than none', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page()], { taskCount: -1 })],
    ['a page before the first', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page({ pageNumber: -1 })])],
    ['metadata of no object', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page({ metadataJson: '[1]' })])],
    ['metadata of no JSON', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page({ metadataJson: '{"a":NaN}' })])],
    ['a page of no numbered bins', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page({ numberedBins: 0n })])],
    [
      'a list whose bins are numbered',
      'UPLOAD_INVALID',
      (jobId) =>
        resultsMessages(jobId, [
          finalPage(
            pageHeader([1], {
              kind: results.PageKind.PAGE_KIND_LIST,
              recordCount: 2n,
              numberedBins: 2n,
              hasNoErrors: true,
            }),
            [1, 2, 3, 4],
            [],
          ),
        ]),
    ],
    ['no engine', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page()], { engine: '' })],
    ['negative primaries', 'UPLOAD_INVALID', (jobId) => resultsMessages(jobId, [page()], { primaries: -1n })],
  ];
  for (const [what, reason, messages] of hostile) {
    it(`refuses ${what} and keeps what was stored`, async () => {
      const jobId = await createJob(suite);
      await put(resultsMessages(jobId, [page({ pageName: 'kept' })]));
      await expect(put(messages(jobId))).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason });
      expect((await readResults(suite, jobId)).pages).toMatchObject([{ shown: { name: 'kept' } }]);
    });
  }
});

describe('PutResults RESOURCE_EXHAUSTED', () => {
  const zeros = (sizes: number[], fields: Partial<results.PageHeader> = {}) => {
    const bins = sizes.reduce((product, size) => product * size, 1);
    return { header: pageHeader(sizes, fields), bytes: Buffer.alloc(16 * bins) };
  };
  const big: [string, { header: results.PageHeader; bytes: Buffer }[]][] = [
    ['too many pages', [1, 2, 3, 4, 5, 6].map((pageNumber) => zeros([2], { pageNumber }))],
    ['a page with too many bins', [zeros([1001])]],
    ['a page with too many numbered bins', [zeros([1], { numberedBins: 1001n })]],
    ['a page with too much metadata', [zeros([1], { metadataJson: `{"a":"${'x'.repeat(65_536)}"}` })]],
    ['too many bytes', [1, 2, 3].map((pageNumber) => zeros([30, 30], { pageNumber }))],
  ];
  for (const [what, pages] of big) {
    it(`refuses ${what}`, async () => {
      const jobId = await createJob(suite);
      await expect(put(resultsMessages(jobId, pages))).rejects.toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
        reason: 'UPLOAD_TOO_LARGE',
      });
      await expect(readResults(suite, jobId)).rejects.toMatchObject({ reason: 'RESULTS_UNAVAILABLE' });
    });
  }
});

describe('PutResults CANCELLED', () => {
  it('keeps what was stored when an upload is cut off between two pages', async () => {
    const jobId = await createJob(suite);
    await put(resultsMessages(jobId, [page({ pageName: 'kept' })]));
    const messages = async function* () {
      yield* resultsMessages(jobId, [page()], { pageCount: 2 });
      throw new Error('the merge was given up');
    };
    await expect(suite.gateway.putResults(messages())).rejects.toThrow('the merge was given up');
    expect((await readResults(suite, jobId)).pages).toMatchObject([{ shown: { name: 'kept' } }]);
  });
});

describe('PutResults PERMISSION_DENIED', () => {
  it('refuses callers that neither run work nor pass on what workers send', async () => {
    await expect(suite.jobs.putResults(streamOf([]))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});
