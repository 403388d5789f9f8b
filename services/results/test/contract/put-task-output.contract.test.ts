import { describe, expect, it } from '@jest/globals';
import { results } from '@tally/contracts';
import { runStatement, waitFor } from '@tally/testkit';
import { readResults } from '../read-results.js';
import { createJob, pageHeader, streamOf, taskOutputMessages, taskPage, useResults } from '../results-suite.js';
import { listOutputs, storedPage } from '../stored-outputs.js';

const suite = useResults({ pagesMax: 5, pageBinsMax: 1000, axisCentersMax: 1500, uploadBytesMax: 40_000 });
const put = (messages: results.PutTaskOutputRequest[]) => suite.runner.putTaskOutput(streamOf(messages));
const list = (jobId: string) => listOutputs(suite, jobId);
const ramp = (array: number, bin: number) => bin + array / 2;
const page = (fields: Partial<results.PageHeader> = {}, sizes = [4, 3]) => taskPage(pageHeader(sizes, fields), ramp);

/** The numbers of page 1 as they are stored. */
const storedBytes = (jobId: string) => storedPage(suite, jobId);

describe('PutTaskOutput OK', () => {
  it('stores every number bit for bit, whatever it is and however it was cut', async () => {
    const jobId = await createJob(suite);
    const odd = [0, -0, 5e-324, Number.MAX_VALUE, -1 / 3, Number.NaN, Number.POSITIVE_INFINITY, 0.1 + 0.2];
    const sent = taskPage(pageHeader([8]), (array, bin) => (array === 0 ? (odd[bin] ?? 0) : bin));
    const [header, pageMessage] = taskOutputMessages(jobId, 1, [{ header: sent.header, bytes: Buffer.alloc(0) }]);
    if (header === undefined || pageMessage === undefined) throw new Error('no messages');
    const bytes = [...sent.bytes].map((byte) => ({ part: { $case: 'chunk' as const, value: Buffer.from([byte]) } }));
    await put([header, pageMessage, ...bytes]);
    expect((await storedBytes(jobId)).equals(sent.bytes)).toBe(true);
  });

  it('keeps warnings: those of all tasks are told once each, with the pages and with partial results', async () => {
    const jobId = await createJob(suite);
    const [unnamed, skipped] = [
      { code: 'AXIS_UNNAMED', message: 'a.bdo: an axis has no name' },
      { code: 'OUTPUT_SKIPPED', message: 'b.bdo: is left out' },
    ];
    await put(taskOutputMessages(jobId, 2, [page()], { warnings: [unnamed, skipped] }));
    await put(taskOutputMessages(jobId, 1, [page()], { warnings: [unnamed] }));
    expect((await list(jobId)).warnings).toEqual([unnamed, skipped]);
    expect((await readResults(suite, jobId)).header.warnings).toEqual([unnamed, skipped]);
  });

  it('takes what batch-bridge has fetched from a cluster', async () => {
    const jobId = await createJob(suite);
    await suite.bridge.putTaskOutput(streamOf(taskOutputMessages(jobId, 1, [page()])));
    expect((await storedBytes(jobId)).equals(page().bytes)).toBe(true);
  });

  it('takes pages from 0, which can be read while the job runs', async () => {
    const jobId = await createJob(suite);
    await put(taskOutputMessages(jobId, 1, [page({ pageNumber: 0 }), page()]));
    expect((await list(jobId)).pages.map(({ pageNumber }) => pageNumber)).toEqual([0, 1]);
    expect((await readResults(suite, jobId)).pages.map(({ shown }) => shown.page_number)).toEqual([0, 1]);
  });

  it('replaces what an earlier attempt of the task stored, with its pages', async () => {
    const jobId = await createJob(suite);
    await put(taskOutputMessages(jobId, 1, [page(), page({ pageNumber: 2, pageName: 'old' })]));
    const second = taskPage(pageHeader([4, 3]), () => 42);
    await put(taskOutputMessages(jobId, 1, [second], { attemptId: 'second', primaries: 5n }));
    const listed = await list(jobId);
    expect(listed).toMatchObject({ taskIds: [1], primaries: 5, pages: [{ pageNumber: 1 }] });
    expect((await storedBytes(jobId)).equals(second.bytes)).toBe(true);
    // nothing of the first attempt binds the task any more
    await put(taskOutputMessages(jobId, 1, [page({ pageNumber: 2, pageName: 'new' })]));
    expect((await list(jobId)).pages).toMatchObject([{ pageNumber: 2, pageName: 'new' }]);
  });

  it('takes the same upload many times at once and stores it once', async () => {
    const jobId = await createJob(suite);
    const messages = taskOutputMessages(jobId, 1, [page(), page({ pageNumber: 2 })], { pageCount: 2 });
    await Promise.all(Array.from({ length: 6 }, () => put(messages)));
    expect(await list(jobId)).toMatchObject({ taskIds: [1], primaries: 1000 });
    expect((await storedBytes(jobId)).equals(page().bytes)).toBe(true);
    const rows = await runStatement(suite.databaseUrl, 'SELECT 1 FROM task_outputs WHERE job_id = $1', [jobId]);
    expect(rows).toHaveLength(1);
  });

  it('takes a page without axes: one number', async () => {
    const jobId = await createJob(suite);
    await put(taskOutputMessages(jobId, 1, [page({}, [])]));
    expect(await storedBytes(jobId)).toHaveLength(16);
  });

  it('takes numbered bins as one axis more, whether they are listed or not', async () => {
    const jobId = await createJob(suite);
    const listed = page({ axes: [...pageHeader([2]).axes, { name: 'bin', unit: '', centers: [1, 2, 3] }] });
    const numbered = { header: pageHeader([2], { numberedBins: 3n }), bytes: listed.bytes };
    await put(taskOutputMessages(jobId, 1, [numbered]));
    await put(taskOutputMessages(jobId, 2, [listed])); // of the same pages, or it would be refused
    expect((await list(jobId)).pages).toMatchObject([{ axes: listed.header.axes }]);
  });
});

describe('PutTaskOutput NOT_FOUND', () => {
  it('refuses the output of a job that is not there', async () => {
    const messages = taskOutputMessages('20260101-000000-gone', 1, [page()]);
    await expect(put(messages)).rejects.toMatchObject({ status: 'NOT_FOUND', reason: 'JOB_NOT_FOUND' });
  });

  it('refuses the output of a job that was deleted while it came in', async () => {
    const jobId = await createJob(suite);
    const messages = async function* () {
      const all = taskOutputMessages(jobId, 1, [page()]);
      yield* all.slice(0, 2);
      await suite.jobs.deleteJobData({ jobId });
      yield* all.slice(2);
    };
    await expect(suite.runner.putTaskOutput(messages())).rejects.toMatchObject({ reason: 'JOB_NOT_FOUND' });
    const [row] = await runStatement<{ count: string }>(
      suite.databaseUrl,
      `SELECT count(*) FROM blocks LEFT JOIN blobs USING (blob_id) LEFT JOIN task_outputs USING (blob_id)
       WHERE output_id IS NULL`,
    );
    expect(row?.count).toBe('0');
  });
});

describe('PutTaskOutput INVALID_ARGUMENT', () => {
  const valid = (jobId: string) => taskOutputMessages(jobId, 1, [page()], { pageCount: 1 });
  const hostile: [string, string, (jobId: string) => results.PutTaskOutputRequest[]][] = [
    ['no message at all', 'UPLOAD_INVALID', () => []],
    ['an empty message', 'UPLOAD_INVALID', (jobId) => [...valid(jobId), {}]],
    ['no header', 'UPLOAD_INVALID', (jobId) => valid(jobId).slice(1)],
    ['two headers', 'UPLOAD_INVALID', (jobId) => [...valid(jobId), ...valid(jobId).slice(0, 1)]],
    ['bytes before a page', 'UPLOAD_INVALID', (jobId) => valid(jobId).filter(({ part }) => part?.$case !== 'page')],
    ['no page', 'UPLOAD_INVALID', (jobId) => valid(jobId).slice(0, 1)],
    [
      'fewer pages than announced',
      'UPLOAD_INVALID',
      (jobId) => taskOutputMessages(jobId, 1, [page()], { pageCount: 2 }),
    ],
    ['the same page twice', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 1, [page(), page()])],
    ['too few numbers', 'PAGE_SHAPE', (jobId) => valid(jobId).slice(0, -1)],
    [
      'half a number',
      'PAGE_SHAPE',
      (jobId) => [...valid(jobId).slice(0, 2), { part: { $case: 'chunk', value: Buffer.alloc(191) } }],
    ],
    [
      'too many numbers',
      'PAGE_SHAPE',
      (jobId) => [...valid(jobId), { part: { $case: 'chunk', value: Buffer.alloc(8) } }],
    ],
    ['task 0', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 0, [page()])],
    ['negative primaries', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 1, [page()], { primaries: -1n })],
    [
      'more primaries than a number can hold',
      'UPLOAD_INVALID',
      (jobId) => taskOutputMessages(jobId, 1, [page()], { primaries: 2n ** 60n }),
    ],
    ['no batch', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 1, [page()], { batches: 0 })],
    [
      'a warning of two lines',
      'UPLOAD_INVALID',
      (jobId) => taskOutputMessages(jobId, 1, [page()], { warnings: [{ code: 'A', message: 'a\nb' }] }),
    ],
    ['no attempt', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 1, [page()], { attemptId: '' })],
    ['an engine of two lines', 'UPLOAD_INVALID', (jobId) => taskOutputMessages(jobId, 1, [page()], { engine: 'a\nb' })],
    [
      'a counter that is not finite',
      'UPLOAD_INVALID',
      (jobId) => taskOutputMessages(jobId, 1, [page()], { counters: { lost: Number.NaN } }),
    ],
  ];
  const pages: [string, Partial<results.PageHeader>][] = [
    ['no kind', { kind: results.PageKind.PAGE_KIND_UNSPECIFIED }],
    ['page number -1', { pageNumber: -1 }],
    ['a negative estimator', { estimatorIndex: -1 }],
    ['no estimator name', { estimatorName: '' }],
    ['a name with a zero byte', { pageName: 'a\0b' }],
    ['a name without end', { unit: 'x'.repeat(257) }],
    ['a scale that is not finite', { scale: Number.POSITIVE_INFINITY }],
    ['an axis without bins', { axes: [{ name: 'X', unit: 'cm', centers: [] }] }],
    ['a centre that is not finite', { axes: [{ name: 'X', unit: 'cm', centers: [Number.NaN] }] }],
    ['nine axes', { axes: Array.from({ length: 9 }, () => ({ name: 'X', unit: 'cm', centers: [1] })) }],
  ];
  for (const [what, reason, messages] of hostile) {
    it(`refuses ${what} and stores nothing`, async () => {
      const jobId = await createJob(suite);
      await expect(put(messages(jobId))).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason });
      expect(await list(jobId)).toMatchObject({ taskIds: [], pages: [] });
    });
  }
  for (const [what, fields] of pages) {
    it(`refuses a page with ${what}`, async () => {
      const jobId = await createJob(suite);
      const messages = taskOutputMessages(jobId, 1, [{ header: pageHeader([2], fields), bytes: Buffer.alloc(32) }]);
      await expect(put(messages)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'UPLOAD_INVALID' });
    });
  }

  const differing: [string, Partial<results.PageHeader>, number[]][] = [
    ['another name', { pageName: 'Fluence' }, [4, 3]],
    ['another unit', { unit: 'Gy' }, [4, 3]],
    ['another kind', { kind: results.PageKind.PAGE_KIND_AVERAGE }, [4, 3]],
    ['another scale', { scale: 2 }, [4, 3]],
    ['other axes', {}, [3, 4]],
    ['another estimator name', { estimatorName: 'Lateral' }, [4, 3]],
    ['the estimator name at another place', { estimatorIndex: 1 }, [4, 3]],
    ['the estimator name at another place, another page', { estimatorIndex: 1, pageNumber: 2 }, [4, 3]],
  ];
  for (const [what, fields, sizes] of differing) {
    it(`refuses a task whose page has ${what} than the first task's`, async () => {
      const jobId = await createJob(suite);
      await put(taskOutputMessages(jobId, 1, [page()]));
      const messages = taskOutputMessages(jobId, 2, [page(fields, sizes)]);
      await expect(put(messages)).rejects.toMatchObject({ status: 'INVALID_ARGUMENT', reason: 'PAGE_MISMATCH' });
      expect(await list(jobId)).toMatchObject({ taskIds: [1] });
    });
  }
});

describe('PutTaskOutput RESOURCE_EXHAUSTED', () => {
  const big: [string, () => { header: results.PageHeader; bytes: Buffer }[]][] = [
    ['too many pages', () => [1, 2, 3, 4, 5, 6].map((pageNumber) => page({ pageNumber }))],
    ['a page with too many bins', () => [{ header: pageHeader([40, 40]), bytes: Buffer.alloc(0) }]],
    [
      'a page with more bins than can be counted',
      () => [{ header: pageHeader([200, 200, 200, 200, 200, 200, 200]), bytes: Buffer.alloc(0) }],
    ],
    ['too many bin centres', () => [1, 2].map((pageNumber) => page({ pageNumber }, [800]))],
    [
      'too many numbered bins',
      () =>
        [1, 2].map((pageNumber) => ({
          header: pageHeader([], { pageNumber, numberedBins: 800n }),
          bytes: Buffer.alloc(800 * 16),
        })),
    ],
    ['too many bytes', () => [1, 2, 3].map((pageNumber) => page({ pageNumber }, [30, 30]))],
  ];
  for (const [what, pages] of big) {
    it(`refuses ${what}`, async () => {
      const jobId = await createJob(suite);
      await expect(put(taskOutputMessages(jobId, 1, pages()))).rejects.toMatchObject({
        status: 'RESOURCE_EXHAUSTED',
        reason: 'UPLOAD_TOO_LARGE',
      });
      expect(await list(jobId)).toMatchObject({ taskIds: [] });
    });
  }
});

describe('PutTaskOutput CANCELLED', () => {
  for (const [announced, pageCount] of [
    ['with', 2],
    ['without', undefined],
  ] as const) {
    it(`stores nothing of an upload cut off where a whole one might end, ${announced} an announced count`, async () => {
      const jobId = await createJob(suite);
      const messages = async function* () {
        yield* taskOutputMessages(jobId, 1, [page()], { pageCount });
        throw new Error('the spool is gone');
      };
      await expect(suite.runner.putTaskOutput(messages())).rejects.toThrow('the spool is gone');
      await waitFor(async () => {
        const open = await runStatement(
          suite.databaseUrl,
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
             AND xact_start IS NOT NULL`,
        );
        return open.length === 0;
      });
      expect(await list(jobId)).toMatchObject({ taskIds: [] });
    });
  }
});

describe('PutTaskOutput PERMISSION_DENIED', () => {
  it('refuses callers that neither run work nor pass on what workers send', async () => {
    await expect(suite.jobs.putTaskOutput(streamOf([]))).rejects.toMatchObject({ reason: 'CALLER_NOT_ALLOWED' });
  });
});

describe('PutTaskOutput INVALID_ARGUMENT of remainders', () => {
  const none = { $case: 'chunk' as const, value: Buffer.alloc(0) };
  it.each([
    ['fewer', [Buffer.alloc(8)]],
    ['more', [Buffer.alloc(4 * 3 * 16), Buffer.alloc(8)]],
  ])('stores nothing of an output with %s than numbers', async (_, remainders) => {
    const jobId = await createJob(suite);
    const behind = remainders.map((bytes) => ({ part: none, remainders: bytes }));
    await expect(put([...taskOutputMessages(jobId, 1, [page()]), ...behind])).rejects.toMatchObject({
      reason: 'PAGE_SHAPE',
    });
    expect((await list(jobId)).taskIds).toEqual([]);
  });

  it('refuses a page behind them', async () => {
    const jobId = await createJob(suite);
    const [header, ...pages] = taskOutputMessages(jobId, 1, [page()]);
    if (header === undefined) throw new Error('no messages');
    const messages = [header, ...pages, { part: none, remainders: page().bytes }, ...pages];
    await expect(put(messages)).rejects.toMatchObject({ reason: 'UPLOAD_INVALID' });
  });
});
